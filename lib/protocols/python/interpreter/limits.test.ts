// A block that asks for too much is stopped.
import { expect } from 'chai';
import { runProgram } from '../../../testing/aids/script-program.js';
import { HeldNames } from './held-names.js';
import { BLOCK_LIMITS, Meter } from './meter.js';
import type { ScriptValue } from './values.js';

/** A clock that goes on by so much each time it is looked at. */
function clockOf(stepMillis: number): () => number {
  let now = 0;
  return () => {
    now += stepMillis;
    return now;
  };
}

/** A tenth of a block's steps is enough to see that each is stopped. */
const STEPS = 200_000;

/** Programs without an end. */
const ENDLESS = [
  'while True: pass',
  'for k in range(10**10): pass',
  'sum(range(10**10))',
  'try:\n  while True: pass\nexcept: print("caught")',
  'try:\n  while True: pass\nfinally: print("last")',
  '[0 for a in range(10**10) if False]',
  'while True:\n  try:\n    while True: pass\n  except RuntimeError: pass',
  'max(range(10**10))',
];

/** Program, and the one sentence it ends with. */
const STOPPED: readonly (readonly [string, RegExp])[] = [
  ['list(range(10**10))', /^(MemoryError|RuntimeError): /],
  ['x = 9 ** 9 ** 9', /^OverflowError: an integer is limited to 4096 bits$/],
  ['x = 1 << 10**9', /^OverflowError: an integer is limited to 4096 bits$/],
  ['x = int("z" * 1000, 36)', /^OverflowError: an integer is limited to 4096 bits$/],
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
  [
    "import sys\nwhile True: sys.stdout.write('x' * 1000)",
    /RuntimeError: the block was stopped after printing 1000000 characters$/,
  ],
  ['def f(): return f()\nf()', /^RecursionError: functions may call each other 50 deep$/],
  ['def f(n): return f(n + 1) + 1\nf(0)', /^RecursionError: functions may call each other 50 deep$/],
  [`x = ${'('.repeat(200)}1${')'.repeat(200)}`, /^SyntaxError: too many nested parentheses/],
  [`x = ${'-'.repeat(100_000)}1`, /^SyntaxError: /],
  [
    "x = 'a' * 100000\ny = 'b' + 'a' * 50000\ny in x",
    /^RuntimeError: texts this long are not searched for each other$/,
  ],
  ['x = [[0] * 90000 for k in range(9999)]', /^MemoryError: a block may make 33554432 bytes/],
  [
    'try:\n  x = [[0] * 90000 for k in range(9999)]\nexcept MemoryError: print("caught")',
    /^MemoryError: a block may make/,
  ],
  ['try:\n  x = "x" * 10**9\nexcept MemoryError as e: print(e)', /^a text is limited to 100000 characters\n$/],
  ['x = []\nwhile True: x.append(0)', /^MemoryError: a list is limited to 100000 items$/],
  ['x = [0]\nwhile True: x.extend(x)', /^MemoryError: a list is limited to 100000 items$/],
  ['x = [0]\nwhile True: x += x', /^MemoryError: a list is limited to 100000 items$/],
  ['x = [0]\nfor k in x: x.append(k)', /^MemoryError: a list is limited to 100000 items$/],
  ['x = []\nx.append(x)\nprint(x)', /^\[\[\.\.\.\]\]\n$/],
  ['[0 for a in range(10**10)]', /^MemoryError: a list is limited to 100000 items$/],
  ["','.join(['x' * 90000] * 9)", /^MemoryError: a text is limited to 100000 characters$/],
  ["('x' * 50000).replace('x', 'yyy')", /^MemoryError: a text is limited to 100000 characters$/],
  ["('a' * 50000).count('a' * 20000 + 'b')", /^RuntimeError: texts this long are not searched for each other$/],
  ["'%1000000d' % 1", /^ValueError: a width is at most 1000/],
  ["'{:1000000}'.format(1)", /^ValueError: a width is at most 1000/],
  ['def f(k): return sorted([2, 1], key=f)\nf(1)', /^RecursionError: functions may call each other 50 deep$/],
  [`x = [0 ${'for k in [0] '.repeat(21)}]`, /^SyntaxError: a comprehension has at most 20 loops$/],
  ["f'{1:100000}'", /^ValueError: a width is at most 1000 and a precision at most 100$/],
  ["f'{1:.100000f}'", /^ValueError: a width is at most 1000/],
  ['t = (1,)\nfor k in range(60): t = (t, t)\n{t: 1}', /^(MemoryError|RuntimeError): /],
  ['t = (1,)\nfor k in range(60): t = (t, t)\nprint(t == t, t < t)', /^(RuntimeError|True)/],
];

/** Two long texts of one length, of which all but the last character is the same; and two that are equal, made apart. */
const TEXTS = "a = 'x' * 99999 + 'y'\nb = 'x' * 99999 + 'z'\nc = 'x' * 99999 + 'y'\n";

