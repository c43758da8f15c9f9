// The variables that the Trick front-end adds to every simulation.
import { expect } from 'chai';
import { EVENT_CAPACITY } from '../../../model/state/event-description.js';
import type { Request } from '../../../simulation/executive/request.js';
import { TestRun } from '../../../testing/aids/simulation-run.js';
import type { ShownEvent } from './event-image.js';
import type { ShownEvents } from './event-memory.js';
import { showEvents, showMessageAddress } from './trick-variables.js';

const CONDITION = {
  enabled: 1,
  hold: 0,
  fired: 1,
  fired_count: 2,
  fired_time: 1.5,
  str: 'x > 1',
  comment: 'above one',
  cond_type: 0,
};
const EVENT: ShownEvent = {
  name: 'e',
  active: true,
  thread_id: 0,
  before_after: 0,
  cycle: 0.5,
  cycle_tics: 500_000n,
  free_on_removal: false,
  target_name: '',
  target_inst: 1,
  added: true,
  is_user_event: true,
  manual: false,
  manual_fired: false,
  cond_all: false,
  fired: 0,
  hold: 0,
  ran: 0,
  condition_count: 1,
  fired_count: 2,
  fired_time: 1.5,
  action_count: 0,
  ran_count: 0,
  ran_time: -1,
  conditions: [CONDITION],
  actions: [],
};
const ONE: ShownEvents = { updateTicker: 3, count: 1, changes: [[0, EVENT]] };

describe('the variables that Trick adds', () => {
  it('come after those of the simulation, in one order', async () => {
    const { catalog } = await TestRun.start({}, (sim) => void sim.object('own'));
    expect(catalog.objects.map(({ name }) => name)).to.deep.equal([
      'own',
      'trick_sys',
      'trick_real_time',
      'trick_cmd_args',
      'trick_vs',
      'trick_instruments',
      'trick_message',
      'trick_mc',
      'trick_ip',
    ]);
  });

  it('show events and where messages are sent from', async () => {
    const run = await TestRun.start({});
    run.ask(showEvents(ONE), showMessageAddress({ hostname: 'vm', port: 7001 }));
    const shown = [
      'mtv_count',
      'mtv_update_ticker',
      'mtv_list[0][0].cycle',
      'mtv_list[0][0].condition_list[0][0].fired',
    ];
    expect(shown.map((name) => run.last.value(`trick_ip.mtv.${name}`))).to.deep.equal([1, 3, 0.5, 1]);
    expect(run.last.value('trick_message.mdevice.port')).to.equal(7001);
  });

  it('show more events, conditions and bytes of text than there was room for', async () => {
    const run = await TestRun.start({});
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...EVENT,
      name: `e${index}`,
      condition_count: 20,
      conditions: Array.from({ length: 20 }, (_, at) => ({
        ...CONDITION,
        str: `${index} ${at}`,
        comment: 'é'.repeat(200),
      })),
    }));
    for (const [index, event] of many.entries())
      run.ask(showEvents({ updateTicker: index, count: index + 1, changes: [[index, event]] }));
    const at = (path: string) => run.last.value(`trick_ip.mtv.${path}`);
    expect([at('mtv_count'), at('mtv_list[0][0].name'), at('mtv_list[19][0].name')]).to.deep.equal([20, 'e0', 'e19']);
    expect(at('mtv_list[7][0].condition_list[19][0].str')).to.equal('7 19');
    expect(at('mtv_list[7][0].condition_list[19][0].comment')).to.equal('é'.repeat(125));
    expect(at('mtv_list[7][0].condition_list[20][0].str')).to.equal(undefined);
    run.ask(showEvents({ updateTicker: 30, count: 20, changes: [[7, EVENT]] }));
    expect([
      at('mtv_list[7][0].condition_list[0][0].str'),
      at('mtv_list[8][0].condition_list[19][0].str'),
    ]).to.deep.equal(['x > 1', '8 19']);
  });

  const misfits: readonly [what: string, request: Request, sentence: RegExp][] = [
    [
      'no events',
      { kind: 'show', overlay: 'mtv', value: undefined },
      /^what is shown of events is a ticker, a count and changes/,
    ],
    [
      'no list',
      { kind: 'show', overlay: 'mtv', value: { updateTicker: 1, count: 1, changes: 5 } },
      /^what is shown of events/,
    ],
    [
      'more events than there is room for',
      showEvents({ ...ONE, updateTicker: 9, count: EVENT_CAPACITY.events + 1 }),
      /^what is shown of events/,
    ],
    [
      'more conditions than there is room for',
      showEvents({
        updateTicker: 9,
        count: 1,
        changes: [[0, { ...EVENT, conditions: Array(EVENT_CAPACITY.listed + 1).fill(CONDITION) }]],
      }),
      /^what is shown of events/,
    ],
    [
      'values of other kinds',
      showEvents({ updateTicker: 9, count: 1, changes: [[0, { ...EVENT, cycle: 'x' as never }]] }),
      /^what is shown of events/,
    ],
    ['no address', { kind: 'show', overlay: 'messages', value: { hostname: 'vm' } }, /^a message address is/],
  ];
  for (const [what, request, sentence] of misfits) {
    it(`refuse ${what} and change nothing`, async () => {
      const run = await TestRun.start({});
      run.ask(showEvents(ONE));
      const [outcome] = run.ask(request);
      expect((outcome as { error: string }).error).to.match(sentence);
      expect(run.last.value('trick_ip.mtv.mtv_update_ticker')).to.equal(3);
      expect(run.last.value('trick_ip.mtv.mtv_list[0][0].cycle')).to.equal(0.5);
      expect(run.last.value('trick_message.mdevice.enabled')).to.equal(false);
    });
  }
});
