// A block that asks for too much is stopped.
import { expect } from 'chai';
import { runProgram } from '../../testing/aids/script-program.js';
import { HeldNames } from './held-names.js';
import { BLOCK_LIMITS, type Meter } from './meter.js';
import type { ScriptValue } from './values.js';

/** A clock that goes on by so much each time it is looked at. */
function clockOf(stepMillis: number): () => number {
  let now = 0;
  return () => {
    now += stepMillis;
    return now;
  };
}

/** Program, and the one sentence it ends with. */
const STOPPED: readonly (readonly [string, RegExp])[] = [
  ['while True: pass', /^RuntimeError: the block was stopped after 2000000 steps$/],
  ['for k in range(10**10): pass', /^RuntimeError: the block was stopped after 2000000 steps$/],
  ['list(range(10**10))', /^(MemoryError|RuntimeError): /],
  ['sum(range(10**10))', /^RuntimeError: the block was stopped after 2000000 steps$/],
  ['max(range(10**10))', /^RuntimeError: the block was stopped/],
  ['x = 9 ** 9 ** 9', /^OverflowError: an integer is limited to 4096 bits$/],
  ['x = 1 << 10**9', /^OverflowError: an integer is limited to 4096 bits$/],
  ['x = 7\nwhile True: x = x * x', /^OverflowError: an integer is limited to 4096 bits$/],
  ["x = 'x' * 10**9", /^MemoryError: a text is limited to 100000 characters$/],
  ['x = [0] * 10**9', /^MemoryError: a list is limited to 100000 items$/],
  ["x = 'x'\nwhile True: x = x + x", /^MemoryError: a text is limited to 100000 characters$/],
  ['x = [0]\nwhile True: x = x + x', /^MemoryError: a list is limited to 100000 items$/],
  ['x = (0,)\nwhile True: x += x', /^MemoryError: a list is limited to 100000 items$/],
  [
    'd = {}\nn = 0\nwhile True:\n  d[n] = n\n  n += 1',
    /^MemoryError: a (dictionary is limited to 100000 entries|block may make)/,
  ],
  ['x = []\nwhile True: x = [x]', /^(MemoryError|RuntimeError): /],
  ['x = []\nfor k in range(1000): x = [x]\nprint(x)', /^RecursionError: values may lie 100 deep in each other$/],
  ['x = [0] * 1000\nx = [x] * 1000\nx = [x] * 1000\nprint(x)', /^(MemoryError|RuntimeError): /],
  ['x = [0] * 1000\nx = [x] * 1000\ny = [x] * 1000\nx == y', /^TypeError|^$/],
  ['x = [0] * 1000\nx = [x] * 1000\nprint([x, x] == [x, [list(y) for_ in x]])', /^SyntaxError/],
  ['x = [0]\nx[0] = x\ny = [0]\ny[0] = y\nx == y', /^RecursionError: values may lie 100 deep in each other$/],
  ["while True: print('x' * 1000)", /RuntimeError: the block was stopped after printing 1000000 characters$/],
  ["import sys\nwhile True: sys.stdout.write('x' * 1000)", /^x+/],
  ['def f(): return f()\nf()', /^RecursionError: functions may call each other 50 deep$/],
  ['def f(n): return f(n + 1) + 1\nf(0)', /^RecursionError: functions may call each other 50 deep$/],
  [`x = ${'('.repeat(200)}1${')'.repeat(200)}`, /^SyntaxError: too many nested parentheses/],
  [`x = ${'-'.repeat(100_000)}1`, /^SyntaxError: /],
  [
    "x = 'a' * 100000\ny = 'b' + 'a' * 50000\ny in x",
    /^RuntimeError: texts this long are not searched for each other$/,
  ],
  ["f'{1:100000}'", /^ValueError: a width is at most 1000 and a precision at most 100$/],
  ["f'{1:.100000f}'", /^ValueError: a width is at most 1000/],
  ['t = (1,)\nfor k in range(60): t = (t, t)\n{t: 1}', /^(MemoryError|RuntimeError): /],
  ['t = (1,)\nfor k in range(60): t = (t, t)\nprint(t == t, t < t)', /^(RuntimeError|True)/],
];

