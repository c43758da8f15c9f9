// Blocks of the command language as syntax trees.
import { expect } from 'chai';
import { parseUncached } from './index.js';
import type { Expression, Field, Slice, Statement, Text } from './tree.js';

/** The tree as a short text, so that a test shows structure and nothing else. */
function sketch(node: Expression | Slice | Field | Text | undefined): string {
  switch (node?.kind) {
    case undefined:
      return '';
    case 'integer':
      return typeof node.value === 'bigint' ? `${node.value}n` : `${node.value}`;
    case 'float':
      return `float(${node.value})`;
    case 'boolean':
      return String(node.value);
    case 'none':
      return 'none';
    case 'text':
      return JSON.stringify(node.value);
    case 'bytes':
      return `bytes${JSON.stringify(node.value)}`;
    case 'formatted-text':
      return `f<${node.parts.map(sketch).join(' ')}>`;
    case 'field':
      return `{${sketch(node.value)}!${node.conversion ?? ''}:${node.format}}`;
    case 'name':
      return node.name;
    case 'attribute':
      return `${sketch(node.object)}.${node.name}`;
    case 'subscript':
      return `${sketch(node.object)}[${sketch(node.index)}]`;
    case 'slice':
      return [node.start, node.stop, node.step].map(sketch).join(':');
    case 'call':
      return `${sketch(node.callee)}(${[...node.positional.map(sketch), ...node.keywords.map((k) => `${k.name}=${sketch(k.value)}`)].join(', ')})`;
    case 'list':
      return `[${node.items.map(sketch).join(', ')}]`;
    case 'comprehension':
      return `[${sketch(node.element)}${node.clauses.map((c) => ` for ${sketch(c.target as Expression)} in ${sketch(c.iterable)}${c.conditions.map((i) => ` if ${sketch(i)}`).join('')}`).join('')}]`;
    case 'tuple':
      return `tuple(${node.items.map(sketch).join(', ')})`;
    case 'dictionary':
      return `{${node.entries.map((entry) => `${sketch(entry.key)}: ${sketch(entry.value)}`).join(', ')}}`;
    case 'unary':
      return `(${node.operator} ${sketch(node.operand)})`;
    case 'binary':
      return `(${sketch(node.left)} ${node.operator} ${sketch(node.right)})`;
    case 'comparison':
      return `(${sketch(node.first)}${node.rest.map((r) => ` ${r.operator} ${sketch(r.operand)}`).join('')})`;
    case 'logical':
      return `(${node.operands.map(sketch).join(` ${node.operator} `)})`;
    case 'conditional':
      return `(${sketch(node.test)} ? ${sketch(node.then)} : ${sketch(node.otherwise)})`;
  }
}

function body(text: string): readonly Statement[] {
  const { tree, error } = parseUncached(text);
  if (tree === undefined) throw new Error(`${error.message} at ${error.line}:${error.column}`);
  return tree.body;
}

function expressionSketch(text: string): string {
  const [statement] = body(`${text}\n`);
  if (statement?.kind !== 'expression-statement') throw new Error('not an expression');
  return sketch(statement.value);
}

const kinds = (text: string) => body(text).map((statement) => statement.kind);

