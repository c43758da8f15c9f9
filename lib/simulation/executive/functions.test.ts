// Typed functions: how a program declares them and how clients call them.
import { expect } from 'chai';
import { array, bool, double, enumeration, int, long, pointer, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { Value } from '../../model/state/read.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Outcome } from './request-queue.js';
import type { Sim } from './simulation.js';

const Phase = enumeration('Phase', { STANDBY: 0, ENTRY: 7 });
const Burn = struct('Burn', { thrust: double(3, { units: 'N' }), seconds: double(), phase: Phase });

const call = (run: TestRun, name: string, ...values: readonly Value[]): Outcome =>
  run.ask({ kind: 'call', name, values })[0] as Outcome;

describe('a typed function', () => {
  it('gets plain values of the declared types by name, and its result is converted', async () => {
    const seen: unknown[] = [];
    const run = await TestRun.start({}, (sim) => {
      const takes = { speed: double(), count: int(), id: long(), on: bool(), tag: text(8), phase: Phase, burn: Burn };
      sim.function('act', { takes: { ...takes, list: vector(int(), 3) }, gives: double(2) }, (given) => {
        seen.push(given);
        return new Float64Array([given.speed, given.count]) as never;
      });
    });
    const burn = { thrust: [1, 2, 3], seconds: 4, phase: 'ENTRY' };
    expect(call(run, 'act', 3n, 5n, 6, true, 'a', 'STANDBY', burn, [1n])).to.deep.equal({ frame: 2, value: [3, 5] });
    expect(seen).to.deep.equal([
      { speed: 3, count: 5, id: 6n, on: true, tag: 'a', phase: 0, burn: { ...burn, phase: 7 }, list: [1] },
    ]);
  });

  it('takes nothing when it only gives', async () => {
    const run = await TestRun.start({}, (sim) => {
      sim.function('o.is_up', { gives: bool() }, (given) => Object.keys(given).length === 0);
      sim.function('stir', { about: 'does something' }, () => undefined);
    });
    expect(call(run, 'o.is_up')).to.deep.include({ value: true });
    expect(call(run, 'o.is_up', 1)).to.deep.include({ error: 'o.is_up() takes no arguments, not 1' });
    expect(call(run, 'stir')).not.to.have.property('value');
    expect(run.catalog.functions.get('stir')).to.deep.equal({ name: 'stir', about: 'does something', takes: [] });
  });

  it('is not called with what does not fit, and no frame is made for that', async () => {
    let calls = 0;
    const run = await TestRun.start({}, (sim) =>
      sim.function('kick', { takes: { vx: double(), vy: double() } }, () => {
        calls++;
      }),
    );
    expect(call(run, 'kick', 1)).to.deep.equal({ error: 'kick() takes 2 arguments (vx, vy), not 1' });
    expect(call(run, 'kick', 1, 'x')).to.deep.equal({ error: 'kick(): vy is a double; the text "x" does not fit' });
    expect([calls, run.frames.length]).to.deep.equal([0, 1]);
    expect(call(run, 'kick', 1, 2)).to.deep.equal({ frame: 2 });
    expect(calls).to.equal(1);
  });

  it('whose result does not fit answers with the sentence, and shows what it had done', async () => {
    const run = await TestRun.start({}, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.function('count', { takes: {}, gives: int() }, () => {
        x.value = 1;
        return 2.5;
      });
      sim.function('burn', { takes: {}, gives: Burn }, () => ({ seconds: 1 }) as never);
    });
    expect(call(run, 'count')).to.deep.equal({
      error: 'function count failed: what it returned is an int; the number 2.5 does not fit',
    });
    expect(run.last.value('o.x')).to.equal(1);
    expect(call(run, 'burn')).to.deep.equal({
      error: 'function burn failed: what it returned lacks its member thrust',
    });
  });

  it('gets enumerations as code reads them: by label or by number, however a client gives them', async () => {
    const got: unknown[] = [];
    const run = await TestRun.start({}, (sim) => {
      const Mode = enumeration('AttitudeMode', ['IDLE', 'POINT']);
      const Plan = struct('Plan', { modes: array(Mode, 2), phase: Phase });
      const craft = sim.object('craft').components({ mode: Mode, plan: Plan });
      sim.function('set', { takes: { mode: Mode, plan: Plan, phase: Phase }, gives: Mode }, ({ mode, plan, phase }) => {
        craft.mode = mode;
        craft.plan.phase = phase;
        got.push(mode, plan, phase);
        return mode;
      });
    });
    for (const [mode, modes, phase] of [
      ['POINT', ['IDLE', 'POINT'], 'ENTRY'],
      [1, [0, 1n], 7],
    ] as const) {
      const { value } = call(run, 'set', mode, { modes, phase }, phase) as { value?: unknown };
      expect(value).to.equal(1);
      expect(got.splice(0)).to.deep.equal(['POINT', { modes: ['IDLE', 'POINT'], phase: 7 }, 7]);
      expect(run.last.value('craft.mode')).to.equal(1);
    }
    expect(call(run, 'set', 2, { modes: [0, 0], phase: 7 }, 7)).to.have.property(
      'error',
      'set(): mode is an AttitudeMode; the number 2 does not fit',
    );
  });

  it('may give the view of a component', async () => {
    const run = await TestRun.start({}, (sim) => {
      const burn = sim.object('o').component('burn', Burn, { thrust: [1, 2, 3] });
      sim.function('now', { takes: {}, gives: Burn }, () => burn);
    });
    expect(call(run, 'now')).to.deep.equal({ frame: 2, value: { thrust: [1, 2, 3], seconds: 0, phase: 0 } });
  });

  it('that gives nothing answers with nothing, and says when its promise fails', async () => {
    const run = await TestRun.start({}, (sim) => {
      sim.function('add', { takes: {} }, () => [1].push(2));
      sim.function('later', { takes: {} }, async () => Promise.reject(new Error('too late')));
    });
    expect(call(run, 'add')).to.deep.equal({ frame: 2 });
    expect(call(run, 'later')).to.deep.equal({ frame: 3 });
    await new Promise(setImmediate);
    expect(run.said).to.deep.equal(['0 error: function later failed: too late']);
  });

  it('is described by the catalog as plain data, the other form without types', async () => {
    const run = await TestRun.start({}, (sim) => {
      const takes = { vx: double({ units: 'm/s', about: 'to the right' }) };
      sim.function('kick', { takes, gives: int(), about: 'kicks' }, () => 1);
      sim.function('any', () => {}, { about: 'whatever' });
    });
    expect(run.catalog.functions.get('kick')).to.deep.equal({
      name: 'kick',
      about: 'kicks',
      takes: [{ name: 'vx', type: { kind: 'number', name: 'double' }, units: 'm/s', about: 'to the right' }],
      gives: { type: { kind: 'number', name: 'int' }, units: '--', about: '' },
    });
    expect(run.catalog.functions.get('any')).to.deep.equal({ name: 'any', about: 'whatever' });
  });

  it('is refused in the build when clients could not call it', async () => {
    const build = (act: (sim: Sim) => void) => TestRun.start({}, act).then(() => '', String);
    expect(await build((sim) => sim.function('f', { takes: { p: pointer(double()) } }, () => {}))).to.equal(
      'Error: f(): p cannot hold pointers, which mean nothing to a client',
    );
    expect(await build((sim) => sim.function('f', { takes: { 1: double() } }, () => {}))).to.match(
      /a parameter of f\(\) is named with letters, digits and _, and starts with no digit: not "1"$/,
    );
  });
});

