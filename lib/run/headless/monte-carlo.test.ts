// Monte Carlo: the same table from the same seed on any number of threads, whatever happens to single runs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { type MonteCarloOptions, monteCarlo, type Progress } from './monte-carlo.js';
import type { MonteCarloTable } from './monte-carlo-table.js';
import { run } from './run.js';

/** A simulation that draws one number more in each frame, and fails in the way that `o.way` says. */
const FILE = `
import { simulation } from ${JSON.stringify(new URL('../../simulation/executive/simulation.js', import.meta.url).href)};
import { double, int, text } from ${JSON.stringify(new URL('../../model/state/declare.js', import.meta.url).href)};
export default simulation({ name: 'walk', frameSeconds: 0.1 }, (sim) => {
  const o = sim.object('o');
  const at = o.component('at', double(2));
  const way = o.component('way', text(20), '');
  const steps = sim.random('steps');
  sim.job(0.1, function walk() {
    if (sim.timeSeconds > 0.3) {
      if (way.value === 'throw') throw new Error('fell, over a stone');
      if (way.value === 'stop') sim.stop({ code: 4, reason: 'had enough' });
      if (way.value === 'leave') process.exit(5);
      if (way.value === 'hang') for (;;) ;
      if (way.value === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    at[0] += steps.normal();
    at[1] += steps.uniform();
  });
});
`;