/** Programs whose steps cost more the longer their values are; each of them ran to its end for seconds. */
const DEAR: Readonly<Record<string, string>> = {
  'equal long texts': `${TEXTS}[[a] * 100000] * 10 == [[c] * 100000] * 10`,
  'texts that differ at their end': `${TEXTS}b in [a] * 100000`,
  'the largest of long texts': `${TEXTS}max([a, b] * 50000)`,
  'the order of long texts': `${TEXTS}for k in range(5000): a < b`,
  'long keys': `${TEXTS}d = {a: 1}\nfor k in range(5000): c in d`,
  'digits of large integers': 'x = 2 ** 4095\nfor k in range(5000): str(x)',
  'digits of large integers in format': "x = 2 ** 4095\nfor k in range(5000): f'{x:d}'",
  'characters beyond the first plane': "s = '😀' * 40000\nfor k in range(1000): s[1]",
};

/** Programs that compute for long in one call or operator. */
const LONG = [
  'sorted(range(30000))',
  'x = [0] * 90000\nx.count(1)',
  "x = ' a' * 40000\nfor k in range(9): x.split()",
  'y = [k for k in range(30000)]',
  "s = '%d' * 9000\nt = tuple(range(9000))\nfor k in range(3): s % t",
  "s = '{0}' * 9000\nfor k in range(3): s.format(1)",
  'for k in range(9000):\n  try: 1 / 0\n  except: pass',
  'def f(n):\n  try: raise ValueError(n)\n  except:\n    if n: f(n - 1)\n    if n: f(n - 1)\nf(10)',
  'max(range(100000))',
  'sum(range(100000))',
  'list(range(100000))',
  'x = str([0] * 50000)',
  "x = f'{[0] * 30000}'",
  '[1] * 100000 == [1.0] * 100000',
  '[1] * 100000 < [1.0] * 100000',
  '5 in [0] * 100000',
  'x = [[0] * 1000] * 100\ny = str(x)',
  `x = [${Array(300).fill('[0] * 1000').join(', ')}]`,
];

describe('a block whose values are long', () => {
  for (const [what, program] of Object.entries(DEAR)) {
    it(`pays for ${what}`, () => {
      expect(runProgram(`${program}\n`, { limits: { steps: STEPS } }).text).to.match(
        /^(RuntimeError: the block was stopped after 200000 steps|MemoryError: a block may make)/,
      );
    });
  }

  for (const program of LONG) {
    it(`lets others go on in the middle of ${program.slice(0, 60).replaceAll('\n', ' ⏎ ')}`, () => {
      const { waits, error } = runProgram(`${program}\n`, { nowMillis: clockOf(0.1), limits: { millis: 100_000 } });
      expect(error).to.equal(undefined);
      expect(waits.filter((wait) => wait === 'turn').length).to.be.greaterThan(3);
    });
  }

  it('finds a text in a text in a time that goes with their lengths', () => {
    const search = (item: string, text: string) => runProgram(`print(${item} in ${text})\n`).text;
    expect(search("'ab' * 300 + 'c'", "'ab' * 5000")).to.equal('False\n');
    expect(search("'ab' * 300 + 'c'", "'ab' * 5000 + 'c'")).to.equal('True\n');
    expect(search("'aab' * 100 + 'aac'", "'aab' * 3000 + 'aac' + 'x' * 1000")).to.equal('True\n');
    expect(search("''", "'ab' * 5000")).to.equal('True\n');
  });

  it('takes tuples of ten thousand values as keys and no larger ones', () => {
    const large = 't = (1,)\nfor k in range(60): t = (t, t)\nd = {t: 1}\n';
    expect(runProgram(large).text).to.equal('RuntimeError: a key is limited to 10000 values in a tuple');
  });
});

describe('the time of a block', () => {
  /** A meter whose turn took so long, of which the processor worked so long for this process. */
  function meterAfter(passedMillis: number, processorMillis: number): Meter {
    let now = 0;
    let used = 0;
    const meter = new Meter(
      BLOCK_LIMITS,
      () => now,
      () => used,
    );
    meter.look();
    [now, used] = [passedMillis, processorMillis];
    return meter;
  }

  it('counts in full when the processor worked for it', () => {
    expect(() => meterAfter(1000, 1000).look()).to.throw('the block was stopped after 250 ms');
  });

  it('counts each long turn in full after the first one, however late it looks at the clock', () => {
    let now = 0;
    const meter = new Meter(
      BLOCK_LIMITS,
      () => now,
      () => now,
    );
    const turns = (count: number): void => {
      for (let turn = 0; turn < count; turn++) {
        meter.startTurn();
        now += 30;
        meter.look();
        meter.endTurn();
      }
    };
    expect(() => turns(8)).not.to.throw();
    expect(() => turns(2)).to.throw('the block was stopped after 250 ms');
  });

  it('leaves out what the machine did meanwhile', () => {
    expect(() => meterAfter(1000, 20).look()).not.to.throw();
  });
});

