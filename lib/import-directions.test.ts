// Who may import whom, cycles, file sizes and file names: the rules of docs/architecture.md, checked on the source text.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['lib', 'grammar', 'sims', 'compat-tests'];
const MAX_LINES = 400;
/** Tables, which are as long as what they list. */
const DATA_FILES = new Set(['lib/units/table.ts']);

/** Files of a folder that others may import when its rule says `(interface)`. */
const INTERFACES: Readonly<Record<string, RegExp>> = {
  'lib/source': /^lib\/source\/source\.ts$/,
  'lib/transport': /^lib\/transport\/(connection|http-exchange|http-request|close-reason)\.ts$/,
};
/** What brings bytes in or leaves the process: not for the front-ends. */
const SOCKETS_AND_PROCESSES = /^node:(net|dgram|tls|https?|http2|worker_threads|child_process|cluster)$/;

const FRONT_END = [
  'lib/session',
  'lib/source (interface)',
  'lib/model',
  'lib/frame',
  'lib/units',
  'lib/transport (interface)',
  'node: without sockets',
];

/** What each area may import besides its own files; what is not listed is forbidden. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'grammar/chevrotain.ts': ['chevrotain'],
  'grammar/checkpoint': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/path': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/trick': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/units': ['chevrotain', 'grammar/chevrotain.ts'],
  'lib/model': ['grammar/path', 'fastest-levenshtein'],
  'lib/frame': ['lib/model'],
  'lib/units': ['grammar/units', 'fastest-levenshtein'],
  'lib/executive': ['lib/model', 'lib/frame', 'lib/units', 'grammar/checkpoint', 'node: without sockets'],
  'lib/source': ['lib/model', 'lib/frame', 'lib/executive', 'node: without sockets', 'node:worker_threads'],
  'lib/session': ['lib/model', 'lib/frame', 'lib/units', 'lib/source (interface)', 'node:perf_hooks'],
  'lib/transport': ['node:', 'ws'],
  'lib/trick': [...FRONT_END, 'grammar/trick'],
  'lib/http': [...FRONT_END, 'zod'],
  'lib/brp': [...FRONT_END, 'lib/http', 'zod'],
  'lib/krpc': FRONT_END,
  'lib/client': ['node:', 'binary-parser'],
  'lib/server.ts': ['lib/', 'node:', 'pino'],
  'lib/serve.ts': ['lib/server.ts', 'lib/server-options.ts', 'lib/source', 'node: without sockets'],
  'lib/serve-beside.ts': [
    'lib/model',
    'lib/server-beside.ts',
    'lib/server-options.ts',
    'lib/source',
    'lib/executive',
    'node:worker_threads',
    'node: without sockets',
  ],
  'lib/server-worker.ts': [
    'lib/server.ts',
    'lib/server-beside.ts',
    'lib/server-options.ts',
    'lib/source',
    'node:worker_threads',
  ],
  'lib/server-beside.ts': ['lib/server-options.ts', 'lib/source', 'node:worker_threads'],
  'lib/warm-up.ts': ['lib/model', 'lib/frame', 'lib/session', 'lib/source', 'lib/transport', 'lib/trick', 'node:'],
  'lib/ports.ts': ['lib/server-options.ts', 'lib/transport'],
  'lib/session-log.ts': ['lib/server-options.ts', 'lib/session'],
  'lib/input-file.ts': ['node: without sockets'],
  'lib/send-directory.ts': ['node: without sockets'],
  'lib/server-options.ts': ['lib/session'],
  'lib/version.ts': ['node: without sockets'],
  'lib/index.ts': [
    'lib/server.ts',
    'lib/serve.ts',
    'lib/serve-beside.ts',
    'lib/server-options.ts',
    'lib/version.ts',
    'lib/model',
    'lib/executive',
    'lib/source',
    'lib/client',
  ],
  'lib/cli': ['lib/index.ts', 'lib/client/index.ts', 'node:', 'pino'],
  sims: ['varwire'],
  'compat-tests': [
    'lib/index.ts',
    'lib/client/index.ts',
    'lib/model',
    'lib/source',
    'sims',
    'varwire',
    'node:',
    'ws',
    'playwright-core',
  ],
};
/** Nobody else sees the whole. */
const COMPOSITION: Readonly<Record<string, RegExp>> = {
  'lib/server.ts': /^lib\/(index|serve|server-worker)\.ts$/,
  'lib/index.ts': /^(lib\/cli|sims|compat-tests)\//,
};
/** Programs that make data for their folder. */
const GENERATORS = /^lib\/units\/(generate-table\.ts|oracle\/)/;
const TEST_PACKAGES = ['chai', 'mocha', 'fast-check', 'binary-parser'];
/** A whole simulation on the test's own thread, for the tests of what stands on sources. */
const TEST_SOURCES = ['lib/source/local-source.ts', 'lib/executive/simulation.ts'];
const isTest = (file: string): boolean => /\.(test|bench)\.ts$|\/test-[a-z-]+\.ts$|-stress\.ts$/.test(file);

