// When an attack counts as stood.
import { expect } from 'chai';
import type { Attack } from '../attacks/attack.js';
import { MissingToolError } from '../attacks/attacked-server.js';
import type { Waited } from '../attacks/bystander.js';
import { faultsOf, type Measured, missedGoals, standAttacks } from './attacks.js';

const waited = (p99Millis: number, worstMillis: number): Waited => ({
  answers: 600,
  unanswered: 0,
  p50Millis: 1,
  p99Millis,
  worstMillis,
});

function measured(value: Waited, overruns = 0, echo = waited(0, 0)): Measured {
  return { state: 'alive', megabytes: 100, overruns, output: '', witnessed: { value, health: value, echo } };
}

const SECONDS = 3;
const missed = (run: Measured, quiet?: Measured, attack = {}): readonly string[] =>
  missedGoals(attack, SECONDS, run, quiet);

describe('an attack', () => {
  it('may not end the server or let it hang, take its memory or make it wait for a second', () => {
    const well = measured(waited(900, 999));
    expect(faultsOf(well)).to.deep.equal([]);
    expect(faultsOf(measured(waited(1, 1000)))).to.deep.equal(['a bystander waited 1000 ms']);
    expect(faultsOf(measured(waited(1, 1049), 0, waited(1, 50)))).to.deep.equal([]);
    expect(faultsOf({ ...well, state: 'hangs', megabytes: 1500 })).to.deep.equal([
      'the server hangs',
      'it had 1500 MB',
    ]);
    expect(faultsOf({ ...well, state: 'ended', megabytes: Number.NaN })).to.have.length(2);
    expect(faultsOf({ ...well, output: 'an internal error' })).to.have.length(1);
  });

  it("misses the goals of the bench by the bystander's p99 and by late frames", () => {
    expect(missed(measured(waited(50, 90), 6))).to.deep.equal([]);
    expect(missed(measured(waited(50.1, 90)))).to.deep.equal(["a bystander's p99 was 50.1 ms, more than 50.0"]);
    expect(missed(measured(waited(5, 50), 7))).to.deep.equal(['7 frames were late, more than 6 of 300']);
    expect(missed(measured(waited(5, 50), 60), undefined, { framesPerSecond: 1000 })).to.deep.equal([]);
    expect(missed(measured(waited(5, 50), 61), undefined, { framesPerSecond: 1000 })).to.have.length(1);
  });

  it('is measured against what the machine makes everybody wait, and a server without an attack', () => {
    const quiet = measured(waited(7, 30), 5, waited(4, 20));
    expect(missed(measured(waited(63, 300), 31, waited(10, 100)), quiet)).to.deep.equal([]);
    expect(missed(measured(waited(63.1, 300), 32, waited(10, 100)), quiet)).to.have.length(2);
    // A run without an attack that misses the goals by far allows no more than one that just meets them.
    const slow = measured(waited(500, 600), 290);
    expect(missed(measured(waited(100, 150), 12), slow)).to.deep.equal([]);
    expect(missed(measured(waited(100.1, 150), 13), slow)).to.have.length(2);
  });
});

describe('all attacks', () => {
  const attack: Attack = { name: 'it', sends: 'much', run: async () => undefined };
  const [well, slow] = [measured(waited(5, 10)), measured(waited(120, 170))];

  let isBusy: boolean;
  beforeEach(() => {
    isBusy = false;
  });
  const watch = () => ({ stop: () => isBusy });

  async function stood(...runs: readonly (readonly [name: string, outcome: Measured])[]) {
    const names: string[] = [];
    const run = async ({ name }: Attack) => {
      const [, outcome] = runs[names.length] ?? [];
      names.push(name);
      return outcome ?? well;
    };
    const { failures, unjudged } = await standAttacks([attack], SECONDS, () => undefined, { run, watch });
    expect(names).to.deep.equal(runs.map(([name]) => name));
    return { failures, unjudged };
  }

  it('are stood when a server keeps the goals, be it at the second time', async () => {
    const nothing = { failures: [], unjudged: [] };
    expect(await stood(['nothing', well], ['it', well])).to.deep.equal(nothing);
    expect(await stood(['nothing', well], ['it', slow], ['nothing', well], ['it', well])).to.deep.equal(nothing);
  });

  it('are not stood when it misses them twice, and at once when it ends', async () => {
    const { failures } = await stood(['nothing', well], ['it', slow], ['nothing', well], ['it', slow]);
    expect(failures).to.deep.equal(["attack it (much): a bystander's p99 was 120.0 ms, more than 55.0\n"]);
    const ended = await stood(['nothing', well], ['it', { ...well, state: 'ended' }]);
    expect(ended.failures).to.deep.equal(['attack it (much): the server has ended\n']);
  });

  it('are not judged while a server without an attack misses them too, or other programs compute', async () => {
    const unjudged = { failures: [], unjudged: ['it'] };
    expect(await stood(['nothing', slow], ['it', slow], ['nothing', slow])).to.deep.equal(unjudged);
    isBusy = true;
    expect(await stood(['nothing', well], ['it', slow], ['nothing', well])).to.deep.equal(unjudged);
    expect(await stood(['nothing', well], ['it', well])).to.deep.equal({ failures: [], unjudged: [] });
  });

  it('are left out where a tool is missing', async () => {
    const lines: string[] = [];
    const run = async ({ name }: Attack) => {
      if (name === 'it') throw new MissingToolError('there is no compiler');
      return well;
    };
    expect((await standAttacks([attack], SECONDS, (line) => lines.push(line), { run, watch })).failures).to.deep.equal(
      [],
    );
    expect(lines.at(-1)).to.equal('it: skipped, there is no compiler');
  });
});
