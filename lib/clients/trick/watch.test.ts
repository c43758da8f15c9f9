// Subscriptions: what they ask for, what they deliver, and how they live through a lost connection.
import { expect } from 'chai';
import { settled, TestLinks } from '../../testing/aids/client-link.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { binaryList, doubleBytes } from '../../testing/aids/scripted-server.js';
import { ConnectionLostError } from './errors.js';
import { type ConnectOptions, TrickClient } from './trick-client.js';
import type { Update } from './watch.js';

const DOUBLE = 11;
const NONE = 25;

const binaryAnswers = (line: string): Buffer | undefined => {
  const names = /var_send_once\("([^"]*)"/.exec(line)?.[1]?.split(',');
  const entry = (name: string) =>
    [name, name === 'nosuch' ? NONE : DOUBLE, name === 'nosuch' ? Buffer.alloc(4) : doubleBytes(0)] as const;
  return names && binaryList(5, names.filter((name) => name !== 'huge').map(entry));
};

/** A cyclic message: time, then values. */
const cycle = (time: number, values: Readonly<Record<string, number>>, indicator = 0): Buffer =>
  binaryList(
    indicator,
    Object.entries({ time, ...values }).map(([name, value]) => [name, DOUBLE, doubleBytes(value)] as const),
  );