describe('a block that asks for too much', () => {
  for (const [program, sentence] of STOPPED) {
    it(`is stopped with one sentence: ${program.slice(0, 60).replaceAll('\n', ' ⏎ ')}`, () => {
      expect(runProgram(`${program}\n`).text).to.match(sentence);
    });
  }

  it('is stopped by time as well as by steps, waiting left out', () => {
    const { text, waits } = runProgram('while True: pass\n', { nowMillis: clockOf(1), limits: { millis: 30 } });
    expect(text).to.equal('RuntimeError: the block was stopped after 30 ms');
    expect(waits).to.include('turn');
  });

  it('lets others go on every few milliseconds', () => {
    const { text, waits } = runProgram('n = 0\nfor k in range(10000): n += k\nprint(n)\n', {
      nowMillis: clockOf(1),
      limits: { millis: 10_000 },
    });
    expect(text).to.equal('49995000\n');
    expect(waits.length).to.be.greaterThan(3);
    expect(new Set(waits)).to.deep.equal(new Set(['turn']));
  });

  it('keeps what it did before', () => {
    const names = new Map<string, ScriptValue>();
    runProgram('x = 1\nwhile True: pass\nx = 2\n', { names });
    expect(names.get('x')).to.equal(1n);
  });

  it('says on which line it was', () => {
    expect(runProgram('x = 1\n\nif x:\n  y = [\n    1][5]\n').error?.at).to.equal('x = 1\n\nif x:\n  '.length);
  });
});

describe('the names of a session', () => {
  const limits = { ...BLOCK_LIMITS, heldBytes: 100_000 };

  /** Runs blocks one after another as a session does; the number of those after which all was forgotten. */
  function runSession(blocks: Iterable<string>, held = new HeldNames(limits.heldBytes)): number {
    let forgotten = 0;
    for (const block of blocks) {
      const { allocated } = allocatedBy(block, held.names);
      if (held.settle(allocated, block.length)) forgotten++;
    }
    return forgotten;
  }

  function allocatedBy(block: string, names: Map<string, ScriptValue>) {
    let meter: Meter | undefined;
    const outcome = runProgram(block, { names, seeMeter: (made) => (meter = made) });
    return { outcome, allocated: meter?.allocatedBytes ?? 0 };
  }

  function* times(count: number, block: (k: number) => string): Generator<string> {
    for (let k = 0; k < count; k++) yield block(k);
  }

  it('are kept as long as they hold little', () => {
    const held = new HeldNames(limits.heldBytes);
    const block = (k: number): string => `x = ${k}\ny = [x, "some text of more than a few letters"]\n`;
    expect(runSession(times(2000, block), held)).to.equal(0);
    expect(held.names.get('x')).to.equal(1999n);
  });

  it('keep their values and who shares them when they are counted', () => {
    const held = new HeldNames(limits.heldBytes);
    runSession(
      ['a = ["text", {"k": [1, 2]}]\nb = a\ndef f(): return a\n', ...times(500, (k) => `t = "${k}" * 100\n`)],
      held,
    );
    const { outcome } = allocatedBy('b[1]["k"][0] = 9\nprint(a, f())\n', held.names);
    expect(outcome.text).to.equal("['text', {'k': [9, 2]}] ['text', {'k': [9, 2]}]\n");
  });

  const GROWING: Readonly<Record<string, (k: number) => string>> = {
    'many names': (k) => `x${k} = ${k}\n`,
    'many texts': (k) => `x${k} = "${k}" * 100\n`,
    'a growing list': (k) => (k === 0 ? 'x = []\n' : 'x = x + [1.5] * 100\n'),
    'a growing dictionary': (k) => (k === 0 ? 'x = {}\n' : `x["key ${k}"] = ${k}\n`),
    'lists in lists': (k) => (k === 0 ? 'x = []\n' : 'x = [x, [0] * 10]\n'),
    functions: (k) => `def f${k}(): return 1\n`,
  };
  for (const [what, block] of Object.entries(GROWING)) {
    it(`are forgotten when they hold too much: ${what}`, () => {
      expect(runSession(times(5000, (k) => block(k % 2500)))).to.be.greaterThan(0);
    });
  }
});
