// The fast parser for simple lines gives the same trees as the grammar.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../testing/aids/run-counts.js';
import { parseWithGrammar } from './block-parser.js';
import { atOnce } from './pieces.js';
import { parseSimpleLines } from './simple-lines.js';
import { SyntaxProblem } from './syntax-error.js';

const literal = fc.oneof(
  fc.constantFrom('"fx.all.i"', "'m'", '""', '"""a"""', '"a" "b"', '"\\x41"', 'r"a"', 'f"{a}"'),
  fc.constantFrom('0', '7', '00', '07', '12.5', '1.', '.5', '1e3', '123456789012345', '9007199254740993', '-1', '0x1F'),
  fc.constantFrom('True', 'False', 'None', 'Truer', 'x', '"unfinished', 'k=1', '"é€"', '"a\rb"'),
);
const separator = fc.constantFrom(', ', ',', ' , ', ',  ', ' ', ',,');
const callee = fc.constantFrom(
  'trick.var_add',
  'trick.if',
  'trick .x',
  'trick.x.y',
  'sys.exit',
  'tricks.a',
  ' trick.a',
  'trick',
);
const ending = fc.constantFrom(
  '\n',
  ';\n',
  ' ; \n',
  '\t\n',
  '\r\n',
  ' # note\n',
  ';;\n',
  '',
  '\n\n  \n',
  '; trick.b()\n',
  ' x\n',
);
const line = fc
  .tuple(
    callee,
    fc.array(fc.tuple(literal, separator), { maxLength: 3 }),
    literal,
    fc.constantFrom('', ',', ' '),
    ending,
  )
  .map(([name, list, last, tail, end]) => `${name}(${list.flat().join('')}${last}${tail})${end}`);
const block = fc.array(fc.oneof(line, fc.constantFrom('trick.var_pause()\n', 'trick.var_add("a")\n', '\n')), {
  maxLength: 4,
});

function grammarTree(text: string): unknown {
  try {
    return parseWithGrammar(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

describe('the short way for simple lines', () => {
  it('gives the tree of the grammar or nothing', () => {
    fc.assert(
      fc.property(block, (lines) => {
        const text = lines.join('');
        const tree = atOnce(parseSimpleLines(text));
        if (tree !== undefined) expect(tree).to.deep.equal(grammarTree(text));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('takes the lines that clients send', () => {
    const lines = [
      'trick.var_add("ball.state.output.position[0]", "m")\n',
      "trick.var_exists('a')\n",
      'trick.var_pause()\n\n',
      'trick.var_cycle(0.1) \n',
      'trick.var_set_copy_mode(2);\n',
      'trick.var_byteswap(True)',
    ];
    for (const text of lines) {
      expect(atOnce(parseSimpleLines(text)), text).to.have.nested.property('body.length', 1);
      expect(atOnce(parseSimpleLines(text))).to.deep.equal(grammarTree(text));
    }
  });

  it('leaves everything else to the grammar', () => {
    const others = [
      'x = 1\n',
      'trick.var_add("a" "b")\n',
      'trick.if("a")\n',
      ' trick.a()\n',
      'trick.a("\\x41")\n',
      'trick.a(b)\n',
    ];
    for (const text of others) expect(atOnce(parseSimpleLines(text)), text).to.equal(undefined);
  });
});
