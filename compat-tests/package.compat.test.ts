// The package as npm makes it: what is in it, and what CommonJS gets.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What TypeScript 7 compiles, with every library checked. */
const PROGRAMS = ['program.ts', 'page.ts'];

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const PROGRAM = `
import { run, serve, VERSION } from 'varwire';
import { TrickClient } from 'varwire/client';
import { DOUBLE } from 'varwire/krpc';
import ball from 'varwire/sims/ball';
import { start } from 'varwire/testing';

const { values } = await run(ball, { untilSeconds: 1, read: ['ball.position[1]'] });
const server = await serve(new URL(import.meta.resolve('varwire/sims/ball')), { port: 0, udp: 'off', brp: 'off', discovery: false });
const { port } = server.endpoints.find(({ name }) => name === 'main') ?? server.endpoints[0];
const client = await TrickClient.connect({ port });
const height = await client.get('ball.position[1]');
client.close();
await server.close();
const test = await start(ball);
test.step();
test.close();
console.log(VERSION, typeof DOUBLE, values['ball.position[1]'].toFixed(2), typeof height);
`;

/** What the command does with each line, and its exit code. */
const LINES = `
import { dispatch } from './node_modules/varwire/build/lib/clients/cli/dispatch.js';
for (const line of process.argv.slice(2)) {
  process.exitCode = 0;
  await dispatch(line.split(' '));
  console.log(process.exitCode);
}
`;

describe('the package', () => {
  let made: string;
  let file: string;
  let paths: readonly string[];
  before(() => {
    made = mkdtempSync(join(tmpdir(), 'packed-'));
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', made];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })) as [Packed];
    file = join(made, packed.filename);
    paths = packed.files.map(({ path }) => path);
  });
  after(() => rmSync(made, { recursive: true }));

  it('has what its exports and its command name, and is built before it is packed', () => {
    const { exports, bin, scripts } = JSON.parse(readFileSync(new URL('package.json', `file://${ROOT}`), 'utf8'));
    const named = Object.values(exports as Record<string, string | Record<string, string>>).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    );
    for (const path of [...named, ...Object.values(bin as Record<string, string>)])
      expect(paths).to.include(path.replace('./', '').replace('*', 'ball'));
    expect(paths).to.include.members(['build/sims/ball.js', 'build/lib/page/assets/NOTICES.txt']);
    expect(scripts.prepack).to.equal('npm run build');
  });

  it('has no tests, no aids of tests, and no maps to sources that are not there', () => {
    expect(
      paths.filter((path) => /\.test\.|\.bench\.|\/aids\/|\.map$|^compat-tests|^build\/compat/.test(path)),
    ).to.deep.equal([]);
  });

  it('needs no package that does not run on the oldest Node that it takes', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly engines?: { readonly node?: string } }>;
    };
    const [, major = 0, minor = 0] = /^>=(\d+)\.(\d+)$/.exec(packages['']?.engines?.node ?? '')?.map(Number) ?? [];
    const takes = (range: string): boolean => {
      const [, sign = '', wanted = '', least = 0] = /^(>=|\^)?\s*v?(\d+)(?:\.(\d+))?/.exec(range.trim()) ?? [];
      if (sign === '>=') return Number(wanted) < major || (Number(wanted) === major && Number(least) <= minor);
      return Number(wanted) === major && Number(least) <= minor;
    };
    const others = Object.entries(packages).filter(
      ([, { engines }]) => !(engines?.node ?? '>=0').split('||').some(takes),
    );
    expect(major).to.be.at.least(20);
    expect(others.map(([name]) => name)).to.deep.equal([]);
  });

  it('tells a program of CommonJS in one sentence what to do', () => {
    const { stderr, status } = spawnSync(process.execPath, ['-e', "require('varwire')"], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.include('Error: varwire is made of ES modules: use import, or in CommonJS');
  });

  it('serves a file to a program that is none', () => {
    const program = `import { serve } from '${import.meta.resolve('../lib/index.js')}';
      const server = await serve(${JSON.stringify(join(ROOT, 'build/sims/ball.js'))}, { port: 0, udp: 'off', brp: 'off', discovery: false });
      console.log(await server.get('ball.velocity[0]'));
      await server.close();`;
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect([run.stdout.trim().split('\n').at(-1), run.status]).to.deep.equal(['0', 0]);
  });

  describe('installed in a project', () => {
    let project: string;
    const node = (...args: readonly string[]): string =>
      execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });
    /** Runs command lines in one process, one after the other. Returns what they print; `complaint` is theirs too. */
    const varwire = (...lines: readonly string[]): { readonly output: string; readonly complaint: string } => {
      writeFileSync(join(project, 'lines.js'), LINES);
      const { stdout, stderr } = spawnSync(process.execPath, ['lines.js', ...lines], {
        cwd: project,
        encoding: 'utf8',
      });
      return { output: stdout, complaint: stderr };
    };

    before(() => {
      project = mkdtempSync(join(tmpdir(), 'installed-'));
      const modules = join(project, 'node_modules');
      mkdirSync(modules);
      execFileSync('tar', ['-xzf', file, '-C', modules]);
      renameSync(join(modules, 'package'), join(modules, 'varwire'));
      const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      // What npm would install; nothing else of this project's packages can be found from there.
      for (const name of Object.keys(dependencies)) {
        mkdirSync(dirname(join(modules, name)), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
      }
      writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    });
    after(() => rmSync(project, { recursive: true }));

    it('has entry points that work, and examples that can be imported', () => {
      writeFileSync(join(project, 'program.js'), PROGRAM);
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      expect(node('program.js')).to.equal(`${version} object 5.05 number\n`);
    });

    it('runs every example that the documentation names, by the same words as in a clone', () => {
      const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((page) => `docs/${page}`)];
      const texts = pages.filter((page) => page.endsWith('.md')).map((page) => readFileSync(join(ROOT, page), 'utf8'));
      const named = texts.flatMap((text) =>
        [...text.matchAll(/varwire run ([\w/.-]*sims\/[\w.-]+)/g)].map(([, name = '']) => name),
      );
      expect(named).to.include('sims/ball');
      const names = [...new Set(named)];
      const { output, complaint } = varwire(...names.map((name) => `run ${name} --fast --until 0.1`));
      expect(output, complaint).to.equal(names.map(() => '0\n').join(''));
    });

    it('has declarations that a program, a page and the first file of a stranger compile against', () => {
      for (const name of PROGRAMS) copyFileSync(join(ROOT, 'compat-tests/consumer', name), join(project, name));
      const page = readFileSync(join(ROOT, 'docs/writing-simulations.md'), 'utf8');
      const [, first = '', settings = ''] = /^```ts\n(.*?)^```.*?^```json\n(.*?)^```/ms.exec(page) ?? [];
      writeFileSync(join(project, 'ball.ts'), first);
      writeFileSync(join(project, 'tsconfig.json'), settings);
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      // A stranger's project names no types.
      expect(node(compiler, '--exactOptionalPropertyTypes', '--skipLibCheck', 'false')).to.equal('');
    });

    it('says what to do for a simulation in TypeScript without tsx, and for one that is not there', () => {
      writeFileSync(join(project, 'sim.ts'), 'export default 1;');
      const { output, complaint } = varwire('run sim.ts', 'run sims/nosuch');
      expect(output).to.equal('1\n2\n');
      expect(complaint).to.match(/npm i tsx.*\n.*there is no simulation sims\/nosuch/);
    });
  });
});
