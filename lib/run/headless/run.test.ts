// Headless runs: to a time, from given values, with a table of what happened.
import { expect } from 'chai';
import { double, enumeration, int } from '../../model/state/declare.js';
import { RequestError } from '../../simulation/executive/request.js';
import {
  type Sim,
  type SimulationDefinition,
  type SimulationOptions,
  simulation,
} from '../../simulation/executive/simulation.js';
import { run } from './run.js';

const Phase = enumeration('Phase', { STANDBY: 0, ASCENT: 1 });

function fall(sim: Sim): void {
  const o = sim.object('o');
  const y = o.component('y', double({ units: 'm' }), 10);
  const v = o.component('v', double({ units: 'm/s' }));
  const start = o.component('start', double());
  o.component('count', int());
  o.component('phase', Phase);
  o.component('fixed', int({ access: 'read-only' }));
  const wind = sim.random('wind');
  const gust = o.component('gust', double());
  sim.job('initialization', () => {
    start.value = y.value;
  });
  sim.integrate({ y, v }, () => ({ y: v.value, v: -9.81 }), { method: 'rk4' });
  sim.job(0.01, () => {
    gust.value = wind.normal();
  });
}

const define = (build = fall, options: Partial<SimulationOptions> = {}): SimulationDefinition =>
  simulation({ name: 'fall', frameSeconds: 0.01, ...options }, build);