describe('a Monte Carlo', () => {
  let directory: string;
  let file: string;
  before(() => {
    directory = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'monte-'));
    file = join(directory, 'walk.mjs');
    writeFileSync(file, FILE);
  });
  after(() => rmSync(directory, { recursive: true }));

  const table = (options: Partial<MonteCarloOptions> = {}) =>
    monteCarlo(file, { runs: 12, workers: 1, untilSeconds: 1, seed: 5, read: ['o.at'], ...options });

  it('takes and gives values in units that stand behind names', async () => {
    const tank = simulation({ name: 'tank', frameSeconds: 0.1 }, (sim) => {
      sim.object('o').component('at', double(2, { units: 'm' }));
    });
    const drawn = await monteCarlo(tank, {
      runs: 1,
      untilSeconds: 0.1,
      seed: 5,
      draw: () => ({ 'o.at[1]{cm}': 250 }),
      read: ['o.at{mm}', 'o.at'],
    });
    expect(drawn.csv()).to.match(
      /^run,seed,o\.at\[1\] \{cm\},time,o\.at\[0\] \{mm\},o\.at\[1\] \{mm\},o\.at\[0\] \{m\},o\.at\[1\] \{m\},error\n0,\d+,250,0\.1,0,2500,0,2\.5,\n$/,
    );
  });

  it('gives the same table on one thread and on two, and another one from another seed', async () => {
    const draw: MonteCarloOptions['draw'] = (random) => ({ 'o.at[0]': random.normal(100, 10) });
    const [one, two, other] = [
      await table({ draw }),
      await table({ draw, workers: 2 }),
      await table({ draw, seed: 6 }),
    ];
    expect(one.csv()).to.equal(two.csv());
    expect(one.csv()).not.to.equal(other.csv());
    const [header, ...lines] = one.csv().trimEnd().split('\n');
    expect(header).to.equal('run,seed,o.at[0],time,o.at[0] at the end,o.at[1],error');
    expect(lines).to.have.length(12);
    expect(new Set(lines).size).to.equal(12);
  });

  it('has rows from which each run can be repeated, also on this thread', async () => {
    const draw: MonteCarloOptions['draw'] = (random, number) => ({ 'o.at[1]': random.integer(0, number) });
    const { rows } = await table({ draw });
    const { default: definition } = await import(file);
    for (const { seed, set, values } of rows.slice(-3)) {
      const again = await run(definition, { untilSeconds: 1, seed, set, read: ['o.at'] });
      expect(again.values).to.deep.equal(values);
    }
    const here = await monteCarlo(definition, { runs: 12, untilSeconds: 1, seed: 5, read: ['o.at'], draw });
    expect(here.rows).to.deep.equal(rows);
  });

  it('reports runs that fail, and goes on with the others', async () => {
    const ways = ['', 'throw', '', 'stop', 'leave', '', 'wait', ''];
    let seen: Progress[] = [];
    const study = (mostSecondsPerRun: number): Promise<MonteCarloTable | undefined> => {
      seen = [];
      return table({
        runs: 8,
        workers: 2,
        draw: (_, number) => ({ 'o.way': ways[number] as string }),
        mostSecondsPerRun,
        progress: (progress) => seen.push(progress),
      }).catch(({ message }: Error) => void expect(message).to.match(/^loading the simulation took longer/));
    };
    // On a slow machine, other runs than the one that waits take long too.
    let mostSeconds = 2;
    let found = await study(mostSeconds);
    while (!found || found.failed > 4) {
      mostSeconds *= 2;
      found = await study(mostSeconds);
    }
    const { rows, failed, csv } = found;
    expect(rows.map(({ error }) => error)).to.deep.equal([
      undefined,
      'job walk failed: fell, over a stone',
      undefined,
      'exit code 4: had enough',
      'the worker has ended by itself with code 5',
      undefined,
      `the run took longer than ${mostSeconds} s`,
      undefined,
    ]);
    expect(failed).to.equal(4);
    expect(csv().split('\n')[2]).to.match(/^1,\d+,throw,,,,"job walk failed: fell, over a stone"$/);
    expect(seen.map(({ done }) => done)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(seen.at(-1)).to.include({ failed: 4, runs: 8, remainingSeconds: 0 });
  });

  it('stops at a signal, with the runs that have ended, on this thread and on workers', async () => {
    const all = (await table({ runs: 40 })).rows;
    for (const workers of [1, 2]) {
      const stop = new AbortController();
      const progress = ({ done }: Progress): void => {
        if (done === 3) stop.abort();
      };
      const { rows, missing, failed } = await table({ runs: 40, workers, progress, signal: stop.signal });
      expect([rows.length, missing, failed]).to.deep.equal([3, 37, 0]);
      for (const row of rows) expect(row).to.deep.equal(all[row.run]);
    }
    const definition = simulation({ name: 'still', frameSeconds: 0.1 }, () => {});
    const stop = new AbortController();
    const progress = (): void => stop.abort();
    const here = await monteCarlo(definition, { runs: 9, untilSeconds: 1, read: [], progress, signal: stop.signal });
    expect([here.rows.length, here.missing]).to.deep.equal([1, 8]);
    const before = await table({ signal: AbortSignal.abort() });
    expect([before.rows.length, before.missing]).to.deep.equal([0, 12]);
  });

  it('does not wait for a run that does not end when it is stopped', async () => {
    const stop = new AbortController();
    const study = table({ runs: 2, draw: () => ({ 'o.way': 'hang' }), signal: stop.signal });
    setTimeout(() => stop.abort(), 300);
    expect((await study).rows).to.deep.equal([]);
  });

  it('refuses what cannot be run, in one sentence', async () => {
    const why = (options: Partial<MonteCarloOptions>, what: Parameters<typeof monteCarlo>[0] = file) =>
      monteCarlo(what, { runs: 2, workers: 1, untilSeconds: 1, read: [], ...options }).catch(
        (error: Error) => error.message,
      );
    expect(await why({ runs: 0 })).to.equal('the number of runs is a whole number from 1 to 1000000, not 0');
    expect(await why({ until: 1 } as object)).to.equal(
      'a Monte Carlo study has no option until; did you mean untilSeconds?',
    );
    expect(await why({ workers: 1.5 })).to.equal('the number of workers is a whole number from 1 to 256, not 1.5');
    for (const seed of [Number.NaN, 1.5, 2 ** 60])
      expect(await why({ seed })).to.equal(`a seed is a whole number, such as 7, not ${seed}`);
    expect(await why({ mostSecondsPerRun: 0 })).to.equal('a run may take a number of seconds above 0, not 0');
    expect(await why({}, join(directory, 'nowhere.mjs'))).to.match(/nowhere.mjs cannot be loaded: Cannot find module/);
    const definition = simulation(
      { name: 'a', frameSeconds: 0.1 },
      (sim) => void sim.object('o').component('x', double()),
    );
    expect(await why({ workers: 2 }, definition)).to.equal(
      'workers load the simulation from its file: give the file instead of the definition',
    );
    const draw = () => {
      throw new Error('no dice');
    };
    expect(await why({ draw })).to.equal('no dice');
    const endless = join(directory, 'endless.mjs');
    writeFileSync(endless, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
    expect(await why({ mostSecondsPerRun: 0.1 }, endless)).to.equal('loading the simulation took longer than 0.1 s');
    const wrong = await table({ runs: 2, read: ['o.nothing'] });
    expect(wrong.rows[0]?.error).to.equal('o has no member nothing');
    const unset = await table({ runs: 2, draw: () => ({ 'o.at': 'there' }) });
    expect(unset.rows[1]?.error).to.include('o.at is a double[2]');
  });
});
