// Checks the rules of docs/architecture.md on the source text: imports, cycles, file sizes and file names.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['lib', 'grammar', 'sims', 'compat-tests'];
const MAX_LINES = 400;
/** Files of a folder that others may import when its rule says `(interface)`. */
const INTERFACES: Readonly<Record<string, RegExp>> = {
  'lib/source': /^lib\/source\/source\.ts$/,
  'lib/transport':
    /^lib\/transport\/(address|close-reason|connection|front-end|http-exchange|http-request|mounted)\.ts$/,
};
/** Front-ends may not import what opens sockets or starts threads and processes. */
const SOCKETS_AND_PROCESSES = /^node:(net|dgram|tls|https?|http2|worker_threads|child_process|cluster)$/;

/** Node's modules, but for those that open sockets. */
const NODE = 'node: without sockets';

/** What is known of a frame. */
const FRAME = ['lib/model', 'lib/frame', 'lib/units'];

/** What is made of samples. */
const SAMPLES = ['lib/history', 'lib/analysis', 'lib/derived'];

const FRONT_END = [
  'lib/network',
  'lib/scheduling',
  'lib/session',
  'lib/source (interface)',
  ...FRAME,
  'lib/transport (interface)',
  'lib/trust',
  NODE,
];

/** Imports nothing, and holds for all. */
const LIMITS = 'lib/bounds';

/** What the command language of Trick is made of. */
const LANGUAGE = ['lib/trick/events', 'lib/trick/wire', 'lib/trick/interpreter', 'lib/trick/monte-carlo'];

