// What clients of a bridge get, beside what clients of its simulation get at the same times: the same digits, and no frame
// of two moments.
import { expect } from 'chai';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { GuiClient } from './gui-client.js';
import { call, EventStream, type Values } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

const FIXTURE = 'compat-tests/fixture/fixture.js';
const QUIET = { port: 0, udp: 'off', messages: 'off', brp: 'off', discovery: false } as const;
/** All of it changes from frame to frame. */
const BIG = 'fx.all.big_d';
const FRAMES_PER_SECOND = 100;
/** Simulation times that both clients must have seen. */
const SHARED_TIMES = 10;
const WHOLE_FRAMES = 30;

type Lines = Map<string, string>;

const VARIABLES = [
  'trick.var_add("fx.ball.pos[1]")',
  'trick.var_add("fx.ball.pos", "ft")',
  `trick.var_add("${BIG}[7]", "xx")`,
  `trick.var_add("${BIG}[500]")`,
  'trick.var_add("fx.ball.steps")',
];
describe('clients of a bridge', () => {
  let simulation: ServerHere;
  let served: RunningServer;
  before(async () => {
    simulation = await ServerHere.start(FIXTURE, { options: ['--udp', 'off'], simArguments: ['--step-big-d'] });
    served = await serveSource(await bridge({ port: simulation.port }), QUIET);
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await served?.close();
    await simulation?.stop();
  });

  /** Lines of a list by the tics that are first in it, until there is enough. */
  async function followed(port: number, lines: Lines, isEnough: () => boolean): Promise<void> {
    const client = await GuiClient.shakeHands(port, 'TRICK_TV_DATA_CHANNEL');
    client.put('trick.var_pause()');
    client.add('trick_sys.sched.time_tics');
    client.put('trick.var_unpause()', ...VARIABLES, 'trick.var_cycle(0.01)', 'trick.var_validate_address(False)');
    while (!isEnough()) {
      const line = await client.wire.line();
      const [, tics = '', ...others] = line.split('\t');
      if (others.length > 3) lines.set(tics, line);
    }
    client.wire.drop();
  }

  it('that are TV and its strip charts get what the simulation sends, digit for digit', async () => {
    const seen: readonly [Lines, Lines] = [new Map(), new Map()];
    const shared = () => [...seen[0].keys()].filter((tics) => seen[1].has(tics));
    const isEnough = () => shared().length >= SHARED_TIMES;
    const follow = (port: number, lines: Lines) => followed(port, lines, isEnough);
    await Promise.all([follow(simulation.port, seen[0]), follow(served.port, seen[1])]);
    for (const tics of shared()) expect(seen[1].get(tics)).to.equal(seen[0].get(tics));
  });

  it('see whole frames of what comes in several messages, while others change what is asked for', async () => {
    const stream = await EventStream.subscribe(served.port, ['fx.all'], 10);
    let isOver = false;
    const others = (async () => {
      for (let turn = 0; !isOver; turn++)
        await call<Values>(served.port, 'var/get', { aliases: [`fx.all.${turn % 2 ? 'd3' : 'i'}`, 'fx.ball.steps'] });
    })();
    let frames = 0;
    /** Of the frames' numbers from those of the job. */
    let offset: number | undefined;
    for await (const { sim_time, values } of stream.messages()) {
      const big = (values['fx.all'] as { big_d: readonly number[] }).big_d as readonly number[];
      const about = Math.round(sim_time.sec_si * FRAMES_PER_SECOND);
      offset ??= [0, -1, 1].find((one) => big[0] === stepped(about + one, 0));
      expect(offset).to.not.equal(undefined);
      const expected = big.map((_, index) => stepped(about + (offset as number), index));
      expect(big, `at ${sim_time.sec_si} s`).to.deep.equal(expected);
      if (++frames === WHOLE_FRAMES) break;
    }
    stream.close();
    isOver = true;
    await others;
  });
});

/** As the fixture makes it. */
const stepped = (frame: number, index: number): number => (index + 1) * Math.sin(frame + index / 7);