describe('a headless run', () => {
  it('ends at a time, with the last values', async () => {
    const { timeSeconds, end, values } = await run(define(), { untilSeconds: 1, read: ['o.y', 'o.v', 'o.start'] });
    expect([timeSeconds, end]).to.deep.equal([1, undefined]);
    expect(values['o.y']).to.be.closeTo(10 - 9.81 / 2, 1e-12);
    expect(values['o.start']).to.equal(10);
  });

  it('ends well when its last frame takes long, while a signal may end it early', async () => {
    const { signal } = new AbortController();
    for (const end of ['stop', 'freeze', undefined] as const) {
      const slow = (sim: Sim): void => {
        fall(sim);
        sim.job(0.01, () => {
          if (sim.timeSeconds < 0.025) return;
          for (const endMillis = performance.now() + 50; performance.now() < endMillis; );
          if (end) sim[end]();
        });
      };
      const { timeSeconds } = await run(define(slow, { terminateSeconds: 0.04 }), { signal });
      expect(timeSeconds, end).to.be.within(0.029, 0.041);
    }
  });

  it('takes and gives values in units that stand behind names', async () => {
    const { values, recorded } = await run(define(), {
      untilSeconds: 0.01,
      set: { 'o.y{ft}': 100, 'o.v{km/h}': 36 },
      read: ['o.start', 'o.start{1}', 'o.v{ft/s}', 'o.v'],
      record: { variables: ['o.y{cm}'], cycleSeconds: 0.01 },
    });
    expect(values['o.start']).to.be.closeTo(30.48, 1e-12);
    expect(values['o.start{1}']).to.equal(values['o.start']);
    expect(values['o.v{ft/s}'] as number).to.be.closeTo((values['o.v'] as number) / 0.3048, 1e-9);
    expect([recorded.columns, recorded.rows[0]?.[1]]).to.deep.equal([['time', 'o.y{cm}'], 3048]);
    const refused = (options: object): Promise<string> =>
      run(define(), { untilSeconds: 0.01, ...options }).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await refused({ set: { 'o.y{kg}': 1 } })).to.match(/^expected units that convert from "kg"/);
    expect(await refused({ read: ['o.y{deg}'] })).to.match(/did you mean "degree"\?$/);
    expect(await refused({ set: { 'o.phase{m}': 'ASCENT' } })).to.match(/^expected units that convert/);
    expect(await refused({ set: { 'o.yy{ft}': 1 } })).to.match(/^o has no member yy/);
  });

  it('starts from given values, before the jobs of the initialization', async () => {
    const set = { 'o.y': 3, 'o.phase': 'ASCENT' };
    const { values } = await run(define(), { untilSeconds: 0.01, set, read: ['o.start', 'o.phase'] });
    expect(values).to.deep.equal({ 'o.start': 3, 'o.phase': 'ASCENT' });
  });

  it('waits for no client, and ends where the simulation ends', async () => {
    const frozen = await run(define(fall, { startFrozen: true, terminateSeconds: 0.5 }), { read: ['o.v'] });
    expect(frozen.timeSeconds).to.equal(0.5);
    expect(frozen.end?.reason).to.equal('the simulation has reached its terminate time');
    const stopping = define((sim) => {
      fall(sim);
      sim.job(0.01, () => sim.timeSeconds >= 0.2 && sim.stop({ code: 3, reason: 'landed' }));
    });
    const stopped = await run(stopping, { untilSeconds: 10, read: ['o.y'] });
    expect(stopped.end).to.deep.equal({ reason: 'landed', exitCode: 3 });
    expect([stopped.timeSeconds, stopped.isFrozen]).to.deep.equal([0.21, false]);
    const freezing = define((sim) => void sim.job(0.1, () => sim.timeSeconds > 0 && sim.freeze()));
    expect(await run(freezing, { untilSeconds: 10 })).to.include({ timeSeconds: 0.11, isFrozen: true });
  });

  it('repeats itself from its seed', async () => {
    const gusts = (seed?: number) =>
      run(define(), { untilSeconds: 0.1, read: ['o.gust'], ...(seed === undefined ? {} : { seed }) });
    const [one, same, other, none] = await Promise.all([gusts(1), gusts(1), gusts(2), gusts()]);
    expect(one.values).to.deep.equal(same.values);
    expect(one.values).not.to.deep.equal(other.values);
    expect(one.values).not.to.deep.equal(none.values);
  });

  it('keeps a table at exact times, from the first to the last moment', async () => {
    const record = { cycleSeconds: 0.025, variables: ['o.v', 'o.count'] };
    const { recorded } = await run(define(), { untilSeconds: 0.1, record });
    expect(Object.keys(recorded)).to.deep.equal(['columns', 'rows']);
    expect(recorded.columns).to.deep.equal(['time', 'o.v', 'o.count']);
    expect(recorded.rows.map(([time]) => time)).to.deep.equal([0, 0.025, 0.05, 0.075, 0.1]);
    expect(recorded.rows[4]?.[1]).to.be.closeTo(-0.981, 1e-12);
    const everyFrame = await run(define(), { untilSeconds: 0.05, record: { variables: ['o.v'] } });
    expect(everyFrame.recorded.rows).to.have.length(6);
  });

  it('rejects with what went wrong, in one sentence', async () => {
    const why = (options: object, definition = define()): Promise<unknown> =>
      run(definition, { untilSeconds: 0.1, ...options }).catch((error: Error) => error);
    const failing = define((sim) => {
      sim.job(0.01, function burn() {
        throw new Error('no fuel');
      });
    });
    expect(await why({}, failing)).to.have.property('message', 'job burn failed: no fuel');
    const unprepared = define((sim) => {
      sim.job('initialization', function load() {
        throw new Error('no table');
      });
    });
    expect(await why({}, unprepared)).to.have.property('message', 'job load failed: no table');
    const refused = await why({ set: { 'o.z': 1 } });
    expect(refused).to.be.instanceOf(RequestError).with.property('message').that.includes('o has no member z');
    expect(await why({ set: { 'o.y': 'high' } }))
      .to.have.property('message')
      .that.includes('o.y is a double');
    expect(await why({ set: { 'o.y': Number.NaN } })).to.have.property(
      'message',
      'o.y starts as NaN, which is no number',
    );
    expect(await why({ set: { 'o.count': 1.5 } }))
      .to.be.instanceOf(RequestError)
      .with.property('message', 'o.count is an int; the number 1.5 does not fit');
    for (const seed of [1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(await why({ seed })).to.have.property('message', `a seed is a whole number, such as 7, not ${seed}`);
    expect(await why({ set: { 'o.fixed': 1 } })).to.have.property('message', 'o.fixed is read-only');
    expect(await why({ read: ['o.z'] }))
      .to.have.property('message')
      .that.includes('o has no member z');
    expect(await why({ record: { variables: ['o.z'] } }))
      .to.have.property('message')
      .that.includes('no member z');
    expect(await why({ record: { variables: [], cycleSeconds: -1 } }))
      .to.have.property('message')
      .that.includes('not -1');
    for (const untilSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined]) {
      expect(await why({ untilSeconds })).to.be.instanceOf(RangeError);
    }
    expect(await why({ until: 1 })).to.have.property(
      'message',
      'a run has no option until; did you mean untilSeconds?',
    );
    expect(await why({ record: { variables: [], cycle: 1 } })).to.have.property(
      'message',
      'a table has no option cycle; did you mean cycleSeconds?',
    );
  });
});
