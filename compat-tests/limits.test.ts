// docs/limits.md and the bounds in the code: each stands in its row with its number.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FURTHER_ROWS, HOLDING_ROWS } from './further-limit-rows.js';
import { INNER, OF_USERS } from './inner-bounds.js';
import { ROWS } from './limit-rows.js';
import { misshapen } from './limit-tables.js';

const PROJECT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, PROJECT), 'utf8');

/** Options of `varwire run` that bound nothing. */
const NO_BOUNDS =
  'host no-discovery token-file trick cert host-name cors layout panel send-dir input input-dir run-dir brp-generation log verbose';

const UNITS: Readonly<Record<string, readonly number[]>> = {
  KB: [1000, 1024],
  MB: [1e6, 2 ** 20],
  MiB: [2 ** 20],
  GB: [1e9, 2 ** 30],
  TB: [1e12],
  million: [1e6],
  h: [3600],
};

/** The numbers that a text such as `64 MB` may mean. */
function numbersIn(said: string): number[] {
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)/.exec(said) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  return (UNITS[unit] ?? [1]).map((factor) => number * factor);
}

/** What a text such as `64 * 2 ** 20` comes to. */
function productOf(text: string): number {
  const factors = text.split(/(?<!\*)\*(?!\*)/).map((factor) => {
    const [base = '', power = '1'] = factor.split('**');
    return Number(base.trim().replaceAll('_', '')) ** Number(power);
  });
  return factors.reduce((product, factor) => product * factor, 1);
}

/** The number of a constant, without its unit. */
function boundIn(file: string, name: string, said: string): number {
  const [, text = ''] = new RegExp(`const ${name}(?:: [^=]+)? = ([^;]+);`).exec(read(`lib/${file}.ts`)) ?? [];
  const value = productOf(text);
  return name.endsWith('MILLIS') && / s$/.test(said) ? value / 1000 : value;
}

describe('docs/limits.md', () => {
  const rows = read('docs/limits.md').split('\n');
  const all = [...ROWS, ...FURTHER_ROWS];

  for (const [start, ...bounds] of all)
    it(`has the bounds of the code: ${start}`, () => {
      const found = rows.filter((row) => row.startsWith(`| ${start}`));
      expect(found, start).to.not.have.length(0);
      for (const [file, name, said] of bounds) {
        expect(
          found.some((row) => row.includes(said)),
          `${said} in ${found[0]}`,
        ).to.equal(true);
        expect(numbersIn(said), `${name} of ${file}`).to.include(boundIn(file, name, said));
      }
    });

  it('says what clients may hold', () => {
    const bounds = read('lib/scheduling/holdings.ts').matchAll(/^ {2}(\w+): \{ each: (.+), all: (.+) \},$/gm);
    const found = [...bounds].map(([, holding = '', ...texts]) => {
      const said = HOLDING_ROWS[holding] ?? [];
      const naming = rows.filter((row) => row.includes(`varwire_held{what="${holding}"}`));
      expect(
        naming.some((row) => said.every((part) => row.includes(part))),
        `${said} of ${holding}`,
      ).to.equal(true);
      texts.forEach((text, index) => {
        expect(numbersIn(said[index] ?? ''), holding).to.include(productOf(text.replace('MIB', '2 ** 20')));
      });
      return holding;
    });
    expect(found).to.deep.equal(Object.keys(HOLDING_ROWS));
  });

  it('has a row for each bound of the code', () => {
    const listed = new Set(all.flatMap(([, ...bounds]) => bounds.map(([file, name]) => `${file} ${name}`)));
    const unlisted = boundsOfCode().filter(
      (bound) => !OF_USERS.some((start) => bound.startsWith(start)) && !listed.has(bound),
    );
    expect(unlisted.sort()).to.deep.equal(Object.keys(INNER).sort());
  });

  it('has tables whose rows say everything', () => {
    expect(misshapen(rows)).to.deep.equal([]);
  });

  it('names each option that bounds something', () => {
    const options = [...read('lib/cli/run.ts').matchAll(/^ {2}--([a-z-]+) /gm)].map(([, option]) => option);
    const named = new Set([...read('docs/limits.md').matchAll(/`--([a-z-]+)/g)].map(([, option]) => option));
    expect(options.filter((option) => !named.has(option))).to.deep.equal(NO_BOUNDS.split(' '));
  });
});

/** File and name of each constant whose name says that it is a bound. */
function boundsOfCode(): string[] {
  const lib = new URL('lib/', PROJECT);
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  return files.flatMap((name) => {
    const found = read(`lib/${name}`).matchAll(/^(?:export )?const ((?:MAX|MOST|LONGEST|LARGEST|DEEPEST)_?\w*)/gm);
    return [...found].map(([, constant]) => `${name.slice(0, -3)} ${constant}`);
  });
}
