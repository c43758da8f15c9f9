// Runs every example of docs/writing-simulations.md: type-checked, run, its commands on a command line.
// What runs in this process is what the compiler has made: loading TypeScript makes every later import slower.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { loadSimulation, run } from 'varwire';
import { commandHere } from './command-here.js';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/writing-simulations.md'), 'utf8');

/** The blocks of TypeScript by the name of the file in their first line. */
const FILES = new Map(
  [...PAGE.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]),
);
/** The programs, each of which runs and ends. */
const PROGRAMS = ['study.ts', 'bounce.test.ts', 'spread.ts'];
const SEPARATOR = '---';
/** The lines of the shell's blocks, without comments. */
const COMMANDS = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
  text
    .replaceAll(/ +#.*$/gm, '')
    .split('\n')
    .filter(Boolean),
);

/** Compiles the examples into the folder `made`. Returns what the compiler says. */
async function compile(directory: string): Promise<string> {
  const compilerOptions = { outDir: 'made', incremental: false, tsBuildInfoFile: null, rootDir: '.', types: ['node'] };
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { ...compilerOptions, declaration: false, sourceMap: false },
    include: ['*.ts'],
    exclude: [],
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await execute(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory], { cwd: ROOT }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe('docs/writing-simulations.md', () => {
  let directory: string;
  let compilerSaid: string;
  let study: string;
  let spread: string;
  before(async () => {
    // Within the project, so that `varwire` is this one.
    directory = mkdtempSync(join(ROOT, 'build', 'writing-'));
    for (const [name, text] of FILES) writeFileSync(join(directory, name), text);
    compilerSaid = await compile(directory);
    // The compiler leaves the name of the simulation's file as it is.
    writeFileSync(made('spread.ts'), readFileSync(made('spread.ts'), 'utf8').replace('./gusts.ts', './gusts.js'));
    // One process for all of them: starting one is dear.
    const all = join(directory, 'made', 'all.js');
    writeFileSync(
      all,
      PROGRAMS.map((name) => `await import(${JSON.stringify(made(name))}); console.log('${SEPARATOR}');`).join('\n'),
    );
    [study = '', , spread = ''] = (await node([all])).split(`${SEPARATOR}\n`);
  });
  after(() => rmSync(directory, { recursive: true }));

  const node = async (args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(process.execPath, [...args], { cwd: directory });
    return stdout;
  };
  /** Splits a command as a shell does, as far as the page needs it. */
  const words = (command: string): string[] =>
    [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? (plain as string));

  const made = (name: string): string => join(directory, 'made', name.replace(/ts$/, 'js'));
  /** The command in this process, on the simulation as the compiler has made it. */
  const varwire = (command: string) =>
    commandHere(words(command.replace(/\w+\.ts/, 'made/$&').replace('.ts', '.js')).slice(1), {}, directory);

  it('has all its blocks in files with a name', () => {
    expect(FILES.size).to.equal(PAGE.match(/^```ts$/gm)?.length);
    expect([...FILES.keys()]).to.include.members(['ball.ts', 'study.ts', 'bounce.test.ts', 'spread.ts']);
  });

  it('has examples that compile', () => expect(compilerSaid).to.equal(''));

  for (const [name, text] of FILES) {
    if (!text.includes('export default simulation')) continue;
    it(`has a simulation ${name} that runs`, async () => {
      const definition = await loadSimulation(`file://${made(name)}`);
      const { timeSeconds, messages } = await run(definition, { untilSeconds: 30 });
      expect(timeSeconds).to.be.closeTo(30, 0.2);
      expect(messages.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  }

  it('has a ball that falls as it says', async () => {
    const [, fast = ''] = COMMANDS;
    expect(await node([join(ROOT, 'build/lib/clients/cli/main.js'), ...words(fast).slice(1)])).to.match(
      /^ball\.height\t5\.09(5|4999)/,
    );
    expect(PAGE).to.include('`ball.height\t5.095`');
  });

  it('has a ball that bounces and comes to rest', async () => {
    const definition = await loadSimulation(`file://${made('bounce.ts')}`);
    const { values } = await run(definition, {
      untilSeconds: 20,
      read: ['ball.height', 'ball.bounces', 'ball.isAtRest'],
    });
    expect(values['ball.height']).to.be.closeTo(0, 1e-9);
    expect(values['ball.bounces']).to.equal(26);
    expect(values['ball.isAtRest']).to.equal(true);
  });

  it('has a study that runs, and a test that has not failed', () => {
    const [drift = '', rows] = study.split(' ');
    expect([Math.abs(Number(drift) - 80) < 5, rows?.trim()]).to.deep.equal([true, '11']);
  });

  it('has a run from the shell that gives what the study gives', async () => {
    const command = COMMANDS.find((line) => line.includes('--seed 7')) ?? '';
    const { output } = await varwire(command);
    const [drift] = study.split(' ');
    expect(output).to.equal(`air.drift\t${drift}\n`);
  });

  it('has a Monte Carlo that gives one table from a program and from the shell', async () => {
    const command = COMMANDS.find((line) => line.includes('monte-carlo')) ?? '';
    expect((await varwire(command)).code).to.equal(0);
    const table = readFileSync(join(directory, 'spread.csv'), 'utf8');
    expect(table.split('\n')[0]).to.equal('run,seed,air.mean {m/s},time,air.drift {m},error');
    expect(table.trimEnd().split('\n')).to.have.length(21);
    expect(spread).to.equal(`${table}\n`);
  });
});