describe('the turn of a block', () => {
  it('is over when it has set much of the state, which costs the simulation time', () => {
    const meter = new Meter(BLOCK_LIMITS, () => 0);
    meter.store(1_000_000);
    expect([meter.isTurnOver, meter.allocatedBytes]).to.deep.equal([false, 0]);
    meter.store(100_000);
    expect(meter.isTurnOver).to.equal(true);
    meter.startTurn();
    meter.store(100_000);
    expect(meter.isTurnOver).to.equal(false);
  });
});

describe('a block that asks for too much', () => {
  for (const [program, sentence] of STOPPED) {
    it(`is stopped with one sentence: ${program.slice(0, 60).replaceAll('\n', ' ⏎ ')}`, () => {
      expect(runProgram(`${program}\n`).text).to.match(sentence);
    });
  }
  for (const program of ENDLESS) {
    it(`is stopped when it runs on: ${program.replaceAll('\n', ' ⏎ ')}`, () => {
      const { text } = runProgram(`${program}\n`, { limits: { steps: STEPS } });
      expect(text).to.equal('RuntimeError: the block was stopped after 200000 steps');
    });
  }

  it('is stopped after two million steps', () => {
    expect(runProgram('while True: pass\n').text).to.equal('RuntimeError: the block was stopped after 2000000 steps');
  });

  const FAILING = [
    'while True:\n  try: 1 / 0\n  except: pass\n',
    'def f():\n  try: f()\n  except: f()\n  finally: f()\nf()\n',
  ];
  for (const program of FAILING) {
    it(`is stopped also when it does nothing but fail: ${program.replaceAll('\n', ' ⏎ ')}`, () => {
      const { text, waits } = runProgram(program, { nowMillis: clockOf(3), limits: { steps: 4000, millis: 10_000 } });
      expect(text).to.equal('RuntimeError: the block was stopped after 4000 steps');
      expect(waits.length).to.be.greaterThan(3);
    });
  }

  it('is stopped by time as well as by steps, waiting left out', () => {
    const { text, waits } = runProgram('while True: pass\n', { nowMillis: clockOf(1), limits: { millis: 30 } });
    expect(text).to.equal('RuntimeError: the block was stopped after 30 ms');
    expect(waits).to.include('turn');
  });

  for (const call of ['math.sqrt(4)', 'n = math.sqrt(4)'])
    it(`looks at the clock after four calls, whatever steps they take: ${call}`, () => {
      const { waits } = runProgram(`${call}\n`.repeat(8), { nowMillis: clockOf(1) });
      expect(waits).to.deep.equal(['turn', 'turn']);
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
    runProgram('x = 1\nwhile True: pass\nx = 2\n', { names, limits: { steps: STEPS } });
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

  it('count a text that is in a list many times once, and copy it once', () => {
    const held = new HeldNames(limits.heldBytes);
    const block = (k: number): string => (k === 0 ? 'x = ["some text" * 100] * 1000\n' : `x[${k}] = x[0]\n`);
    expect(runSession(times(500, block), held)).to.equal(0);
    expect(held.bytes).to.be.lessThan(limits.heldBytes);
  });

  const GROWING: Readonly<Record<string, (k: number) => string>> = {
    'many names': (k) => `x${k} = ${k}\n`,
    'many texts': (k) => `x${k} = "${k}" * 100\n`,
    'a growing list': (k) => (k === 0 ? 'x = []\n' : 'x = x + [1.5] * 100\n'),
    'a growing dictionary': (k) => (k === 0 ? 'x = {}\n' : `x["key ${k}"] = ${k}\n`),
    'texts put into a list': (k) => (k === 0 ? 'x = [0] * 2500\n' : `x[${k}] = "${`${k} `.repeat(50)}"\n`),
    'texts put into a dictionary': (k) =>
      k < 100 ? (k === 0 ? 'x = {}\n' : `x[${k}] = 0\n`) : `x[${1 + (k % 99)}] = "${`${k} `.repeat(500)}"\n`,
    'lists in lists': (k) => (k === 0 ? 'x = []\n' : 'x = [x, [0] * 10]\n'),
    functions: (k) => `def f${k}(): return 1\n`,
    'a list that is appended to': (k) => (k === 0 ? 'x = []\n' : 'for k in range(50): x.append([1.5])\n'),
    'lists held by their methods': (k) => `x${k} = ([0] * 100).append\n`,
    exceptions: (k) => `x${k} = ValueError("${k} " * 100)\n`,
    'exceptions that were caught': (k) => `try: {}["${k} " * 100]\nexcept KeyError as e: x${k} = e\n`,
  };
  for (const [what, block] of Object.entries(GROWING)) {
    it(`are forgotten when they hold too much: ${what}`, () => {
      const held = new HeldNames(limits.heldBytes);
      let forgotten = 0;
      for (let k = 0; k < 5000 && forgotten === 0; k++) forgotten = runSession([block(k % 2500)], held);
      expect(forgotten).to.equal(1);
    });
  }
});