interface Import {
  readonly line: number;
  readonly specifier: string;
}

const IMPORTS = [
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];

function importsOf(text: string): Import[] {
  const found = IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.map((match) => ({
    line: text.slice(0, match.index + match[0].length).split('\n').length,
    specifier: match[1] as string,
  }));
}

/** `lib/model`, `grammar/path`, `sims`; a file at the top of lib or grammar is an area of its own. */
function areaOf(file: string): string {
  const [top, second] = file.split('/') as [string, string];
  return top === 'lib' || top === 'grammar' ? `${top}/${second.replace(/\.test\.ts$/, '.ts')}` : top;
}

/** The source file that a relative import names, or the package. */
const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts') : specifier;

function permits(rule: string, target: string): boolean {
  if (rule === 'node: without sockets') return target.startsWith('node:') && !SOCKETS_AND_PROCESSES.test(target);
  if (rule === 'node:') return target.startsWith('node:');
  const [area, isInterface] = [rule.replace(' (interface)', ''), rule.endsWith(' (interface)')];
  if (isInterface) return INTERFACES[area]?.test(target) ?? false;
  return target === area || target.startsWith(area.endsWith('/') ? area : `${area}/`);
}

/** The area whose rules hold for a file: a test has those of what it stands beside. */
function rulesFor(file: string): readonly string[] {
  const rules = ALLOWED[areaOf(file)] ?? [];
  if (isTest(file))
    return [...rules, ...TEST_PACKAGES, ...(rules.includes('lib/session') ? TEST_SOURCES : []), 'node:'];
  return GENERATORS.test(file) ? [...rules, 'node:'] : rules;
}

/** Why a file may not import a target; undefined when it may. */
function breach(file: string, target: string): string | undefined {
  const area = areaOf(file);
  const importers = COMPOSITION[target];
  if (importers && !importers.test(file) && !isTest(file)) return `only ${importers.source} may import ${target}`;
  const isOwn = areaOf(target) === area && !target.startsWith('node:');
  if (isOwn || rulesFor(file).some((rule) => permits(rule, target))) return undefined;
  if (!(area in ALLOWED) && !isTest(file)) return `${area} has no import rule`;
  return `${area} may import ${rulesFor(file).join(', ') || 'nothing'}`;
}

function breachesIn(file: string, text: string): string[] {
  return importsOf(text).flatMap(({ line, specifier }) => {
    const reason = breach(file, targetOf(file, specifier));
    return reason ? [`${file}:${line} imports ${specifier}: ${reason}`] : [];
  });
}

