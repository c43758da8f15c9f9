// Programs of the command language print what Python 3.11 prints.
import { expect } from 'chai';
import { type Block, parseBlock } from '../../../grammar/trick/index.js';
import { bareSurroundings, runProgram } from '../../testing/aids/script-program.js';
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
      ...bareSurroundings(new Map(), () => undefined),
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

const firstProgram = (answers as [string, string][]).findIndex(([text]) => text.startsWith('x = 3\n'));
const expressions = new Set((answers as [string, string][]).slice(0, firstProgram).map(([text]) => text));
const isExpression = (text: string): boolean => expressions.has(text);