describe('the compiler', () => {
  it('knows what a typed function gets and gives', async () => {
    await TestRun.start({}, (sim) => {
      sim.function('a', { takes: { x: double(), id: long(), phase: Phase, tag: text(4) } }, (given) => {
        const numbers: number = given.x + given.phase;
        const id: bigint = given.id;
        const tag: string = given.tag;
        // @ts-expect-error: there is no such parameter
        return [numbers, id, tag, given.y];
      });
      sim.function('b', { takes: { at: double(2), burn: Burn, list: vector(Burn, 2) } }, ({ at, burn, list }) => {
        const sum: number = at[0] + at[1] + burn.thrust[2] + burn.seconds + (list[0]?.phase ?? 0);
        // @ts-expect-error: the third of two is not known to be there
        const third: number = at[2];
        // @ts-expect-error: a number is no text
        const text: string = burn.seconds;
        return [sum, third, text];
      });
      sim.function('c', { takes: {}, gives: double() }, () => 1);
      sim.function('d', { takes: {}, gives: double(2) }, () => [1, 2]);
      // @ts-expect-error: text for a number
      sim.function('e', { takes: {}, gives: double() }, () => '1');
      // @ts-expect-error: one of two
      sim.function('f', { takes: {}, gives: double(2) }, () => [1]);
      // @ts-expect-error: a structure in full
      sim.function('g', { takes: {}, gives: Burn }, () => ({ seconds: 1 }));
      // @ts-expect-error: an argument that is not taken
      sim.function('h', { takes: { x: double() } }, ({ y }: { readonly y: number }) => y);
    });
  });
});