/** What each area may import besides its own files; every other import is forbidden. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'grammar/chevrotain.ts': ['chevrotain'],
  'grammar/validity.ts': ['grammar/'],
  'grammar/checkpoint': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/path': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/expression': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/trick': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/units': ['chevrotain', 'grammar/chevrotain.ts'],
  [LIMITS]: [],
  'lib/model': ['grammar/path', 'fastest-levenshtein'],
  'lib/frame': ['lib/model'],
  'lib/units': ['grammar/units', 'fastest-levenshtein'],
  'lib/files': ['lib/model', NODE],
  'lib/checkpoint': ['lib/model', 'lib/files', 'grammar/checkpoint'],
  'lib/recording': ['lib/model', 'lib/files', NODE],
  'lib/integration': ['lib/model'],
  'lib/executive': ['lib/integration', ...FRAME, 'lib/files', 'lib/checkpoint', 'lib/recording', NODE],
  'lib/source': ['lib/model', 'lib/frame', 'lib/executive', NODE, 'node:worker_threads'],
  'lib/scheduling': ['lib/network', 'lib/model', NODE],
  'lib/session': ['lib/derived', 'lib/scheduling', 'lib/network', ...FRAME, 'lib/source (interface)', NODE],
  'lib/network': [],
  'lib/transport': ['lib/network', 'lib/scheduling', 'node:', 'ws'],
  'lib/trust': ['lib/network', 'lib/scheduling', 'lib/transport (interface)', NODE, 'node:net'],
  'lib/history': ['lib/scheduling', 'lib/derived', 'lib/session', 'lib/source (interface)', 'lib/model', 'lib/frame'],
  'lib/analysis': ['lib/scheduling'],
  'lib/derived': ['grammar/expression', 'lib/source (interface)', ...FRAME],
  'lib/json-rpc': ['lib/scheduling', 'lib/session', ...SAMPLES, 'lib/source (interface)', ...FRAME, 'zod', NODE],
  'lib/run-files': [...FRONT_END, 'lib/json-rpc', 'lib/history', 'lib/recording', 'lib/files', 'lib/checkpoint', 'zod'],
  'lib/http': [...FRONT_END, 'lib/json-rpc', 'lib/history', 'zod'],
  'lib/browser': [],
  'lib/page': ['lib/browser', 'preact', '@preact/signals', 'uplot'],
  'lib/page-bundle': ['esbuild', NODE],
  'lib/brp': [...FRONT_END, 'lib/json-rpc', 'zod'],
  'lib/krpc': [...FRONT_END, '@bufbuild/protobuf'],
  'lib/trick/catalog': ['lib/model', 'lib/frame', 'lib/executive'],
  'lib/trick/wire': ['lib/session', 'lib/source (interface)', 'lib/model', 'lib/frame', 'lib/units', 'node:buffer'],
  'lib/trick/interpreter': ['lib/model', 'lib/units', 'grammar/trick'],
  'lib/trick/monte-carlo': ['lib/trick/interpreter', 'lib/units'],
  'lib/trick/events': ['lib/trick/catalog', 'lib/trick/wire', 'lib/trick/interpreter', ...FRONT_END],
  'lib/trick/session': [...LANGUAGE, ...FRONT_END],
  'lib/trick/commands': ['lib/trick/session', 'lib/trick/catalog', ...LANGUAGE, 'grammar/checkpoint', ...FRONT_END],
  'lib/trick/script': ['lib/trick/commands', 'lib/trick/session', ...LANGUAGE, 'grammar/trick', ...FRONT_END],
  'lib/trick/front-end': ['lib/trick', ...FRONT_END],
  'lib/trick/methods': ['lib/trick', 'lib/json-rpc', 'zod', ...FRONT_END],
  'lib/client': ['lib/units/usual-spellings.ts', 'node:', 'binary-parser'],
  'lib/serve': ['lib/', 'node:', 'pino'],
  'lib/errors.ts': [
    'lib/executive',
    'lib/frame',
    'lib/model',
    'lib/scheduling',
    'lib/session',
    'lib/source',
    'lib/transport',
    'lib/units',
  ],
  'lib/index.ts': [
    'lib/errors.ts',
    'lib/serve',
    'lib/model',
    'lib/frame',
    'lib/integration',
    'lib/executive',
    'lib/headless',
    'lib/recording',
    'lib/source',
    'lib/scheduling',
    'lib/session',
    'lib/transport (interface)',
    'lib/trust',
    'lib/client',
  ],
  'lib/headless': [
    'lib/serve/input-here.ts',
    'lib/serve/events-here.ts',
    'lib/executive',
    'lib/integration',
    ...FRAME,
    'lib/session',
    NODE,
    'node:worker_threads',
    'hyparquet-writer',
  ],
  'lib/testing': ['lib/headless', 'lib/executive', 'lib/model'],
  'lib/testing/aids': ['lib/', 'grammar/', 'node:', 'chai', 'mocha', 'fast-check'],
  'lib/cli': [
    'lib/index.ts',
    'lib/client/index.ts',
    'lib/serve/version.ts',
    'lib/serve/server-process.ts',
    'lib/serve/krpc-definitions.ts',
    'lib/transport (interface)',
    'node:',
    'pino',
    'commander',
    'fastest-levenshtein',
  ],
  sims: ['varwire', NODE],
  'compat-tests': [
    'lib/index.ts',
    'lib/client/index.ts',
    'lib/krpc/index.ts',
    'lib/krpc/schema/messages.ts',
    'lib/cli/banner.ts',
    'lib/cli/dispatch.ts',
    'lib/cli/run.ts',
    '@bufbuild/protobuf',
    'lib/model',
    'lib/source',
    'lib/testing',
    'sims',
    'varwire',
    'node:',
    'ws',
    'express',
    'fastify',
    'playwright-core',
    'esbuild',
    'axe-core',
    'typescript-5',
  ],
};

/** Only these files may import from every area. */
const COMPOSITION: Readonly<Record<string, RegExp>> = {
  'lib/serve/server.ts': /^lib\/(index|serve\/.*)\.ts$/,
  'lib/index.ts': /^(lib\/cli|sims|compat-tests)\//,
};
/** Programs that generate data for their folder. */
const GENERATORS = /^lib\/units\/(generate-table\.ts|oracle\/)/;
const TEST_PACKAGES = ['chai', 'mocha', 'fast-check', 'binary-parser'];
/** What tests may use besides: a simulation on the test's thread, a clock, a connection. */
const TEST_AIDS = ['lib/testing', 'lib/model', 'lib/executive/simulation.ts', 'lib/headless'];
const isTest = (file: string): boolean => /\.(test|bench)\.tsx?$/.test(file);

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

/** `lib/model`, `lib/trick/wire`, `grammar/path`, `sims`; a file at the top of lib or grammar is an area of its own. */
function areaOf(file: string): string {
  const [top, second, third] = file.split('/') as [string, string, string];
  if (file.startsWith('lib/testing/aids/')) return 'lib/testing/aids';
  if (top !== 'lib' && top !== 'grammar') return top;
  return top === 'lib' && second === 'trick'
    ? `${top}/${second}/${third}`
    : `${top}/${second.replace(/\.test\.ts$/, '.ts')}`;
}

/** The source file that a relative import names, or the name of the package. */
function targetOf(file: string, specifier: string, files?: ReadonlyMap<string, string>): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');
  return files?.has(`${path}x`) ? `${path}x` : path;
}

function permits(rule: string, target: string): boolean {
  if (rule === NODE) return target.startsWith('node:') && !SOCKETS_AND_PROCESSES.test(target);
  if (rule === 'node:') return target.startsWith('node:');
  const [area, isInterface] = [rule.replace(' (interface)', ''), rule.endsWith(' (interface)')];
  if (isInterface) return INTERFACES[area]?.test(target) ?? false;
  return target === area || target.startsWith(area.endsWith('/') ? area : `${area}/`);
}

