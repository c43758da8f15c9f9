// Random programs of the whole language: each ends within its limits, with an error of the language or none.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../testing/aids/run-counts.js';
import { runProgram } from '../../../testing/aids/script-program.js';
import type { ScriptValue } from './values.js';

/** The lines of a statement; those of a body are indented by its owner. */
type Lines = readonly string[];

const METHODS = [
  'append extend insert remove pop index count sort reverse clear copy',
  'format join split splitlines strip lstrip rstrip upper lower replace startswith endswith find isdigit',
  'get keys values items update',
].flatMap((row) => row.split(' '));
const BUILTINS =
  'print len str int float bool abs range round repr list tuple dict min max sum sorted reversed enumerate zip any all map type dir isinstance'.split(
    ' ',
  );
const ERRORS =
  'Exception NameError TypeError ValueError KeyError IndexError ZeroDivisionError MemoryError RecursionError'.split(
    ' ',
  );
const NAMES = ['a', 'b', 'c', 'f', 'g', 'os', 'math'];
const OPERATORS = '+ - * / // % ** == < in and or is << | &'.split(' ');
const LITERALS = [
  '0',
  '1',
  '-3',
  '7.5',
  '10**9',
  '""',
  '"a b"',
  '"%s-%5.2f"',
  '"%(a)s"',
  '"{}{x:>9}"',
  '"x" * 50000',
  '[]',
  '[3, 1, 2]',
  '[0] * 50000',
  '{}',
  '{"a": 1}',
  '(1, "a")',
  'None',
  'True',
  'range(5)',
  'range(10**9)',
  'ValueError("v")',
];

const one = (choices: readonly string[]) => fc.constantFrom(...choices);
const indented = (body: readonly Lines[]): string[] =>
  (body.length === 0 ? [['pass']] : body).flatMap((lines) => lines.map((line) => ` ${line}`));

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const call = (name: string, args: readonly string[]): string => `${name}(${args.join(', ')})`;
  const args = fc.array(inner, { maxLength: 3 });
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      one([...LITERALS, ...NAMES]),
      fc.tuple(inner, one(OPERATORS), inner).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(one(BUILTINS), args).map(([name, given]) => call(name, given)),
      fc.tuple(inner, one(METHODS), args).map(([of, method, given]) => call(`(${of}).${method}`, given)),
      fc.tuple(inner, inner).map(([of, key]) => `(${of})[${key}]`),
      fc.tuple(inner, inner).map(([of, end]) => `(${of})[1:${end}]`),
      fc.tuple(inner, inner, inner).map(([element, over, test]) => `[${element} for a in ${over} if ${test}]`),
      fc.tuple(inner, inner).map(([element, over]) => `sum(${element} for b, c in ${over})`),
      fc.tuple(inner, inner).map(([value, test]) => `(${value} if ${test} else c)`),
      fc.tuple(one(['f', 'g', 'os.path.join', 'math.sqrt']), args).map(([name, given]) => call(name, given)),
      inner.map((value) => `f"{${value.replaceAll(/["\\]/g, "'")}!r}"`),
    ),
  };
});

const { statement } = fc.letrec<{ statement: Lines }>((tie) => {
  const body = fc.array(tie('statement'), { maxLength: 3 });
  const target = one(['a', 'b', 'c', 'a[0]', 'b["k"]', 'a, b', 'c, (a, b)']);
  const header = (head: string, lines: readonly Lines[]): string[] => [head, ...indented(lines)];
  return {
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      expression.map((value) => [value]),
      fc.tuple(target, expression).map(([to, value]) => [`${to} = ${value}`]),
      fc.tuple(one(['a', 'b', 'a[0]']), one(['+=', '%=', '*=']), expression).map((parts) => [parts.join(' ')]),
      fc
        .tuple(expression, body, body)
        .map(([test, then, other]) => [...header(`if ${test}:`, then), ...header('else:', other)]),
      fc.tuple(one(['a', 'b, c']), expression, body).map(([to, over, lines]) => header(`for ${to} in ${over}:`, lines)),
      fc.tuple(expression, body).map(([test, lines]) => header(`while ${test}:`, [...lines, ['if c: break']])),
      fc
        .tuple(body, one(ERRORS), body, body, body)
        .map(([tried, kind, handler, other, last]) => [
          ...header('try:', tried),
          ...header(`except ${kind} as b:`, handler),
          ...header('except:', [...other, ['raise']]),
          ...header('finally:', last),
        ]),
      fc.tuple(body, body).map(([tried, handler]) => [...header('try:', tried), ...header('except:', handler)]),
      fc
        .tuple(one(['f', 'g']), body, expression)
        .map(([name, lines, value]) => header(`def ${name}(a, b=1):`, [['global c'], ...lines, [`return ${value}`]])),
      fc.tuple(one(ERRORS), expression).map(([kind, value]) => [`raise ${kind}(${value})`]),
      expression.map((value) => [`assert ${value}, ${value}`]),
      one(['del a', 'del b[0]', 'del c["k"]', 'import os, math', 'from os.path import join as f']).map((line) => [
        line,
      ]),
    ),
  };
});

const program = fc.array(statement, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.flat().join('\n')}\n`);

const LIMITS = { steps: 20_000, blockBytes: 2 ** 22, output: 100_000 };

describe('a random program', () => {
  it('parses, and ends within its limits in an error of the language or none', () => {
    let ended = 0;
    fc.assert(
      fc.property(program, (text) => {
        const { error, text: shown } = runProgram(text, { limits: LIMITS });
        expect(shown, text).not.to.match(/^(SyntaxError|IndentationError): invalid syntax/);
        expect(shown.length).to.be.below(300_000);
        if (!error) ended++;
      }),
      { numRuns: runs(500) },
    );
    expect(ended).to.be.greaterThan(runs(50));
  });

  it('leaves names with which the next one runs as well', () => {
    fc.assert(
      fc.property(fc.array(program, { minLength: 2, maxLength: 5 }), (blocks) => {
        const names = new Map<string, ScriptValue>();
        for (const text of blocks) runProgram(text, { names, limits: LIMITS });
        expect(runProgram('print(1 + 1)\n', { names: new Map() }).text).to.equal('2\n');
      }),
      { numRuns: runs(200) },
    );
  });
});
