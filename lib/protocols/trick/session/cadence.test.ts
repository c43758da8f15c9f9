// Expected values are those measured on Trick with a software frame of 10 ms.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe("a session's cadence", () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;

  /** Fields of the messages since the last call, without indicators. */
  const messages = (): string[] =>
    client
      .taken()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/^0\t/, '').replaceAll('\t', ' '));

  async function begin(atMillis: number, ...commands: string[]): Promise<void> {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await fixture.pass(atMillis);
    const list = ['var_pause()', 'var_add("time")', 'var_add("trick_sys.sched.frame_count")'];
    await fixture.ask(client, [...list, ...commands, 'var_unpause()'].map((command) => `trick.${command}\n`).join(''));
  }
  afterEach(() => fixture.close());

  it('by wall time starts at once after var_unpause and keeps its cycle', async () => {
    await begin(3695, 'var_cycle(0.1)');
    await fixture.pass(215);
    expect(messages()).to.deep.equal(['3.7 {s} 370', '3.8 {s} 380', '3.9 {s} 390']);
  });

  it('by wall time shows the frame before its moment', async () => {
    await begin(4421, 'var_cycle(0.033)');
    await fixture.pass(67);
    expect(messages().map((fields) => fields.split(' ')[0])).to.deep.equal(['4.43', '4.46', '4.49']);
  });

  it('by wall time starts a tenth of a second after a list is no longer empty, also when its cycle is slower', async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_cycle(0.5)\ntrick.var_add("fx.all.i")\n');
    await fixture.pass(99);
    expect(messages()).to.deep.equal([]);
    await fixture.pass(2);
    expect(messages()).to.deep.equal(['5']);
    await fixture.pass(497);
    expect(messages()).to.deep.equal([]);
    await fixture.pass(3);
    expect(messages()).to.deep.equal(['5']);
  });

  it('by wall time waits for a list that is still growing, so that no message shows a part of it', async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    for (const name of ['i', 'j_missing', 'i', 'i']) {
      await fixture.ask(client, `trick.var_add("fx.all.${name}")\n`);
      await fixture.pass(95);
    }
    expect(messages()).to.deep.equal([]);
    await fixture.pass(10);
    expect(messages()).to.deep.equal(['5 BAD_REF 5 5']);
    await fixture.ask(client, 'trick.var_remove("fx.all.j_missing")\n');
    await fixture.pass(100);
    expect(messages()).to.deep.equal(['5 5 5']);
  });

  it('by wall time sends nothing of its own between an addition, an answer and a removal in writes of their own', async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    let shown = '';
    for (const command of ['add("fx.all.i")', 'send()', 'clear()']) {
      shown += await fixture.ask(client, `trick.var_${command}\n`);
      await fixture.pass(95);
    }
    expect(shown + client.taken()).to.equal('0\t5\n');
  });

  it('by wall time begins its cycle however often the list is asked for', async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    let shown = await fixture.ask(client, 'trick.var_add("fx.all.i")\n');
    for (let answer = 0; answer < 8; answer++) {
      shown += await fixture.ask(client, 'trick.var_send()\n');
      await fixture.pass(50);
    }
    expect((shown + client.taken()).match(/^0\t5$/gm)).to.have.length(8 + 4);
  });

  it('by wall time goes on while a list that has been shown changes faster than its cycle', async () => {
    await begin(1000, 'var_cycle(0.1)');
    await fixture.pass(1);
    let shown = '';
    for (let change = 0; change < 10; change++) {
      shown += await fixture.ask(client, 'trick.var_add("fx.all.i")\ntrick.var_remove("fx.all.i")\n');
      await fixture.pass(50);
    }
    expect((shown + client.taken()).match(/^0\t1\.\d* \{s\}\t1\d\d$/gm)).to.have.length(6);
  });

  it('sends a cycle of 0 as fast as the server can', async () => {
    await begin(100, 'var_cycle(0)');
    await fixture.pass(20);
    expect(messages().length).to.be.within(15, 21);
  });

  it('at exact copies meets every multiple of the cycle', async () => {
    await begin(5550, 'var_sync(2)', 'var_cycle(0.1)');
    await fixture.pass(300);
    expect(messages()).to.deep.equal(['5.6 {s} 561', '5.7 {s} 571', '5.8 {s} 581']);
  });

  it('at exact copies meets also multiples between frames', async () => {
    await begin(6320, 'var_sync(2)', 'var_cycle(0.033)');
    await fixture.pass(100);
    expect(messages().map((fields) => fields.split(' ')[0])).to.deep.equal(['6.336', '6.369', '6.402']);
  });

  it("with exact copies and its own sending shows the same times from the session's cycle", async () => {
    await begin(5550, 'var_sync(1)', 'var_cycle(0.1)');
    await fixture.pass(340);
    expect(messages().map((fields) => fields.split(' ')[0])).to.deep.equal(['5.6', '5.7', '5.8']);
  });

  it('at the top of frames takes those of its multiple and offset', async () => {
    await begin(
      8160,
      'var_set_copy_mode(2)',
      'var_set_write_mode(1)',
      'var_set_frame_multiple(7)',
      'var_set_frame_offset(3)',
    );
    await fixture.pass(215);
    expect(messages()).to.deep.equal([
      '8.220000000000001 {s} 822',
      '8.289999999999999 {s} 829',
      '8.359999999999999 {s} 836',
    ]);
  });

  it('goes on by wall time in a freeze, with the time held', async () => {
    await begin(995, 'var_add("trick_sys.sched.mode")', 'var_cycle(0.1)');
    await fixture.ask(client, 'trick.exec_freeze()\n');
    await fixture.pass(50);
    messages();
    await fixture.pass(300);
    expect(messages()).to.deep.equal(['1 {s} 100 1', '1 {s} 100 1', '1 {s} 100 1']);
  });

  it('at exact copies sends in bursts at each freeze frame', async () => {
    await begin(995, 'var_sync(2)', 'var_cycle(0.25)');
    await fixture.ask(client, 'trick.exec_freeze()\n');
    await fixture.pass(990);
    messages();
    await fixture.pass(20);
    expect(messages()).to.deep.equal(Array<string>(4).fill('1 {s} 100'));
    await fixture.pass(970);
    expect(messages()).to.deep.equal([]);
    await fixture.pass(20);
    expect(messages()).to.have.length(4);
  });

  it('at the top of frames takes freeze frames of their own multiple and offset', async () => {
    const picks = ['var_set_freeze_frame_multiple(2)', 'var_set_freeze_frame_offset(1)'];
    await begin(
      100,
      'var_add("trick_sys.sched.freeze_frame_count")',
      'var_set_copy_mode(2)',
      'var_set_write_mode(1)',
      ...picks,
    );
    await fixture.ask(client, 'trick.exec_freeze()\n');
    messages();
    await fixture.pass(5100);
    expect(messages().map((fields) => fields.split(' ').at(-1))).to.deep.equal(['1', '3', '5']);
  });

  const GOES_BACK = [
    ['by wall time', 'trick.var_cycle(0.1)\n'],
    ['at exact copies', 'trick.var_sync(2)\ntrick.var_cycle(0.1)\n'],
    [
      'at the top of frames',
      'trick.var_set_copy_mode(2)\ntrick.var_set_write_mode(1)\ntrick.var_set_frame_multiple(10)\n',
    ],
  ] as const;
  for (const [how, commands] of GOES_BACK) {
    it(`${how} goes on at its cadence when simulation time goes back`, async () => {
      await begin(5000);
      await fixture.ask(client, commands);
      await fixture.pass(300);
      messages();
      const { executive, pacer } = fixture.local.host.running;
      executive.continueFrom(1_000_000, 100);
      pacer.restart(fixture.clock.nowMillis(), 1_000_000);
      await fixture.pass(500);
      const shown = messages();
      expect(shown).to.have.length.within(5, 6);
      const frames = shown.map((fields) => Number(fields.split(' ').at(-1)));
      for (const [index, frame] of frames.entries()) expect(frame).to.be.within(100 + 10 * index, 111 + 10 * index);
    });
  }

  it('stops at var_pause, while all else is answered', async () => {
    await begin(95, 'var_cycle(0.01)');
    await fixture.ask(client, 'trick.var_pause()\n');
    messages();
    await fixture.pass(200);
    expect(messages()).to.deep.equal([]);
    expect(await fixture.ask(client, 'trick.var_send()\ntrick.var_send_list_size()\n')).to.equal(
      '0\t0.3 {s}\t30\n3\t2\n',
    );
  });

  it('shows time with its units, and no variable of that name', async () => {
    await begin(8215, 'var_cycle(10)');
    expect(await fixture.ask(client, 'trick.var_send_once("time")\ntrick.var_exists("time")\n')).to.match(
      /5\t8\.220000000000001 \{s\}\n1\t0\n/,
    );
  });

  it('holds no copy times when nobody wants them', async () => {
    await begin(100, 'var_sync(2)', 'var_cycle(0.033)');
    const { copies } = fixture.local.host.running.executive;
    expect(copies.next(1)).to.equal(33_000);
    await fixture.ask(client, 'trick.var_cycle(0.1)\n');
    expect(copies.next(1)).to.equal(100_000);
    await fixture.ask(client, 'trick.var_sync(0)\n');
    expect(copies.next(1)).to.equal(Number.POSITIVE_INFINITY);
    await fixture.ask(client, 'trick.var_sync(2)\n');
    client.leave();
    await fixture.pass(1);
    expect(copies.next(1)).to.equal(Number.POSITIVE_INFINITY);
  });
});