/** The rules for a file; a test has the rules of the files beside it. */
function rulesFor(file: string): readonly string[] {
  const rules = ALLOWED[areaOf(file)] ?? [];
  if (isTest(file)) return [...rules, ...TEST_PACKAGES, ...TEST_AIDS, 'node:'];
  return GENERATORS.test(file) ? [...rules, 'node:'] : rules;
}

/** Why a file may not import a target; undefined when it may. */
function breach(file: string, target: string): string | undefined {
  const area = areaOf(file);
  const importers = COMPOSITION[target];
  if (importers && !importers.test(file) && !isTest(file)) return `only ${importers.source} may import ${target}`;
  const isOwn = [area, LIMITS].includes(areaOf(target)) && !target.startsWith('node:');
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

/** Import cycles between files, each cycle once. */
function cyclesIn(files: ReadonlyMap<string, string>): string[] {
  const targets = new Map(
    [...files].map(([file, text]) => [file, importsOf(text).map(({ specifier }) => targetOf(file, specifier, files))]),
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

/** Pairs of folders that import each other, each pair once; those of tests and test aids do not count. */
function pairsIn(files: ReadonlyMap<string, string>): string[] {
  const arrows = new Map<string, string>();
  for (const [file, text] of files) {
    if (isTest(file) || file.startsWith('lib/testing/')) continue;
    for (const { specifier } of importsOf(text)) {
      if (!specifier.startsWith('.')) continue;
      const [from, to] = [dirname(file), dirname(targetOf(file, specifier))];
      if (from !== to) arrows.set(`${from} → ${to}`, file);
    }
  }
  const isReturned = (arrow: string): boolean => arrows.has(arrow.split(' → ').reverse().join(' → '));
  return [...arrows].filter(([arrow]) => isReturned(arrow)).map(([arrow, file]) => `${arrow} (${file})`);
}

/** The paths of all files and folders below some folders. */
const namesIn = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );

function readSources(): Map<string, string> {
  const files = namesIn(FOLDERS)
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/** The folders in the indented list of a page, with their whole paths: two spaces a level. */
function roomsOn(page: string): string[] {
  const trail: string[] = [];
  return [...page.matchAll(/^((?: {2})*)([a-z-]+)\/(?: |$)/gm)].map(([, indent = '', name = '']) => {
    trail.length = indent.length / 2;
    trail.push(name);
    return trail.join('/');
  });
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

  it('has no two folders that import each other', () => {
    expect(pairsIn(sources)).to.deep.equal([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    const long = all.filter(([, text]) => text.split('\n').length - 1 > MAX_LINES);
    expect(long.map(([file, text]) => `${file}: ${text.split('\n').length - 1} lines`)).to.deep.equal([]);
  });

  it('names every file by the thing inside', () => {
    const drawer = /(^|[-./])(utils?|commons?|helpers?|managers?|misc)([-./]|$)/;
    expect(all.map(([file]) => file).filter((file) => drawer.test(file))).to.deep.equal([]);
    expect(all.map(([file]) => file).filter((file) => !/^[a-z0-9./-]+$/.test(file))).to.deep.equal([]);
  });

  it('says in the first line of every file what the file is', () => {
    const isTold = (text: string): boolean => /^(#!.*\n)?\/\/ \S/.test(text);
    const untold = all.filter(([file, text]) => !isTest(file) && !isTold(text));
    expect(untold.map(([file]) => file)).to.deep.equal([]);
  });

  it('has every room in the list of docs/architecture.md, and no other', () => {
    const listed = roomsOn(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
    const folders = new Set(namesIn(FOLDERS).map((name) => dirname(name)));
    const rooms = [...folders].filter((folder) => !/\/(oracle|aids)(\/|$)/.test(folder));
    expect(rooms.filter((room) => !listed.includes(room))).to.deep.equal([]);
    expect(listed.filter((room) => !folders.has(room))).to.deep.equal([]);
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
    ['lib/session/a.ts', "import { b } from '../source/worker-source.js';"],
    ['lib/trick/wire/a.ts', "export { b } from '../../http/b.js';"],
    ['lib/trick/wire/a.ts', "export { b } from '../session/b.js';"],
    ['lib/trick/wire/a.ts', "import { parseUnits } from '../../../grammar/units/index.js';"],
    ['lib/http/a.ts', "import net from 'node:net';"],
    ['lib/krpc/a.ts', "import { b } from '../transport/tcp.js';"],
    ['lib/transport/a.ts', "import type { Session } from '../session/session.js';"],
    ['lib/cli/main.ts', "import { serve } from '../serve/server.js';"],
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
    expect(breachesIn('lib/brp/a.ts', "import { Dispatcher } from '../json-rpc/dispatcher.js';")).to.deep.equal([]);
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
