// A Trick session from its first byte to its end.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('a Trick session', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const ask = (text: string): Promise<string> => fixture.ask(client, text);

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  it('answers in the order of its commands, whatever they have to wait for', async () => {
    const block =
      'trick.var_exists("fx")\nfx.all.d = 9\ntrick.var_send_once("fx.all.d")\ntrick.var_send_list_size()\n' +
      'x = trick.add_up(1, 2)\ntrick.var_set("fx.all.i", x)\ntrick.var_send_once("fx.all.i")\ntrick.var_exists("no")\n';
    expect(await ask(block)).to.equal('1\t1\n5\t9\n3\t0\n5\t3\n1\t0\n');
  });

  it('answers a second block after the first, also when the first has to wait', async () => {
    client.send('fx.all.d = 1\ntrick.var_send_once("fx.all.d")\n');
    client.send('trick.var_exists("fx")\n');
    expect(client.taken()).to.equal('');
    await settle();
    expect(client.taken()).to.equal('5\t1\n1\t1\n');
  });

  it('sends cyclic messages between answers only, and lets a waiting block go on', async () => {
    await ask('trick.var_add("fx.all.i")\ntrick.var_cycle(0.01)\n');
    client.send('fx.all.i = 8\ntrick.var_exists("fx")\ntrick.var_send_once("fx.all.i")\n');
    await fixture.pass(100);
    const lines = client.taken().split('\n').slice(0, -1);
    expect(lines.filter((line) => line === '1\t1')).to.have.length(1);
    expect(lines.filter((line) => line === '5\t8')).to.have.length(1);
    expect(lines.filter((line) => line === '0\t8' || line === '0\t5')).to.have.length(lines.length - 2);
    expect(lines.length).to.be.greaterThan(9);
  });

  it('closes at var_exit and runs nothing after it', async () => {
    expect(await ask('trick.var_exists("fx")\ntrick.var_exit()\nfx.all.i = 99\ntrick.var_exists("fx")\n')).to.equal(
      '1\t1\n',
    );
    expect(client.isClosed).to.equal(true);
    const other = fixture.connect();
    expect(await fixture.ask(other, 'trick.var_send_once("fx.all.i")\n')).to.equal('5\t5\n');
    expect(fixture.frontEnd.sessions.size).to.equal(1);
  });

  it('goes on for a client that sends no more but has asked for cyclic messages', async () => {
    await ask('trick.var_add("fx.all.i")\ntrick.var_cycle(0.1)\n');
    client.finish();
    await fixture.pass(350);
    expect(client.taken()).to.equal('0\t5\n0\t5\n0\t5\n');
    expect(client.isClosed).to.equal(false);
  });

  it('closes once a client that sends no more has all its answers', async () => {
    client.send('fx.all.d = 3\ntrick.var_send_once("fx.all.d")\n');
    client.finish();
    expect(client.isClosed).to.equal(false);
    await settle();
    expect(client.taken()).to.equal('5\t3\n');
    expect(client.isClosed).to.equal(true);
  });

  it('leaves nothing behind when a client is gone, whatever it was doing', async () => {
    await ask('trick.var_sync(2)\ntrick.var_cycle(0.033)\ntrick.var_add("fx.all.i")\n');
    client.send('while True: trick.add_up(1, 2)\n');
    await settle();
    client.leave();
    await settle();
    expect([fixture.registry.size, fixture.registry.feeds.size, fixture.registry.timetable.size]).to.deep.equal([
      0, 0, 0,
    ]);
    expect(fixture.frontEnd.sessions.size).to.equal(0);
  });

  it('reads no further from a client that does not take its answers, and drops its cyclic messages whole', async () => {
    await ask('trick.var_add("fx.all.i")\ntrick.var_cycle(0.01)\n');
    client.isStuck = true;
    client.send('n = "fx.all.str," * 999\n');
    // A block may be stopped for its time before it has said so much.
    for (let turn = 0; turn < 1000 && client.isReading; turn++) {
      if (fixture.registry.turns.waiting === 0) client.send('for k in range(100000):\n  trick.var_send_once(n, 999)\n');
      await settle();
    }
    expect(client.isReading).to.equal(false);
    const pending = client.pendingBytes;
    expect(pending).to.be.within(1024 * 1024, 1024 * 1024 + 8192);
    await fixture.pass(100);
    expect(client.pendingBytes).to.equal(pending);
    expect([...fixture.frontEnd.sessions][0]?.client.outbound.droppedMessages).to.be.greaterThan(5);
    client.taken();
    client.read();
    // A block that was stopped for its time says no more.
    client.send('trick.var_send_once(n, 999)\n');
    await settle();
    // The latest of the cyclic messages is kept for it.
    expect(client.taken()).to.match(/^0\t[^\n]*\n(5(\ttext){999}\n)+$/);
    client.leave();
  });

  it('disconnects a client that takes none of its answers for long, and counts them until then', async () => {
    client.isStuck = true;
    client.send('n = "fx.all.str," * 999\n');
    for (let turn = 0; turn < 1000 && client.pendingBytes < 1024 * 1024; turn++) {
      if (client.isReading) client.send('for k in range(100000):\n  trick.var_send_once(n, 999)\n');
      await settle();
    }
    const { ledger } = fixture.registry;
    expect(ledger.held('unreadBytes')).to.be.within(900_000, 1_100_000);
    await fixture.pass(9_000);
    expect(client.isClosed).to.equal(false);
    await fixture.pass(60_000);
    expect([client.isClosed, ledger.held('unreadBytes')]).to.deep.equal([true, 0]);
    expect(fixture.log.join('\n')).to.match(/was let go: its answers were not taken: \d+ bytes wait/);
  });

  it('runs the blocks of others while one computes', async () => {
    const other = fixture.connect();
    client.send('while True: pass\n');
    expect(fixture.registry.turns.waiting).to.be.above(0);
    expect(await fixture.ask(other, 'trick.var_exists("fx")\n')).to.equal('1\t1\n');
  });

  it('keeps its names from block to block, and from other sessions', async () => {
    const other = fixture.connect();
    await ask('n = "fx.all.i"\ndef f(x): return x + 1\ntrick.var_set_send_stdio(True)\n');
    expect(await ask('trick.var_send_once(n)\nprint(f(1), end="")\n')).to.equal('5\t5\n4 1 1\n24 1 0\n');
    expect(await fixture.ask(other, 'trick.var_set_send_stdio(True)\nn\n')).to.contain(
      "NameError: name 'n' is not defined",
    );
  });

  it('keeps what a block has assigned before var_exit', async () => {
    const other = fixture.connect();
    client.send('fx.all.d = 17\ntrick.var_exit()\nfx.all.d = 18\n');
    await fixture.ask(other, 'trick.var_exists("fx")\n');
    expect(await fixture.ask(other, 'fx.all.i = 5\ntrick.var_send_once("fx.all.d")\n')).to.equal('5\t17\n');
  });

  it('prints whole arrays and containers by their elements', async () => {
    await ask('trick.var_set_send_stdio(True)\nfx.all.d3 = [0.5, 1, 2]\nfx.all.vd = [3]\n');
    expect(await ask('print(fx.all.d3, end="")\n')).to.equal('4 1 11\n[0.5, 1, 2]4 1 0\n');
    expect(await ask('print(str(fx.all.vd), end="")\n')).to.equal('4 1 3\n[3]4 1 0\n');
  });

  it('refuses a block whose bytes are no UTF-8, with one line in the log, and goes on', async () => {
    const sentence = "SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0xe9 in position 32";
    const latin1 = Buffer.from('trick.var_set("fx.all.str", "caf\xe9")\n', 'latin1');
    const before = await ask('trick.var_send_once("fx.all.str")\n');
    client.send(latin1.subarray(0, 34));
    client.send(latin1.subarray(34));
    expect(await ask('trick.var_send_once("fx.all.str")\n')).to.equal(before);
    expect(fixture.log.filter((line) => line.includes(sentence))).to.have.length(1);
    await ask('trick.var_set_send_stdio(True)\n');
    client.send(latin1);
    const { length } = `${sentence}\n`;
    expect(await fixture.answer(client)).to.equal(`4 2 ${length}\n${sentence}\n4 2 0\n`);
    const whole = Buffer.from('trick.var_set("fx.all.str", "café")\ntrick.var_send_once("fx.all.str")\n');
    for (const byte of whole) client.send(Buffer.of(byte));
    expect(await fixture.answer(client)).to.equal('5\tcaf\\xc3\\xa9\n');
  });

  it('takes a datagram as a whole block', async () => {
    const datagrams = fixture.connect('udp');
    expect(await fixture.ask(datagrams, 'trick.var_exists("fx")')).to.equal('1\t1\n');
  });

  it('refuses new sessions while it is disabled', async () => {
    fixture.server.hasClientRules = true;
    await ask('trick.var_server_set_enabled(0)\n');
    expect(fixture.connect().isClosed).to.equal(true);
    await ask('trick.var_server_set_enabled(1)\n');
    expect(fixture.connect().isClosed).to.equal(false);
  });

  it('writes a bounded number of lines to the log', async () => {
    await ask('trick.var_server_session_log_on()\n');
    for (let k = 0; k < 1000; k++) await ask(`nosuch${k}\n`);
    expect(fixture.log.length).to.be.within(100, 210);
    await fixture.pass(1000);
    await ask('nosuch\n');
    expect(fixture.log.join('\n')).to.match(/\d+ more lines were left out/);
  });
});
