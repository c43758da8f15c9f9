// docs/limits.md and the bounds in the code: each stands in its row with its number.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROWS } from './limit-rows.js';

const PROJECT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, PROJECT), 'utf8');

/** Exported constants that are no bounds of clients, and why. Those of the page bound what one browser shows. */
const INNER: Readonly<Record<string, string>> = {
  'frame/ring MOST_SLOTS': 'frames that the ring has room for; the rows under Delivery say what clients get of them',
  'krpc/schema/varint LONGEST_LENGTH_BYTES': "kRPC's framing has no longer lengths",
  'transport/connection MAX_DATAGRAM_BYTES': 'UDP has no longer datagrams',
  'trick/wire/messages LONGEST_WRITE_BYTES': "Trick's wire has no longer writes",
};
const OF_THE_PAGE = 'page/';

/** Options of `varwire run` that bound nothing. */
const NO_BOUNDS =
  'host no-discovery token-file trick cert host-name cors cycle layout panel send-dir input run-dir brp-generation log verbose';

const UNITS: Readonly<Record<string, readonly number[]>> = {
  KB: [1000, 1024],
  MB: [1e6, 2 ** 20],
  MiB: [2 ** 20],
  GB: [1e9, 2 ** 30],
};

/** The numbers that a text such as `64 MB` may mean. */
function numbersIn(said: string): number[] {
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)/.exec(said) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  return (UNITS[unit] ?? [1]).map((factor) => number * factor);
}

/** The number of a constant, without its unit. */
function boundIn(file: string, name: string, said: string): number {
  const [, text = ''] = new RegExp(`const ${name}(?:: [^=]+)? = ([^;]+);`).exec(read(`lib/${file}.ts`)) ?? [];
  const factors = text.split(/(?<!\*)\*(?!\*)/).map((factor) => {
    const [base = '', power = '1'] = factor.split('**');
    return Number(base.trim().replaceAll('_', '')) ** Number(power);
  });
  const value = factors.reduce((product, factor) => product * factor, 1);
  return name.endsWith('MILLIS') && / s$/.test(said) ? value / 1000 : value;
}

describe('docs/limits.md', () => {
  const rows = read('docs/limits.md').split('\n');

  for (const [start, ...bounds] of ROWS)
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

  it('has a row for each exported bound of the code', () => {
    const listed = new Set(ROWS.flatMap(([, ...bounds]) => bounds.map(([file, name]) => `${file} ${name}`)));
    const unlisted = exportedBounds().filter((bound) => !bound.startsWith(OF_THE_PAGE) && !listed.has(bound));
    expect(unlisted.sort()).to.deep.equal(Object.keys(INNER).sort());
  });

  it('names each option that bounds something', () => {
    const options = [...read('lib/cli/run.ts').matchAll(/^ {2}--([a-z-]+) /gm)].map(([, option]) => option);
    const named = new Set([...read('docs/limits.md').matchAll(/`--([a-z-]+)/g)].map(([, option]) => option));
    expect(options.filter((option) => !named.has(option))).to.deep.equal(NO_BOUNDS.split(' '));
  });
});

/** File and name of each exported constant whose name says that it is a bound. */
function exportedBounds(): string[] {
  const lib = new URL('lib/', PROJECT);
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  return files.flatMap((name) => {
    const found = read(`lib/${name}`).matchAll(/^export const ((?:MAX|MOST|LONGEST|LARGEST|DEEPEST)_?\w*)/gm);
    return [...found].map(([, constant]) => `${name.slice(0, -3)} ${constant}`);
  });
}
