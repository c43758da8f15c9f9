// Checks the rules of docs/architecture.md on the source text: imports, cycles, file sizes and file names.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  ALLOWED,
  COMPOSITION,
  GENERATORS,
  INTERFACES,
  LIMITS,
  NODE,
  SOCKETS_AND_PROCESSES,
  TEST_AIDS,
  TEST_PACKAGES,
} from './testing/aids/import-rules.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['lib', 'grammar', 'sims', 'compat-tests'];
const MAX_LINES = 400;
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

/** The area of a file is the innermost that has a rule; without any, its folder. */
function areaOf(file: string): string {
  const own = file.replace(/\.test\.ts$/, '.ts');
  const areas = Object.keys(ALLOWED).filter((area) => own === area || own.startsWith(`${area}/`));
  return areas.sort((one, other) => other.length - one.length)[0] ?? dirname(file);
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

/** The rows of a page's table of rooms: each with the folders in it, and the file that one reads first. */
function roomsOn(page: string): { room: string; folders: string[]; first: string }[] {
  return [...page.matchAll(/^\| `([a-z/-]+)` \|[^|]*\|([^|]*)\| `([a-z./-]+)` \|$/gm)].map(
    ([, room = '', inIt = '', first = '']) => ({
      room,
      folders: [...inIt.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name).sort(),
      first,
    }),
  );
}

/** The names of the folders in a folder, but for empty ones. */
const foldersIn = (folder: string): string[] =>
  [...new Set(namesIn([folder]).map((name) => dirname(name)))]
    .filter((name) => dirname(name) === folder)
    .map((name) => basename(name))
    .sort();

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

  it('has at most nine rooms, of which no two import each other', () => {
    const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');
    const arrows = new Set(
      all.flatMap(([file, text]) =>
        isTest(file) || !/^lib\/(?!testing\/)[^/]+\//.test(file)
          ? []
          : importsOf(text).map(({ specifier }) => `${roomOf(file)} > ${roomOf(targetOf(file, specifier))}`),
      ),
    );
    const pairs = [...arrows].map((arrow) => arrow.split(' > ') as [string, string]);
    expect(pairs.filter(([from, to]) => from !== to && arrows.has(`${to} > ${from}`))).to.deep.equal([]);
    expect(new Set(pairs.map(([from]) => from)).size).to.be.within(2, 9);
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

  it('has every room in the table of docs/architecture.md with the folders in it, and no other', () => {
    const listed = roomsOn(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
    const rooms = FOLDERS.flatMap((folder) =>
      folder === 'lib' ? foldersIn(folder).map((name) => `${folder}/${name}`) : [folder],
    );
    expect(listed.map(({ room }) => room)).to.have.members(rooms);
    for (const { room, folders } of listed) expect(folders, room).to.deep.equal(foldersIn(room));
  });

  it('has the files that docs/architecture.md says to read first', () => {
    const listed = roomsOn(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));
    const missing = listed.map(({ room, first }) => `${room}/${first}`).filter((file) => !sources.has(file));
    expect(missing).to.deep.equal([]);
  });

  it('names no place outside the project', () => {
    const outside = /\/work\/|\.\.\/shared/;
    expect(all.filter(([, text]) => outside.test(text)).map(([file]) => file)).to.deep.equal([]);
  });
});

describe('the import rules', () => {
  const rejected: readonly [file: string, line: string][] = [
    ['lib/model/state/a.ts', "import { b } from '../frame/b.js';"],
    ['lib/model/state/a.ts', "import type { Socket } from 'node:net';"],
    ['lib/serving/session/a.ts', "import { b } from '../../source/worker-source.js';"],
    ['lib/protocols/trick/wire/a.ts', "export { b } from '../../http/b.js';"],
    ['lib/protocols/trick/wire/a.ts', "export { b } from '../session/b.js';"],
    ['lib/protocols/trick/wire/a.ts', "import { parseUnits } from '../../../../grammar/units/index.js';"],
    ['lib/protocols/http/a.ts', "import net from 'node:net';"],
    ['lib/protocols/krpc/a.ts', "import { b } from '../../serving/transport/tcp.js';"],
    ['lib/serving/transport/a.ts', "import type { Session } from '../session/session.js';"],
    ['lib/clients/cli/main.ts', "import { serve } from '../../run/serve/server.js';"],
    ['lib/model/state/a.ts', "import { simulation } from '../../index.js';"],
    ['lib/nowhere/a.ts', "import { b } from '../model/state/b.js';"],
    ['lib/protocols/python/grammar/a.ts', "import { b } from '../../../../grammar/path/index.js';"],
    ['lib/protocols/python/interpreter/a.ts', "import { b } from '../../trick/wire/b.js';"],
    ['lib/protocols/python/interpreter/a.ts', "import { b } from '../../../model/state/catalog.js';"],
    ['lib/protocols/trick/script/a.ts', "import { b } from '../../python/interpreter/values.js';"],
    ['sims/ball.ts', "import { simulation } from '../lib/index.js';"],
    ['lib/model/state/a.ts', `const late = await import(${"'../frame/b.js'"});`],
    ['lib/model/state/a.ts', "import {\n  one,\n  two,\n} from '../frame/b.js';"],
    ['lib/model/state/a.ts', "import 'chai';"],
  ];
  for (const [file, line] of rejected) {
    it(`refuse ${line.replaceAll('\n', ' ')} in ${file}`, () => {
      const [found, ...others] = breachesIn(file, `// one line before\n${line}\n`);
      expect(others).to.deep.equal([]);
      expect(found).to.match(new RegExp(`^${file}:${line.split('\n').length + 1} imports `));
    });
  }

  it('let a test import the test packages and a front-end its interfaces', () => {
    expect(breachesIn('lib/model/state/a.test.ts', "import { expect } from 'chai';")).to.deep.equal([]);
    expect(
      breachesIn('lib/protocols/http/a.ts', "import type { Source } from '../../source/source.js';"),
    ).to.deep.equal([]);
    expect(
      breachesIn('lib/protocols/brp/a.ts', "import { Dispatcher } from '../json-rpc/dispatcher.js';"),
    ).to.deep.equal([]);
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
