// What ends, hangs or empties a real Trick simulation is answered here with a clear error, and nothing else happens.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { sizeOf } from '../../model/type.js';
import { type FakeConnection, settle, startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';

/** Fewer while developing. */
const FUZZED_BLOCKS = Number(process.env.FUZZED_BLOCKS ?? 100_000);

function bytesOf({ local }: TrickFixture): string {
  const { catalog, frame } = local.source;
  const [component] = catalog.object('fx')?.type.members ?? [];
  if (!component) throw new Error('fx has no component');
  return frame.memory.bytes
    .subarray(component.offsetBytes, component.offsetBytes + sizeOf(component.type))
    .toString('hex');
}

const HOSTILE: readonly (readonly [block: string, sentence: RegExp])[] = [
  ['trick.var_set("fx.all.str", 5)\n', /fx\.all\.str/],
  ['trick.var_set("fx.all.d3", 4.5)\n', /fx\.all\.d3/],
  ['trick.var_set("fx.all.str", 2.5)\n', /fx\.all\.str/],
  [
    'trick.var_set_copy_mode(2)\ntrick.var_set_frame_multiple(0)\n',
    /var_set_frame_multiple takes a whole number from 1 up, not 0/,
  ],
  ['trick.var_cycle(-1)\n', /var_cycle takes seconds from 0 up, not -1/],
  ['import os; os._exit(3)\n', /ImportError: there is no module os here/],
  ['import os\nos.system("kill -9 $PPID")\n', /ImportError: there is no module os here/],
  ['from os import system\n', /ImportError: there is no module os here/],
  ['__import__("os").system("true")\n', /NameError: name '__import__' is not defined/],
  ['eval("1")\n', /NameError: name 'eval' is not defined/],
  ['exec("1")\n', /NameError: name 'exec' is not defined/],
  ['open("/etc/passwd")\n', /NameError: name 'open' is not defined/],
  ['trick.__class__\n', /AttributeError: module 'trick' has no attribute '__class__'/],
  ['trick.constructor("return process")()\n', /AttributeError: module 'trick' has no attribute 'constructor'/],
  ['sys.stdout.constructor\n', /AttributeError: .* has no attribute 'constructor'/],
  ['trick.var_add.constructor\n', /AttributeError: 'function' object has no attribute 'constructor'/],
  ['"".__class__.__mro__\n', /AttributeError: 'str' object has no attribute '__class__'/],
  ['x = {}\nx["__proto__"] = 1\nx["constructor"]\n', /KeyError: 'constructor'/],
  ['print(1, __proto__=2)\n', /TypeError: '__proto__' is an invalid keyword argument/],
  ['fx.all.constructor\n', /AttributeError: .*constructor/],
  ['fx.all.__proto__ = 1\n', /AttributeError: .*__proto__/],
  ['toString()\n', /NameError: name 'toString' is not defined/],
  ['fx.all.i = "text"\n', /TypeError: fx\.all\.i/],
  ['fx.all.phase = "constructor"\n', /TypeError: .*constructor/],
  ['trick.var_set("fx.all.phase", "__proto__")\n', /__proto__/],
  ['trick.send_file("/etc/passwd")\n', /^2\t-1$/m],
  ['trick.send_file("../../../etc/passwd")\n', /^2\t-1$/m],
];

describe('a hostile line', () => {
  let fixture: TrickFixture;
  let client: FakeConnection;
  let witness: FakeConnection;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    [client, witness] = [fixture.connect(), fixture.connect()];
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  /** Everything is as it was: the variables, this session and the other one. */
  async function expectNothingHappened(before: string): Promise<void> {
    expect(bytesOf(fixture)).to.equal(before);
    expect(client.isClosed).to.equal(false);
    expect(await fixture.ask(client, 'trick.var_exists("fx")\n')).to.equal('1\t1\n');
    expect(await fixture.ask(witness, 'trick.var_send_once("fx.all.i,trick_sys.sched.mode", 2)\n')).to.equal(
      '5\t5\t5\n',
    );
  }

  for (const [block, sentence] of HOSTILE) {
    it(`is answered with a clear error: ${block.trim().replaceAll('\n', ' ⏎ ')}`, async () => {
      const before = bytesOf(fixture);
      expect(await fixture.ask(client, block)).to.match(sentence);
      await expectNothingHappened(before);
    });
  }

  it('does no harm as a cycle of 0 with exact copies', async () => {
    const before = bytesOf(fixture);
    await fixture.ask(
      client,
      'trick.var_add("fx.all.i")\ntrick.var_sync(2)\ntrick.var_cycle(0)\ntrick.var_unpause()\n',
    );
    await fixture.pass(100);
    expect(client.taken().split('\n').length).to.be.within(50, 200);
    await fixture.ask(client, 'trick.var_pause()\n');
    await expectNothingHappened(before);
  });

  it('does no harm as a byte-swapped partly indexed array', async () => {
    const before = bytesOf(fixture);
    await fixture.ask(client, 'fx.all.i23 = [[1, 2, 3], [4, 5, 6]]\nfx.all.i23 = [[0, 0, 0], [0, 0, 0]]\n');
    const answer = await fixture.ask(
      client,
      'trick.var_byteswap(True)\ntrick.var_binary()\ntrick.var_send_once("fx.all.i23[1]")\n',
    );
    expect(Buffer.from(answer, 'latin1').subarray(-12).toString('hex')).to.equal('0'.repeat(24));
    await fixture.ask(client, 'trick.var_ascii()\n');
    await expectNothingHappened(before);
  });

  it('does no harm as a command without its newline, however long', async () => {
    const before = bytesOf(fixture);
    for (let k = 0; k < 20; k++) client.send(Buffer.alloc(100_000, 'x'));
    await settle();
    client.send('\n');
    expect(fixture.log.join('\n')).to.match(/\d+ bytes without a newline were dropped/);
    await expectNothingHappened(before);
  });

  it('does no harm as a datagram without a newline', async () => {
    const before = bytesOf(fixture);
    const datagrams = fixture.connect('udp');
    expect(await fixture.ask(datagrams, 'trick.var_exists("fx')).to.equal('');
    expect(await fixture.ask(datagrams, 'trick.var_exists("fx")')).to.equal('1\t1\n');
    await expectNothingHappened(before);
  });

  it('gets the elements of a whole container and nothing beyond them', async () => {
    expect(await fixture.ask(client, 'trick.var_send_once("fx.all.vd")\n')).to.equal('5\t1,2\n');
  });
});

/** Lines that read or change a session only. */
const HARMLESS = [
  'trick.var_add("fx.all.i")',
  'trick.var_add("fx.all.d", "ft")',
  'trick.var_send()',
  'trick.var_send_once("fx.all.i,fx.all.d3", 2)',
  'trick.var_exists("fx.all.vd[1]")',
  'trick.var_cycle(0.1)',
  'trick.var_clear()',
  'trick.var_remove("fx.all.i")',
  'trick.var_units("fx.all.d", "m")',
  'trick.var_binary()',
  'trick.var_ascii()',
  'trick.var_sync(1)',
  'trick.var_get_stl_size("fx.all.vd")',
  'x = [1, 2.5, "a", (3,), {"k": 4}]',
  'for k in range(3): print(k, x[0])',
  'if fx.all.d > 2 and not False: y = -x[1] ** 2 % 7',
  'while False: pass',
  'def f(a, b=2): return a * b',
  'print(f(3), f"{x[1]:8.3f}", len("abc"[1:]), str(None), fx.all.d3)',
  'import math, sys; print(math.sqrt(2)); sys.stdout.write("a\\n")',
];
const JUNK = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '\0',
  '\n',
  '\n  ',
  '\t',
  ';',
  ':',
  ',',
  '.',
  '#',
  '$',
  'é',
  '\u{1f600}',
  '**',
  '//',
  'not',
  'in',
  '9'.repeat(40),
  '1e999',
  '-',
  '@',
  'lambda',
  '"""',
  'f"{',
];