/** Files that import each other in a circle, each circle once. */
function cyclesIn(files: ReadonlyMap<string, string>): string[] {
  const targets = new Map(
    [...files].map(([file, text]) => [file, importsOf(text).map(({ specifier }) => targetOf(file, specifier))]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return cycles;
}

function readSources(): Map<string, string> {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const files = names.filter((name) => name.endsWith('.ts')).sort();
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

describe('the source tree', () => {
  const sources = readSources();
  const all = [...sources];

  it('keeps the import directions', () => {
    expect(all.flatMap(([file, text]) => breachesIn(file, text))).to.deep.equal([]);
  });

  it('has no import cycle', () => {
    expect(cyclesIn(sources)).to.deep.equal([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    const long = all.filter(([file, text]) => !DATA_FILES.has(file) && text.split('\n').length - 1 > MAX_LINES);
    expect(long.map(([file, text]) => `${file}: ${text.split('\n').length - 1} lines`)).to.deep.equal([]);
  });

  it('names every file by the thing inside', () => {
    const drawer = /(^|[-./])(utils?|commons?|helpers?|managers?|misc)([-./]|$)/;
    expect(all.map(([file]) => file).filter((file) => drawer.test(file))).to.deep.equal([]);
    expect(all.map(([file]) => file).filter((file) => !/^[a-z0-9./-]+$/.test(file))).to.deep.equal([]);
  });

  it('names no place outside the project', () => {
    const outside = /\/work\/|\.\.\/shared/;
    expect(all.filter(([, text]) => outside.test(text)).map(([file]) => file)).to.deep.equal([]);
  });
});

describe('the import rules', () => {
  const rejected: readonly [file: string, line: string][] = [
    ['lib/model/a.ts', "import { b } from '../frame/b.js';"],
    ['lib/model/a.ts', "import type { Socket } from 'node:net';"],
    ['lib/session/a.ts', "import { b } from '../source/local-source.js';"],
    ['lib/trick/a.ts', "export { b } from '../http/b.js';"],
    ['lib/trick/a.ts', "import { parseUnits } from '../../grammar/units/index.js';"],
    ['lib/http/a.ts', "import net from 'node:net';"],
    ['lib/krpc/a.ts', "import { b } from '../transport/tcp.js';"],
    ['lib/transport/a.ts', "import type { Session } from '../session/session.js';"],
    ['lib/cli/main.ts', "import { serve } from '../server.js';"],
    ['lib/model/a.ts', "import { simulation } from '../index.js';"],
    ['lib/nowhere/a.ts', "import { b } from '../model/b.js';"],
    ['grammar/trick/a.ts', "import { b } from '../path/index.js';"],
    ['sims/ball.ts', "import { simulation } from '../lib/index.js';"],
    ['lib/model/a.ts', `const late = await import(${"'../frame/b.js'"});`],
    ['lib/model/a.ts', "import {\n  one,\n  two,\n} from '../frame/b.js';"],
    ['lib/model/a.ts', "import 'chai';"],
  ];
  for (const [file, line] of rejected) {
    it(`refuse ${line.replaceAll('\n', ' ')} in ${file}`, () => {
      const [found, ...others] = breachesIn(file, `// one line before\n${line}\n`);
      expect(others).to.deep.equal([]);
      expect(found).to.match(new RegExp(`^${file}:${line.split('\n').length + 1} imports `));
    });
  }

  it('let a test import the test packages and a front-end its interfaces', () => {
    expect(breachesIn('lib/model/a.test.ts', "import { expect } from 'chai';")).to.deep.equal([]);
    expect(breachesIn('lib/http/a.ts', "import type { Source } from '../source/source.js';")).to.deep.equal([]);
    expect(breachesIn('lib/brp/a.ts', "import { dispatch } from '../http/dispatch.js';")).to.deep.equal([]);
  });

  it('find a circle of three', () => {
    const circle = new Map([
      ['lib/a.ts', "import './b.js';"],
      ['lib/b.ts', "import type { C } from './c.js';"],
      ['lib/c.ts', "export { a } from './a.js';"],
    ]);
    expect(cyclesIn(circle)).to.deep.equal(['lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts']);
  });
});
