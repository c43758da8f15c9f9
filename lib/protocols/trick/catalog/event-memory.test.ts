// Events as variables: how they grow while a simulation runs.
import { expect } from 'chai';
import { Catalog } from '../../../model/state/catalog.js';
import { readVariable } from '../../../model/state/read.js';
import { State } from '../../../model/state/state.js';
import type { ShownEvent } from './event-image.js';
import { EventMemory } from './event-memory.js';

const itemsOf = (what: string, count: number, str: string) =>
  Array.from({ length: count }, (_, index) => ({ str, comment: `${what} ${index}`, enabled: 1 }));
const CONDITION = { hold: 0, fired: 0, fired_count: 0, fired_time: -1, cond_type: 0 };
const ACTION = { ran: 0, ran_count: 0, ran_time: -1, act_type: 0 };

const eventNamed = (name: string, items = 1, text = 'True'): ShownEvent => ({
  ...{ name, active: true, thread_id: 0, before_after: 0, cycle: 0.5, cycle_tics: 500_000n, free_on_removal: false },
  ...{ target_name: '', target_inst: 1, added: true, is_user_event: true, manual: false, manual_fired: false },
  ...{ cond_all: false, fired: 0, hold: 0, ran: 0, condition_count: items, fired_count: 0, fired_time: -1 },
  ...{ action_count: items, ran_count: 0, ran_time: -1 },
  conditions: itemsOf(`condition of ${name}`, items, text).map((item) => ({ ...item, ...CONDITION })),
  actions: itemsOf(`action of ${name}`, items, text).map((item) => ({ ...item, ...ACTION })),
});

describe('the memory of events', () => {
  let state: State;
  let memory: EventMemory;
  const value = (path: string) => {
    const variable = new Catalog(state.describe()).find(`trick_ip.mtv.${path}`);
    return variable && readVariable(variable, state.arena.memory);
  };
  const changes = (from: number, to: number, items?: number, text?: string) =>
    Array.from({ length: to - from }, (_, at) => [from + at, eventNamed(`e${from + at}`, items, text)] as const);
  const showAll = (from: number, to: number, items?: number, text?: string): number => {
    const count = Math.max(to, Number(value('mtv_count')));
    return [...memory.show({ updateTicker: to, count, changes: changes(from, to, items, text) })].length;
  };

  beforeEach(() => {
    state = new State();
    memory = new EventMemory(state.addObject('trick_ip'), state.arena);
  });

  it('shows a few events at once', () => {
    expect(showAll(0, 8)).to.equal(0);
    expect([value('mtv_count'), value('mtv_list[7][0].action_list[0][0].comment')]).to.deep.equal([
      8,
      'action of e7 0',
    ]);
  });

  it('is made anew in steps of a few events, and stays as it was until the last one', () => {
    for (let count = 0; count < 512; count += 32) showAll(count, count + 32);
    const version = state.version;
    const steps = memory.show({ updateTicker: 513, count: 513, changes: changes(512, 513) });
    let taken = 0;
    for (; !steps.next().done; taken++) {
      expect(state.version).to.equal(version);
      expect([value('mtv_count'), value('mtv_list[511][0].name')]).to.deep.equal([512, 'e511']);
    }
    expect(taken).to.be.at.least(30);
    expect([value('mtv_count'), value('mtv_update_ticker')]).to.deep.equal([513, 513]);
    for (const index of [0, 100, 512]) {
      expect(value(`mtv_list[${index}][0].name`)).to.equal(`e${index}`);
      expect(value(`mtv_list[${index}][0].condition_list[0][0].comment`)).to.equal(`condition of e${index} 0`);
      expect(value(`mtv_list[${index}][0].action_list[0][0].comment`)).to.equal(`action of e${index} 0`);
    }
  });

  it('takes several steps too for a text that is longer than any before, and for a longer list', () => {
    showAll(0, 100);
    expect(showAll(0, 1, 1, 'x'.repeat(200))).to.be.above(4);
    expect(value('mtv_list[0][0].condition_list[0][0].str')).to.equal('x'.repeat(200));
    expect(showAll(1, 2, 20)).to.be.above(4);
    expect(value('mtv_list[1][0].action_list[19][0].comment')).to.equal('action of e1 19');
    expect(value('mtv_list[99][0].name')).to.equal('e99');
  });

  it('shows later changes after those that are under way, whoever asks for the next step', () => {
    showAll(0, 64);
    const first = memory.show({ updateTicker: 65, count: 65, changes: changes(64, 65) });
    const second = memory.show({ updateTicker: 66, count: 65, changes: [[64, eventNamed('renamed')]] });
    first.next();
    while (!second.next().done) expect(value('mtv_update_ticker')).to.be.oneOf([64, 65]);
    expect([value('mtv_update_ticker'), value('mtv_list[64][0].name')]).to.deep.equal([66, 'renamed']);
    expect(first.next().done).to.equal(true);
    expect([value('mtv_update_ticker'), value('mtv_list[64][0].name')]).to.deep.equal([66, 'renamed']);
  });

  it('goes on with the next changes after some that do not fit', () => {
    const wrong = { ...eventNamed('wrong'), nonsense: 1 } as ShownEvent;
    expect(() => [...memory.show({ updateTicker: 1, count: 1, changes: [[0, wrong]] })]).to.throw(/nonsense/);
    showAll(0, 1);
    expect(value('mtv_list[0][0].name')).to.equal('e0');
  });
});
