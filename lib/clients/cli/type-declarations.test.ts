// Declarations from NASA Trick's own description of the fixture simulation, and from one that means harm.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseSieResource } from '../trick/index.js';
import { typeDeclarations } from './type-declarations.js';

const XML = readFileSync(new URL('../../../../compat-tests/reference/sie.xml', import.meta.url), 'utf8');
const member = (name: string, type: string, extents: readonly number[] = [], units = '--'): string =>
  `<member name="${name}" type="${type}" io_attributes="15" units="${units}">${extents.map((extent) => `<dimension>${extent}</dimension>`).join('')}</member>`;
/** `[n]` stands for any index. */
const pattern = (line: string): string => line.replaceAll('[n]', ['[$', '{number}]'].join(''));
const declared = (members: string, more = ''): string =>
  typeDeclarations(
    parseSieResource(
      `<sie>${more}<class name="A">${members}</class><top_level_object name="a" type="A" units="--"></top_level_object></sie>`,
    ),
    'here',
  ) ?? '';

describe('typeDeclarations', () => {
  it('has scalars, texts, enumerations, arrays, structures and containers of a Trick simulation', () => {
    const text = typeDeclarations(parseSieResource(XML), 'localhost:7000', 'fx.all.');
    for (const line of [
      "readonly 'fx.all.d': number;",
      "readonly 'fx.all.ull': bigint;",
      "readonly 'fx.all.t': boolean;",
      "readonly 'fx.all.str': string;",
      "readonly 'fx.all.name': string;",
      "readonly 'fx.all.d23': readonly number[];",
      '[name: `fx.all.d23[n]`]: readonly number[];',
      '[name: `fx.all.d23[n][n]`]: number;',
      "readonly 'fx.all.vd': readonly number[];",
      '[name: `fx.all.vehicle.sensors[n].reading`]: number;',
      '[name: `fx.all.vehicle.spare[n].reading`]: number;',
      `readonly 'fx.all.phase': Enumeration<"STANDBY" | "ASCENT" | "COAST" | "ENTRY">;`,
    ])
      expect(text).to.include(`${pattern(line)}\n`);
    expect(text).not.to.include("'fx.ball");
    expect(typeDeclarations(parseSieResource(XML), 'localhost:7000', 'fx.al1')).to.equal(undefined);
    expect(text).to.match(/^\/\/ The variables of localhost:7000\..*\nimport type \{ Enumeration \} from/);
  });

  it('knows arrays of one element, and texts of one and two dimensions', () => {
    const text = declared(member('one', 'double', [1]) + member('names', 'char', [2, 8]) + member('c', 'char'));
    expect(text).to.include("readonly 'a.one': readonly number[];");
    expect(text).to.include(pattern("readonly 'a.names': string;\n  readonly [name: `a.names[n]`]: string;"));
    expect(text).to.include("readonly 'a.c': number;");
  });

  it('writes nothing of a server into a program but names, units in comments and labels in quotes', () => {
    const evil = "x': number }; process.exit(); //";
    const text = declared(
      member(evil, 'int') + member('`x`', 'int') + member('y', 'int', [], '*/ process.exit() /*') + member('m', 'M'),
      `<enumeration name="M"><pair label="A | any" value="0"/></enumeration>`,
    );
    expect(text.split('\n').slice(1)).to.deep.equal([
      "import type { Enumeration } from 'varwire/client';",
      '',
      'export type Variables = {',
      '  /** * / process.exit() /* */',
      "  readonly 'a.y': number;",
      `  readonly 'a.m': Enumeration<"A | any">;`,
      '};',
    ]);
  });

  it('ends where a class holds itself', () => {
    expect(declared(member('next', 'A', [0]) + member('x', 'int')).match(/readonly/g)).to.have.length(1);
  });
});
