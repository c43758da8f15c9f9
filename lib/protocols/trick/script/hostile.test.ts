// What ends, hangs or empties a real Trick simulation is answered here with a clear error, and nothing else happens.
import { expect } from 'chai';
import { fuzzBlocks, stateOf } from '../../../testing/aids/block-fuzz.js';
import { SEED } from '../../../testing/aids/fuzz-seed.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const HOSTILE: readonly (readonly [block: string, sentence: RegExp])[] = [
  ['trick.var_set("fx.all.str", 5)\n', /fx\.all\.str/],
  ['trick.var_set("fx.all.d3", 4.5)\n', /fx\.all\.d3/],
  ['trick.var_set("fx.all.str", 2.5)\n', /fx\.all\.str/],
  [
    'trick.var_set_copy_mode(2)\ntrick.var_set_frame_multiple(0)\n',
    /var_set_frame_multiple takes a whole number from 1 up, not 0/,
  ],
  ['trick.var_cycle(-1)\n', /var_cycle takes seconds from 0 up, not -1/],
  ['import os; os._exit(3)\n', /AttributeError: module 'os' has no attribute '_exit'/],
  ['import os\nos.system("kill -9 $PPID")\n', /AttributeError: module 'os' has no attribute 'system'/],
  ['from os import system\n', /ImportError: cannot import name 'system' from 'os'/],
  ['import subprocess\n', /ImportError: there is no module subprocess here/],
  ['print(os.environ["PATH"])\n', /KeyError: 'PATH'/],
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
  let client: MemoryConnection;
  let witness: MemoryConnection;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    [client, witness] = [fixture.connect(), fixture.connect()];
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  /** Everything is as it was: the variables, this session and the other one. */
  async function expectNothingHappened(before: string): Promise<void> {
    expect(stateOf(fixture)).to.equal(before);
    expect(client.isClosed).to.equal(false);
    expect(await fixture.ask(client, 'trick.var_exists("fx")\n')).to.equal('1\t1\n');
    expect(await fixture.ask(witness, 'trick.var_send_once("fx.all.i,trick_sys.sched.mode", 2)\n')).to.equal(
      '5\t5\t5\n',
    );
  }

  for (const [block, sentence] of HOSTILE) {
    it(`is answered with a clear error: ${block.trim().replaceAll('\n', ' ⏎ ')}`, async () => {
      const before = stateOf(fixture);
      expect(await fixture.ask(client, block)).to.match(sentence);
      await expectNothingHappened(before);
    });
  }

  it('does no harm as a cycle of 0 with exact copies', async () => {
    const before = stateOf(fixture);
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
    const before = stateOf(fixture);
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
    const before = stateOf(fixture);
    for (let k = 0; k < 20; k++) client.send(Buffer.alloc(100_000, 'x'));
    await settle();
    client.send('\n');
    expect(fixture.log.join('\n')).to.match(/\d+ bytes without a newline were dropped/);
    await expectNothingHappened(before);
  });

  it('does no harm as a datagram without a newline', async () => {
    const before = stateOf(fixture);
    const datagrams = fixture.connect('udp');
    expect(await fixture.ask(datagrams, 'trick.var_exists("fx')).to.equal('');
    expect(await fixture.ask(datagrams, 'trick.var_exists("fx")')).to.equal('1\t1\n');
    await expectNothingHappened(before);
  });

  it('gets the elements of a whole container and nothing beyond them', async () => {
    expect(await fixture.ask(client, 'trick.var_send_once("fx.all.vd")\n')).to.equal('5\t1,2\n');
  });
});

describe('fuzzed blocks', () => {
  it('leave the simulation and the other sessions as they were', async () => {
    await fuzzBlocks(SEED, 3000);
  });
});