const line = fc.constantFrom(...HARMLESS);
const mutated = fc
  .tuple(
    line,
    line,
    fc.array(fc.tuple(fc.nat(80), fc.nat(6), fc.constantFrom(...JUNK)), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([first, second, changes, isJoined]) => {
    let text = isJoined ? `${first}\n${second}` : first;
    for (const [at, length, junk] of changes) text = text.slice(0, at) + junk + text.slice(at + length);
    return `${text}\n`;
  });
const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => `${Buffer.from(bytes).toString('latin1')}\n`);
const nested = fc
  .tuple(
    fc.constantFrom('(', '[', '{', '-', 'not ', 'f(', 'x[', '{1:', '"a" + (', 'if 1:\n '),
    fc.nat(300),
    fc.nat(300),
  )
  .map(([opening, count, closing]) => `${opening.repeat(count)}1${')'.repeat(closing)}\n`);
const block = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 3, arbitrary: noise },
  { weight: 1, arbitrary: nested },
);

/** A mutation may have become a valid write or a command to the server: those have their own tests. */
const isWrite = (text: string): boolean => /fx[\s\S]*=|exit|var_set|exec|server|=.*fx/.test(text);

describe('fuzzed blocks', () => {
  it(`leave the simulation, the other sessions and memory as they were: ${FUZZED_BLOCKS} of them`, async function () {
    this.timeout(600_000);
    const fixture = await startTrickFixture();
    const [client, witness] = [fixture.connect(), fixture.connect()];
    const before = bytesOf(fixture);
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    const blocks = fc.sample(block, { numRuns: FUZZED_BLOCKS, seed: 7 }).filter((text) => !isWrite(text));
    let used = 0;
    for (const [index, text] of blocks.entries()) {
      client.send(text);
      expect(client.taken(), JSON.stringify(text)).to.not.contain('internal error');
      if (index % 100 !== 99) continue;
      await settle();
      if (index % 1000 === 999) await fixture.ask(client, 'trick.var_clear()\ntrick.var_set_send_stdio(True)\n');
      if (index === Math.min(2999, blocks.length >> 1)) used = usedBytes();
      expect(client.isClosed, `after ${JSON.stringify(text)}`).to.equal(false);
    }
    expect(bytesOf(fixture)).to.equal(before);
    expect(await fixture.ask(witness, 'trick.var_send_once("fx.all.i,trick_sys.sched.mode", 2)\n')).to.equal(
      '5\t5\t5\n',
    );
    fixture.log.length = 0;
    expect(usedBytes() - used).to.be.lessThan(16 * 1024 * 1024);
    client.leave();
    expect(fixture.registry.size).to.equal(1);
    await fixture.close();
  });
});

/** Of the heap after a collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