describe('Trick command expressions', () => {
  const cases: Record<string, [string, string][]> = {
    'numbers keep their exact value': [
      ['0x1F', '31'],
      ['0b101', '5'],
      ['0o17', '15'],
      ['1_000', '1000'],
      ['9007199254740991', '9007199254740991'],
      ['9007199254740993', '9007199254740993n'],
      ['.5', 'float(0.5)'],
      ['1.', 'float(1)'],
      ['1e-2', 'float(0.01)'],
      ['1.0E-5', 'float(0.00001)'],
      ['1e400', 'float(Infinity)'],
    ],
    'strings resolve their escapes': [
      ['"fx.all.\\x69"', '"fx.all.i"'],
      ["'it''s'", '"its"'],
      ['"""a"b\n"""', '"a\\"b\\n"'],
      ['"\\t\\\\\\\'\\"\\101\\u0041\\U0001F600\\q"', '"\\t\\\\\'\\"AA😀\\\\q"'],
      ['"a\\\nb"', '"ab"'],
      ['r"\\d"', '"\\\\d"'],
      ['u"x" "y"', '"xy"'],
      ['b"a\\xff"', 'bytes"aÿ"'],
      ['Rb"\\x"', 'bytes"\\\\x"'],
    ],
    'f-strings are cut into text and fields': [
      ['f"fx.all.i"', 'f<"fx.all.i">'],
      ['f"a{x}b{y!r}{z:.3f}"', 'f<"a" {x!:} "b" {y!r:} {z!:.3f}>'],
      ['f"{{{x}}}"', 'f<"{" {x!:} "}">'],
      ['f"{a[\'k\'] != (1, 2)}"', 'f<{(a["k"] != tuple(1, 2))!:}>'],
      ['f"{x=}{y=:>3}"', 'f<"x=" {x!r:} "y=" {y!:>3}>'],
      ['"{n}" f"\\x41{n}" "c"', 'f<"{n}" "A" {n!:} "c">'],
      ['rf"\\d{n}"', 'f<"\\\\d" {n!:}>'],
      ['f"{f\'{n}\'}"', 'f<{f<{n!:}>!:}>'],
      ['f"""{\nn\n}"""', 'f<{n!:}>'],
    ],
    'operators bind as in Python': [
      ['1.5 + 2 * 3', '(float(1.5) + (2 * 3))'],
      ['a - b - c', '((a - b) - c)'],
      ['2 ** 3 ** 2', '(2 ** (3 ** 2))'],
      ['-2 ** 2', '(- (2 ** 2))'],
      ['2 ** -1 * 3', '((2 ** (- 1)) * 3)'],
      ['~a << 1 & b ^ c | d', '(((((~ a) << 1) & b) ^ c) | d)'],
      ['a // b % c / d', '(((a // b) % c) / d)'],
      ['(a + b) * c', '((a + b) * c)'],
      ['a < b <= c', '(a < b <= c)'],
      ['(a < b) < c', '((a < b) < c)'],
      ['a not in b', '(a not in b)'],
      ['a is not None', '(a is not none)'],
      ['not a == b', '(not (a == b))'],
      ['a or b and not c or d', '(a or (b and (not c)) or d)'],
      ['1 if a else 2 if b else 3', '(a ? 1 : (b ? 2 : 3))'],
      ['- - a', '(- (- a))'],
    ],
    'attributes, subscripts and calls chain': [
      ['trick . var_exists("a")', 'trick.var_exists("a")'],
      ['trick.var_exists("a",)', 'trick.var_exists("a")'],
      ['f(1, a=2, b=[3],)', 'f(1, a=2, b=[3])'],
      ['mtv_list[0][1].x().y', 'mtv_list[0][1].x().y'],
      ['a[1:2], a[:], a[::2], a[-1]', 'tuple(a[1:2:], a[::], a[::2], a[(- 1)])'],
      ['()', 'tuple()'],
      ['(a,)', 'tuple(a)'],
      ['(a)', 'a'],
      ['[[1, 2], [3]]', '[[1, 2], [3]]'],
      ['{"a": 1, 2: b,}', '{"a": 1, 2: b}'],
      ['True, False, None', 'tuple(true, false, none)'],
      ['assertion, inside, classes, ifs', 'tuple(assertion, inside, classes, ifs)'],
    ],
  };
  for (const [title, pairs] of Object.entries(cases)) {
    it(title, () => {
      for (const [text, expected] of pairs) expect(expressionSketch(text), text).to.equal(expected);
    });
  }
});

