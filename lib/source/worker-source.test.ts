// A simulation on a thread of its own, seen through its source.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Mode } from '../model/frame/header.js';
import { readVariable } from '../model/state/read.js';
import type { RemoteSource } from './remote-source.js';
import type { SimMessage, Source } from './source.js';
import { startWorkerSource } from './worker-source.js';

const IMPORTS = `
import { simulation } from ${JSON.stringify(new URL('../simulation/executive/simulation.js', import.meta.url).href)};
import { double } from ${JSON.stringify(new URL('../model/state/declare.js', import.meta.url).href)};
`;
/** A simulation that hangs sleeps meanwhile, as the tests of the same moment need the processor. */
const SLEEP = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)';
const ENTRY = new URL('../run/serve/simulation-worker.js', import.meta.url);
const HERE = fileURLToPath(new URL('.', import.meta.url));

describe('a simulation on a thread of its own', () => {
  const directories: string[] = [];
  const sources: RemoteSource[] = [];

  /** Starts a simulation from a file with this text, beside the project's packages or far from them. */
  async function start(text: string, { name = 'sim.mjs', parent = HERE } = {}): Promise<RemoteSource> {
    const directory = mkdtempSync(join(parent, 'simulation-'));
    directories.push(directory);
    const file = join(directory, name);
    writeFileSync(file, IMPORTS + text);
    const source = await startWorkerSource(ENTRY, pathToFileURL(file).href, {
      arguments: ['a', 'b'],
      directory,
      file: name,
      runDirectory: directory,
    });
    sources.push(source);
    return source;
  }

  afterEach(async () => {
    for (const source of sources.splice(0)) await source.close();
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
  });

  const sentence = async (starting: Promise<unknown>): Promise<string> => {
    const error = await starting.then(
      () => new Error('it started'),
      (thrown: Error) => thrown,
    );
    return error.message.replace(/[^\s(]*\/(sim\.m?[jt]s)/g, '$1');
  };

  const said = (source: Source): Promise<SimMessage> => new Promise((resolve) => source.onMessage(resolve));
  const untilFrame = (source: Source, isWanted: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isWanted()) return resolve();
      const stop = source.onFrame(() => {
        if (!isWanted()) return;
        stop();
        resolve();
      });
    });
  const nextFrame = (source: Source): Promise<void> =>
    new Promise((resolve) => {
      const stop = source.onFrame(() => {
        stop();
        resolve();
      });
    });
  const shownValue = (source: Source, path: string): unknown => {
    const variable = source.catalog.find(path);
    return variable && readVariable(variable, source.frame.memory);
  };

  it('runs, and knows its arguments', async () => {
    const source = await start(`
      export default simulation({ name: 'worker', frameSeconds: 0.001 }, async (sim) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        sim.object('o').component('x', double(), sim.arguments.length);
      });`);
    expect([source.info.name, shownValue(source, 'o.x')]).to.deep.equal(['worker', 2]);
    await untilFrame(source, () => source.frame.header.tick >= 20);
  });

  it('is woken by a request long before its next frame', async () => {
    const source = await start(`
      export default simulation({ name: 'slow', frameSeconds: 100 }, (sim) => {
        sim.object('o').component('x', double());
      });`);
    const millisForTwenty = async (): Promise<number> => {
      const started = performance.now();
      for (let i = 1; i <= 20; i++) {
        await source.submit({ kind: 'write', writes: [{ path: 'o.x', value: i }] });
        expect(shownValue(source, 'o.x')).to.equal(i);
      }
      return performance.now() - started;
    };
    // The thread's own wake-ups are 50 ms apart: with them alone, 20 answers would take a second.
    while ((await millisForTwenty()) >= 500);
  });

  it('may be written in TypeScript where tsx is installed', async () => {
    const source = await start(
      `export default simulation({ name: 'typed' as string, frameSeconds: 0.01 }, (sim) => {
        sim.object('o').component('x', double(), 7 satisfies number);
      });`,
      { name: 'sim.ts' },
    );
    expect([source.info.name, shownValue(source, 'o.x')]).to.deep.equal(['typed', 7]);
  });

  it('says what is missing for TypeScript where tsx is not installed', async () => {
    const starting = start('export default 1 as number;', { name: 'sim.ts', parent: tmpdir() });
    expect(await sentence(starting)).to.equal(
      'sim.ts is TypeScript: install the package tsx beside it (npm i tsx), or compile it first',
    );
  });

  it('says where TypeScript does not parse', async () => {
    const starting = start('export default simulation({ name: );', { name: 'sim.ts' });
    expect(await sentence(starting)).to.match(/^sim\.ts cannot be loaded: .*sim\.ts:4:\d+: ERROR: Unexpected "\)"$/);
  });

  const broken: readonly [what: string, text: string, expected: RegExp][] = [
    ['throws when it is imported', "throw new Error('no licence');", /^sim\.mjs cannot be loaded: no licence$/],
    [
      'throws when it is built',
      "export default simulation({ name: 'a', frameSeconds: 0.01 }, () => { throw new Error('no model'); });",
      /^sim\.mjs cannot be built: no model$/,
    ],
    [
      'fails in a timer while it is built',
      "export default simulation({ name: 'a', frameSeconds: 0.01 }, () => new Promise(() => setTimeout(() => { throw new Error('no file'); })));",
      /^sim\.mjs cannot be built: no file$/,
    ],
    [
      'never ends its build',
      "export default simulation({ name: 'a', frameSeconds: 0.01 }, () => new Promise(() => {}));",
      /has ended by itself/,
    ],
  ];
  for (const [what, text, expected] of broken) {
    it(`is refused with one sentence when it ${what}`, async () => {
      expect(await sentence(start(text))).to.match(expected);
    });
  }

  it('is frozen by a promise that nobody handles, and goes on at run', async () => {
    const source = await start(`
      export default simulation({ name: 'promise', frameSeconds: 0.001 }, (sim) => {
        sim.function('fail', () => { Promise.reject(new Error('no network')); });
      });`);
    const message = said(source);
    await source.submit({ kind: 'call', name: 'fail', values: [] });
    expect((await message).text).to.equal('the simulation failed: no network; the simulation is frozen');
    await source.submit({ kind: 'control', control: { action: 'run' } });
    const { tick } = source.frame.header;
    await untilFrame(source, () => source.frame.header.tick > tick + 5);
    expect(source.frame.header.mode).to.equal(Mode.run);
  });

  it('is frozen by what its timers throw', async () => {
    const source = await start(`
      export default simulation({ name: 'timer', frameSeconds: 0.001 }, (sim) => {
        setTimeout(() => { throw new Error('no sensor'); }, 5);
      });`);
    const { text } = await said(source);
    expect(text).to.equal('the simulation failed: no sensor; the simulation is frozen');
    await source.submit({ kind: 'control', control: { action: 'freeze' } });
    expect(source.frame.header.mode).to.equal(Mode.freeze);
  });

  it('has its output shown while it runs and while it is frozen', async () => {
    const heard: string[] = [];
    const write = process.stdout.write;
    const arrived = new Promise<void>((resolve) => {
      process.stdout.write = ((text: string | Uint8Array) => {
        heard.push(String(text));
        if (heard.join('').includes('called')) resolve();
        return true;
      }) as typeof process.stdout.write;
    });
    try {
      const source = await start(`
        export default simulation({ name: 'talker', frameSeconds: 0.001, freezeFrameSeconds: 1000 }, (sim) => {
          sim.job(0.001, () => { console.log('job'); sim.freeze(); });
          sim.function('call', () => console.log('called'));
        });`);
      await untilFrame(source, () => source.frame.header.mode === Mode.freeze);
      await source.submit({ kind: 'call', name: 'call', values: [] });
      await arrived;
    } finally {
      process.stdout.write = write;
    }
    expect(heard.join('')).to.equal('job\ncalled\n');
  });

  it('ends by itself and can be closed before and after', async () => {
    const source = await start(
      "export default simulation({ name: 'short', frameSeconds: 0.001, terminateSeconds: 0.02, startFrozen: true }, () => {});",
    );
    const modes: number[] = [];
    source.onFrame(({ header }) => modes.push(header.mode));
    const ended = new Promise((resolve) => source.onEnd(resolve));
    await source.submit({ kind: 'control', control: { action: 'run' } });
    const reason = await ended;
    expect(reason).to.equal('the simulation has reached its terminate time');
    expect(modes.at(-1)).to.equal(Mode.exit);
    await source.close();
    await source.close();
  });

  it('goes on while a checkpoint is written, and while one is read', async () => {
    const source = await start(`
      import { array, struct } from ${JSON.stringify(new URL('../model/state/declare.js', import.meta.url).href)};
      export default simulation({ name: 'large', frameSeconds: 0.001 }, (sim) => {
        const large = sim.object('large').component('points', array(struct('Point', { x: double() }), 10000));
        for (let i = 0; i < 10000; i++) large[i].x = i + 0.5;
      });
    `);
    const tick = () => source.frame.header.tick;
    const before = tick();
    await source.submit({ kind: 'checkpoint', file: 'large' });
    const saved = tick();
    const saving = saved - before;
    await source.submit({ kind: 'load-checkpoint', file: 'large' });
    const loading = tick() - saved;
    // Both take fifty times as long as a frame.
    expect(
      [saving, loading].every((ticks) => ticks > 10),
      `${saving} and ${loading} frames`,
    ).to.equal(true);
    const refused = await source
      .submit({ kind: 'load-checkpoint', file: 'none' })
      .catch((error: Error) => error.message);
    expect(refused).to.match(/^none cannot be read: there is no such file in the run directory, and no checkpoint in/);
    const names = Array.from({ length: 40 }, (_, index) => `many${index}`);
    const outcomes = await Promise.allSettled(names.map((file) => source.submit({ kind: 'checkpoint', file })));
    const busy = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    expect(busy).to.include('24 checkpoints are being written or read already; ask again later');
    expect(busy.length).to.be.within(1, 16);
    const all = (address: string, count: number) =>
      Array.from({ length: count }, (_, client) => ({ address, session: client % 3 })).map((by, index) =>
        source.submit({ kind: 'checkpoint', file: `${address}_${index}`, by }).then(
          () => 'written',
          (error: Error) => error.message,
        ),
      );
    // 9 of the first client, 4 or 5 of the next, and so on; three quarters at most.
    const [greedy, others] = [all('10.0.0.1', 40), all('10.0.0.2', 3)];
    expect(await Promise.all(others)).to.deep.equal(['written', 'written', 'written']);
    expect((await Promise.all(greedy)).filter((said) => said !== 'written').length).to.be.at.least(40 - 18);
  });

  it('can be closed long after its thread has gone', async () => {
    const source = await start(`
      export default simulation({ name: 'leaver', frameSeconds: 0.001 }, (sim) => { sim.function('leave', () => process.exit(3)); });`);
    const ended = new Promise((resolve) => source.onEnd(resolve));
    const answer = source.submit({ kind: 'call', name: 'leave', values: [] }).catch((error: Error) => error.message);
    expect(await ended).to.equal("the simulation's thread has ended by itself");
    expect(await answer).to.equal("the simulation has ended: the simulation's thread has ended by itself");
    await source.close();
  });

  it('gives the exit code of the job that ended it, and 1 for 0', async () => {
    for (const [code, given] of [
      [0, 1],
      [7, 7],
    ]) {
      const source = await start(`
        export default simulation({ name: 'leaver', frameSeconds: 0.001 }, (sim) => { sim.job(0.001, () => process.exit(${code})); });`);
      expect(await new Promise((resolve) => source.onEnd((_, exitCode) => resolve(exitCode)))).to.equal(given);
      await source.close();
    }
  });

  it('is ended by close when it hangs', async () => {
    const source = await start(`
      export default simulation({ name: 'hang', frameSeconds: 0.001 }, (sim) => { sim.function('hang', () => { for (;;) ${SLEEP}; }); });`);
    const hanging = source.submit({ kind: 'call', name: 'hang', values: [] }).catch((error: Error) => error.message);
    await source.close();
    expect(await hanging).to.equal('the simulation has ended: the server is closing');
  });

  it('ends what waits for it when it does not answer, and drops what it has not begun', async () => {
    const directory = mkdtempSync(join(HERE, 'simulation-'));
    directories.push(directory);
    const released = join(directory, 'released');
    const source = await start(`
      import { existsSync } from 'node:fs';
      export default simulation({ name: 'hang', frameSeconds: 0.001 }, (sim) => {
        sim.object('o').component('x', double());
        sim.function('hang', () => { while (!existsSync(${JSON.stringify(released)})) ${SLEEP}; });
      });`);
    const saidOf = (asked: Promise<unknown>) =>
      asked.then(
        () => 'answered',
        (error: Error) => `${error.name}: ${error.message}`,
      );
    const hanging = saidOf(source.submit({ kind: 'call', name: 'hang', values: [] }));
    const write = saidOf(source.submit({ kind: 'write', writes: [{ path: 'o.x', value: 7 }] }));
    source.setSilence('it is busy');
    expect(await Promise.all([hanging, write])).to.deep.equal(Array(2).fill('NoAnswerError: it is busy'));
    expect(await saidOf(source.submit({ kind: 'look' }))).to.match(/it is busy/);
    source.setSilence(undefined);
    const look = saidOf(source.submit({ kind: 'look' }));
    writeFileSync(released, '');
    expect(await look).to.equal('answered');
    expect(shownValue(source, 'o.x')).to.equal(0);
  });

  it('gives frames with new variables to a reader that was busy meanwhile', async () => {
    const source = await start(`
      export default simulation({ name: 'grower', frameSeconds: 0.0005 }, (sim) => {
        let born = 0;
        sim.job(0.001, () => {
          if (++born <= 40) sim.object('o' + born).component('x', double(100), Array(100).fill(born));
        });
      });`);
    const numbers: number[] = [];
    let misread = 0;
    source.onFrame(({ header, memory }) => {
      numbers.push(header.number);
      for (const { name } of source.catalog.objects.filter((object) => /^o\d/.test(object.name))) {
        const variable = source.catalog.find(`${name}.x[99]`);
        if (!variable || readVariable(variable, memory) !== Number(name.slice(1))) misread++;
      }
    });
    while (!source.catalog.find('o40.x')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);
      await nextFrame(source);
    }
    expect(misread).to.equal(0);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((a, b) => a - b));
  });
});