describe('Subscription', () => {
  let links: TestLinks;
  let clock: ManualClock;
  let client: TrickClient;
  let states: string[];

  async function begin(options: Partial<ConnectOptions> = {}): Promise<void> {
    links = new TestLinks(binaryAnswers);
    clock = new ManualClock();
    states = [];
    const onState = (state: string) => states.push(state);
    client = await TrickClient.connect({ port: 1, openLink: links.open, clock, onState, ...options });
  }
  afterEach(() => client.close());

  async function next(iterator: AsyncIterator<Update>): Promise<Update> {
    return (await iterator.next()).value;
  }

  it('has a connection of its own, whose list starts with the time', async () => {
    await begin();
    client.subscribe(['x', 'y'], { cycleSeconds: 0.5, mode: 'scheduled' });
    await settled();
    expect(links.all).to.have.length(2);
    expect(links.last.lines.slice(-11)).to.deep.equal([
      'trick.var_clear()',
      'trick.var_binary()',
      'trick.var_cycle(0.5)',
      'trick.var_set_frame_multiple(1)',
      'trick.var_set_copy_mode(1)',
      'trick.var_set_write_mode(1)',
      'trick.var_add("time")',
      'trick.var_add("x")',
      'trick.var_add("y")',
      'trick.var_send_list_size()',
      'trick.var_unpause()',
    ]);
  });

  it('delivers updates in order, with the time and the values asked for', async () => {
    await begin();
    const updates = client.subscribe(['y', 'x', 'y'])[Symbol.asyncIterator]();
    await settled();
    links.last.say(cycle(1, { x: 10, y: 20 }));
    links.last.say(cycle(2, { x: 11, y: 21 }));
    expect(await next(updates)).to.deep.equal({
      timeSeconds: 1,
      values: [20, 10, 20],
      units: [undefined, undefined, undefined],
      isAfterGap: false,
    });
    expect((await next(updates)).values).to.deep.equal([21, 11, 21]);
  });

  it('joins a list that comes in several messages', async () => {
    await begin();
    const updates = client.subscribe(['x', 'y'])[Symbol.asyncIterator]();
    await settled();
    links.last.say(cycle(1, { x: 10 }));
    links.last.say(binaryList(0, [['y', DOUBLE, doubleBytes(20)]]));
    expect((await next(updates)).values).to.deep.equal([10, 20]);
  });

  it('waits for no variable that is too large, and passes on what lacks one that has grown', async () => {
    await begin();
    const updates = client.subscribe(['x', 'huge', 'y'])[Symbol.asyncIterator]();
    await settled();
    // The description of the server would say how many elements it has.
    clock.advance(30);
    await settled();
    links.last.say(cycle(1, { x: 10, y: 20 }));
    expect((await next(updates)).values).to.deep.equal([10, undefined, 20]);
    links.last.say(cycle(2, { x: 11 }));
    links.last.say(cycle(3, { x: 12, y: 22 }));
    expect((await next(updates)).values).to.deep.equal([11, undefined, undefined]);
    expect((await next(updates)).values).to.deep.equal([12, undefined, 22]);
  });

  it('gives undefined for a variable that is not there, and its value once it is', async () => {
    await begin();
    const updates = client.subscribe(['nosuch'])[Symbol.asyncIterator]();
    await settled();
    links.last.say(
      binaryList(0, [
        ['time', DOUBLE, doubleBytes(1)],
        ['nosuch', NONE, Buffer.alloc(4)],
      ]),
    );
    links.last.say(cycle(2, { nosuch: 5 }));
    expect((await next(updates)).values).to.deep.equal([undefined]);
    expect((await next(updates)).values).to.deep.equal([5]);
  });

  it('comes in ASCII where units were asked for, typed by what binary told', async () => {
    await begin();
    const updates = client.subscribe([{ name: 'x', units: 'ft' }, 'y'])[Symbol.asyncIterator]();
    await settled();
    expect(links.last.lines).to.include('trick.var_add("x", "ft")');
    links.last.say('0\t1.5 {s}\t3 {ft}\tnan\n');
    expect(await next(updates)).to.deep.equal({
      timeSeconds: 1.5,
      values: [3, Number.NaN],
      units: ['ft', undefined],
      isAfterGap: false,
    });
  });

  it('drops a line that has not a field for each variable', async () => {
    await begin({ form: 'ascii' });
    const updates = client.subscribe(['x'])[Symbol.asyncIterator]();
    await settled();
    links.last.say('0\t1 {s}\t2\t3\n0\t2 {s}\t5\n');
    expect((await next(updates)).timeSeconds).to.equal(2);
  });

  it('keeps the newest updates for a slow reader and counts the others', async () => {
    await begin();
    const subscription = client.subscribe(['x'], { bufferedUpdates: 2 });
    await settled();
    for (const time of [1, 2, 3, 4, 5]) links.last.say(cycle(time, { x: time }));
    expect(subscription.dropped).to.equal(3);
    const updates = subscription[Symbol.asyncIterator]();
    expect([(await next(updates)).timeSeconds, (await next(updates)).timeSeconds]).to.deep.equal([4, 5]);
  });

  it('ends, and closes its connection, when the loop is left', async () => {
    await begin();
    const subscription = client.subscribe(['x']);
    await settled();
    links.last.say(cycle(1, { x: 1 }));
    for await (const { timeSeconds } of subscription) {
      expect(timeSeconds).to.equal(1);
      break;
    }
    await settled();
    expect(links.all.map(({ isClosed }) => isClosed)).to.deep.equal([false, true]);
  });

  it('throws when the connection is lost and it is not to be made again', async () => {
    await begin();
    const updates = client.subscribe(['x'])[Symbol.asyncIterator]();
    await settled();
    links.last.say(cycle(1, { x: 1 }));
    links.last.cut();
    expect((await next(updates)).timeSeconds).to.equal(1);
    expect(await updates.next().catch((error: unknown) => error)).to.be.instanceOf(ConnectionLostError);
  });

  it('goes on after a lost connection with a marked gap', async () => {
    await begin({ reconnect: true });
    const updates = client.subscribe(['x'])[Symbol.asyncIterator]();
    await settled();
    links.last.say(cycle(1, { x: 1 }));
    const lost = links.last;
    lost.cut();
    clock.advance(100);
    await settled();
    expect(links.last).not.to.equal(lost);
    links.last.say(cycle(9, { x: 9 }));
    links.last.say(cycle(10, { x: 10 }));
    const gaps = [await next(updates), await next(updates), await next(updates)];
    expect(gaps.map(({ timeSeconds, isAfterGap }) => [timeSeconds, isAfterGap])).to.deep.equal([
      [1, false],
      [9, true],
      [10, false],
    ]);
  });

  it('tries again with pauses that double up to five seconds, and from the start after a success', async () => {
    await begin({ reconnect: true });
    links.isRefusing = true;
    links.last.cut();
    const pauses: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      pauses.push(clock.delaysMillis[0]);
      clock.advance(clock.delaysMillis[0] as number);
      await settled();
    }
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    links.isRefusing = false;
    clock.advance(5000);
    await settled();
    links.last.cut();
    expect(clock.delaysMillis[0]).to.equal(100);
    expect(states).to.deep.equal(['connected', 'reconnecting', 'connected', 'reconnecting']);
  });

  it('lets a question wait for the next connection, but not for ever', async () => {
    await begin({ reconnect: true, timeoutMillis: 250 });
    links.last.cut();
    const early = client.get('x');
    clock.advance(100);
    await settled();
    expect(await early).to.equal(0);
    links.isRefusing = true;
    links.last.cut();
    const late = client.get('x').catch((error: unknown) => error);
    clock.advance(250);
    expect(await late).to.be.instanceOf(ConnectionLostError);
  });

  it('stops trying when the client is closed', async () => {
    await begin({ reconnect: true });
    links.last.cut();
    client.close();
    expect(clock.delaysMillis).to.deep.equal([]);
    expect(await client.get('x').catch((error: unknown) => error)).to.be.instanceOf(ConnectionLostError);
  });

  it('shares the one session of a UDP port, one subscription at a time', async () => {
    await begin({ transport: 'udp' });
    const subscription = client.subscribe(['x']);
    await settled();
    expect(links.all).to.have.length(1);
    expect(() => client.subscribe(['y'])).to.throw('one list');
    links.last.say(cycle(1, { x: 1 }));
    expect(await client.get('y')).to.equal(0);
    subscription.close();
    await settled();
    expect(links.last.lines.slice(-3)).to.deep.equal(['trick.var_pause()', 'trick.var_clear()', 'trick.var_binary()']);
  });

  it('notices the silence of a UDP server and subscribes again', async () => {
    let isSilent = false;
    links = new TestLinks((line) => (isSilent ? '' : binaryAnswers(line)));
    clock = new ManualClock();
    client = await TrickClient.connect({
      port: 1,
      transport: 'udp',
      reconnect: true,
      timeoutMillis: 300,
      openLink: links.open,
      clock,
    });
    const updates = client.subscribe(['x'])[Symbol.asyncIterator]();
    await settled();
    isSilent = true;
    clock.advance(1000);
    clock.advance(300);
    isSilent = false;
    clock.advance(100);
    await settled();
    expect(links.all).to.have.length(2);
    links.last.say(cycle(7, { x: 7 }));
    expect(await next(updates)).to.include({ timeSeconds: 7, isAfterGap: true });
  });

  it('refuses what would hang or end a Trick session', async () => {
    await begin();
    for (const options of [
      { cycleSeconds: 0 },
      { cycleSeconds: -1 },
      { cycleSeconds: Number.NaN },
      { frameMultiple: 0 },
      { bufferedUpdates: 0 },
    ])
      expect(() => client.subscribe(['x'], options)).to.throw(RangeError);
  });
});