describe('Trick command blocks', () => {
  it('hold statements separated by newlines and semicolons', () => {
    expect(kinds('a()\n\n  \n\t\n# note\nb(); c() ;\npass # end\nd()')).to.have.length(5);
    expect(kinds('a()\r\nb()\r\n')).to.have.length(2);
    expect(kinds('')).to.deep.equal([]);
    expect(kinds('   \n')).to.deep.equal([]);
  });

  it('join lines inside brackets and after a backslash', () => {
    expect(kinds('f(\n"a",\n\n  # note\n"b"\n)\n')).to.have.length(1);
    expect(kinds('trick.var_exists \\\n ("fx.all.i")\n')).to.have.length(1);
  });

  it('read assignments with all their targets', () => {
    const [statement] = body('a = b.c[1] = d, e = 5\n');
    if (statement?.kind !== 'assignment') throw new Error('not an assignment');
    expect(statement.targets.map(sketch)).to.deep.equal(['a', 'b.c[1]', 'tuple(d, e)']);
    expect(sketch(statement.value)).to.equal('5');
  });

  it('read every augmented assignment', () => {
    for (const operator of ['+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>'] as const) {
      expect(body(`x ${operator}= 1\n`)[0]).to.include({ kind: 'augmented-assignment', operator });
    }
  });

  it('nest by indentation, of blanks and tabs', () => {
    const [outer, after] = body('if a:\n  while b:\n  \tc()\n  \td()\n  e()\nelif f: g()\nelse:\n  pass\nh()\n');
    if (outer?.kind !== 'if') throw new Error('not an if');
    expect(outer.branches.map((branch) => branch.body.length)).to.deep.equal([2, 1]);
    expect(outer.branches[0]?.body[0]).to.have.nested.property('body.length', 2);
    expect(outer.otherwise).to.deep.equal([{ kind: 'pass', at: 57 }]);
    expect(after?.kind).to.equal('expression-statement');
  });

  it('read one-line suites', () => {
    const [loop] = body('for k in range(3): f(); g()\n');
    expect(loop).to.include({ kind: 'for' });
    expect(loop).to.have.nested.property('target.name', 'k');
    expect(loop).to.have.nested.property('body.length', 2);
  });

  it('read try with its handlers, and del, raise and assert', () => {
    const [first, ...others] = body(
      'try:\n  x\nexcept NameError: y\nexcept (A, B) as e:\n  z\nelse: v\nfinally: w\nraise A(1) from b\nassert a, "b"\ndel c, d[1]\n',
    );
    expect(first).to.include({ kind: 'try' });
    expect(first).to.have.nested.property('handlers.length', 2);
    expect(first).to.have.nested.property('handlers[1].name', 'e');
    expect(first).to.have.nested.property('otherwise.length', 1);
    expect(first).to.have.nested.property('final.length', 1);
    expect(others.map(({ kind }) => kind)).to.deep.equal(['raise', 'assert', 'delete']);
  });

  it('read with and what it enters', () => {
    const [first] = body('with open("a") as f, b: f()\n');
    if (first?.kind !== 'with') throw new Error('no with');
    expect(first.items.map(({ context, name }) => [sketch(context), name])).to.deep.equal([
      ['open("a")', 'f'],
      ['b', undefined],
    ]);
    expect(first.body).to.have.length(1);
  });

  it('read targets of loops and comprehensions', () => {
    const [loop, list, call] = body(
      'for a, (b, c) in d: pass\nx = [a for a, b in c if a if b for d in e]\nf(a for a in b)\n',
    );
    expect(loop).to.have.nested.property('target.items[1].items.length', 2);
    expect(list && 'value' in list && sketch(list.value)).to.equal('[a for tuple(a, b) in c if a if b for d in e]');
    expect(call && 'value' in call && sketch(call.value)).to.equal('f([a for a in b])');
  });

  it('read the frame of a Trick input file', () => {
    const text =
      'from a.b import *\ndef main(x, y=2):\n    global n\n    return x\n\nif __name__ == "__main__":\n    main(1)\n';
    const [, definition, start] = body(text);
    if (definition?.kind !== 'function') throw new Error('not a function');
    expect(definition.parameters.map((p) => [p.name, sketch(p.default)])).to.deep.equal([
      ['x', ''],
      ['y', '2'],
    ]);
    expect(definition.body.map((statement) => statement.kind)).to.deep.equal(['global', 'return']);
    expect(start?.kind).to.equal('if');
  });

  it('read imports', () => {
    expect(body('import a, b.c as d\n')).to.deep.equal([
      {
        kind: 'import',
        at: 0,
        modules: [
          { at: 7, name: 'a', alias: undefined },
          { at: 10, name: 'b.c', alias: 'd' },
        ],
      },
    ]);
    const modules = ['.', '..a', '...a.b', 'a'].map((name) => body(`from ${name} import *\n`)[0]);
    expect(modules.map((one) => (one as { module?: string }).module)).to.deep.equal(['.', '..a', '...a.b', 'a']);
    expect(body('from a import (b as c,\n d,)\n')).to.deep.equal([
      {
        kind: 'from-import',
        at: 0,
        module: 'a',
        names: [
          { at: 15, name: 'b', alias: 'c' },
          { at: 24, name: 'd', alias: undefined },
        ],
      },
    ]);
  });

  it('say where each node starts', () => {
    expect(body('\nx = f"{ a.b }"\n')).to.deep.equal([
      {
        kind: 'assignment',
        at: 1,
        targets: [{ kind: 'name', at: 1, name: 'x' }],
        value: {
          kind: 'formatted-text',
          at: 5,
          parts: [
            {
              kind: 'field',
              at: 7,
              value: { kind: 'attribute', at: 9, object: { kind: 'name', at: 9, name: 'a' }, name: 'b' },
              conversion: undefined,
              format: '',
            },
          ],
        },
      },
    ]);
  });
});
