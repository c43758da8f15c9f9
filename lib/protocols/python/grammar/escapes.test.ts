// Escapes of texts and bytes: what they mean, and that many of them take no long step.
import { expect } from 'chai';
import { decodeByteEscapes, decodeEscapes } from './escapes.js';
import { parseUncached } from './index.js';
import { SyntaxProblem } from './syntax-error.js';

const escapes: readonly (readonly [given: string, text: string, bytes: string])[] = [
  ['\\n\\t\\\\\\"\\\'\\a\\b\\f\\r\\v', '\n\t\\"\'\x07\b\f\r\v', '\n\t\\"\'\x07\b\f\r\v'],
  ['\\0\\18\\101\\1011\\777', '\0\x018AA1ǿ', '\0\x018AA1ÿ'],
  ['\\x41\\xFfg', 'Aÿg', 'Aÿg'],
  ['\\u00e9\\ud83d\\U0001F600', 'é\ud83d😀', '\\u00e9\\ud83d\\U0001F600'],
  ['\\q\\😀', '\\q\\😀', '\\q\\😀'],
  ['a\\\nb\\\r\r\nc', 'abc', 'abc'],
  ['\\\rn\\\rx41', '\n\\\rx41', '\n\\\rx41'],
  ['end\\', 'end\\', 'end\\'],
  ['end\\\r\r', 'end\\\r\r', 'end\\\r\r'],
];

function problemOf(decode: (content: string, at: number) => string, content: string): unknown[] {
  try {
    return [decode(content, 100)];
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return [error.message, error.at, error.length];
  }
}

const unicodeError = (where: string) => `(unicode error) 'unicodeescape' codec can't decode bytes in position ${where}`;

/** The shortest time of some runs. */
function millisToParse(text: string): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now();
    parseUncached(text);
    return performance.now() - started;
  });
  return Math.min(...times);
}

describe('the escapes of a literal', () => {
  it('mean what they mean in Python', () => {
    for (const [given, text, bytes] of escapes) {
      expect(decodeEscapes(given, 0), given).to.equal(text);
      expect(decodeByteEscapes(given, 0), given).to.equal(bytes);
    }
  });

  it('are refused where they mean nothing', () => {
    const problems = [
      problemOf(decodeEscapes, 'ab\\u12g'),
      problemOf(decodeEscapes, '\\U00110000'),
      problemOf(decodeEscapes, 'a\\N{DASH}'),
      problemOf(decodeByteEscapes, 'ab\\x1'),
    ];
    expect(problems).to.deep.equal([
      [`${unicodeError('2-5')}: truncated \\uXXXX escape`, 102, 4],
      [`${unicodeError('0-9')}: illegal Unicode character`, 100, 10],
      ['\\N{...} is not part of the command language; write \\uXXXX', 101, 2],
      ['(value error) invalid \\x escape at position 2', 102, 2],
    ]);
  });

  it('take little more time than other characters', () => {
    const plain = millisToParse(`x = "${'a'.repeat(200_000)}\\n"\n`);
    for (const written of ['\\n', '\\q', '\\101', '\\u0041']) {
      const text = `x = "${written.repeat(200_000 / written.length)}"\n`;
      expect(millisToParse(text), written).to.be.below(10 * plain);
    }
  });
});
