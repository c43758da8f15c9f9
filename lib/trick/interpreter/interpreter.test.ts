// Programs of the command language print what Python 3.11 prints.
import { expect } from 'chai';
import { runProgram } from '../../testing/aids/script-program.js';
import answers from './oracle/python-answers.json' with { type: 'json' };

describe('the command language', () => {
  for (const [text, printed] of answers as [string, string][]) {
    it(`prints what Python prints: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
      const program = isExpression(text) ? `print(${text})` : text;
      expect(runProgram(`${program}\n`).text).to.equal(printed);
    });
  }
});

const firstProgram = (answers as [string, string][]).findIndex(([text]) => text.startsWith('x = 3\n'));
const expressions = new Set((answers as [string, string][]).slice(0, firstProgram).map(([text]) => text));
const isExpression = (text: string): boolean => expressions.has(text);
