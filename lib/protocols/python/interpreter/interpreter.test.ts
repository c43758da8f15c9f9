// Programs of the command language print what Python 3.11 prints.
import { expect } from 'chai';
import { bareHost, runProgram } from '../../../testing/aids/script-program.js';
import { type Block, type Expression, parseBlock } from '../grammar/index.js';
import { Interpreter } from './interpreter.js';
import { BLOCK_LIMITS, Meter } from './meter.js';
import answers from './oracle/python-answers.json' with { type: 'json' };
import type { ModuleValue } from './values.js';

describe('the command language', () => {
  for (const [text, printed] of answers as [string, string][]) {
    it(`prints what Python prints: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
      const program = isExpression(text) ? `print(${text})` : text;
      expect(runProgram(`${program}\n`).text).to.equal(printed);
    });
  }
});

describe('a statement that does nothing', () => {
  it('looks at no module, because loops of it run hundreds of thousands of times', () => {
    let looks = 0;
    const surroundings = {
      ...bareHost(new Map(), () => undefined),
      get importable(): ReadonlyMap<string, ModuleValue> {
        looks++;
        return new Map();
      },
    };
    const run = (text: string): void => {
      const interpreter = new Interpreter(surroundings, new Meter(BLOCK_LIMITS, () => 0));
      for (const running = interpreter.run(parseBlock(text).tree as Block); !running.next().done; );
    };
    run('for k in range(10): pass\n');
    expect(looks).to.equal(0);
    run('import math\n');
    expect(looks).to.equal(1);
  });
});

describe('a call with literals as a statement', () => {
  it('runs without a generator of its own, because clients send thousands of them', () => {
    const interpreter = new Interpreter(
      bareHost(new Map(), () => undefined),
      new Meter(BLOCK_LIMITS, () => 0),
    );
    const begin = Reflect.get(interpreter, 'beginExpression') as (expression: Expression) => unknown;
    const rests: unknown[] = [];
    Reflect.set(interpreter, 'beginExpression', (expression: Expression) => {
      rests.push(begin.call(interpreter, expression));
      return rests.at(-1);
    });
    const { tree } = parseBlock('math.sqrt(4)\nmath.sqrt(4 + 5)\n');
    for (const running = interpreter.run(tree as Block); !running.next().done; );
    expect(rests.map((rest) => rest === undefined)).to.deep.equal([true, false]);
  });
});

const firstProgram = (answers as [string, string][]).findIndex(([text]) => text.startsWith('x = 3\n'));
const expressions = new Set((answers as [string, string][]).slice(0, firstProgram).map(([text]) => text));
const isExpression = (text: string): boolean => expressions.has(text);
