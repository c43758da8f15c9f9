// Hundreds of event streams, of which one is not read: the simulation runs on, drops are counted, memory stays flat.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { ask } from './asking.js';
import { call } from './http-client.js';
import { leftOut } from './in-time.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';

const STREAMS = 300;
const MIB = 1024 * 1024;
/** The same 600 numbers in many spellings: messages of 100 KB and more, which fill every buffer quickly. */
const LARGE = Array.from({ length: 10 }, (_, blanks) => `${' '.repeat(blanks)}fx.all.big_d`);
/** 2.5 s of simulation time; the benchmark measures how well the simulation keeps real time under such a load. */
const WATCHED_TICKS = 250;

interface Status {
  readonly tick: number;
  readonly lapped_frames: number;
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

async function openStream(port: number, aliases: readonly string[], cycleMillis: number): Promise<IncomingMessage> {
  const params = { aliases, cycle_ms: cycleMillis };
  const { sse_url: path } = await call<{ sse_url: string }>(port, 'var/subscribe', params);
  const [response] = (await once(get({ host: '127.0.0.1', port, path, agent }), 'response')) as [IncomingMessage];
  expect(response.statusCode).to.equal(200);
  return response.setEncoding('utf8');
}

/** Frame numbers and drops of the events in a text. */
function eventsIn(text: string): { id: number; dropped: number }[] {
  return [...text.matchAll(/^id: (\d+)\nevent: var\ndata: .*?(?:,"dropped":(\d+))?\}$/gm)].map(([, id, dropped]) => ({
    id: Number(id),
    dropped: Number(dropped ?? 0),
  }));
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

describe(`${STREAMS} event streams of a running fixture`, () => {
  let server: LaunchedServer;
  const streams: IncomingMessage[] = [];
  before(async () => {
    server = await LaunchedServer.start('compat-tests/fixture/fixture.js', {
      options: ['--no-discovery'],
      simArguments: ['--step-big-d'],
    });
  });
  after(async () => {
    for (const stream of streams) stream.destroy();
    await server?.stop();
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  it('leave the simulation its frames and its memory, and one that is not read is told what it missed', async () => {
    const { port } = server;
    const received = Array<number>(STREAMS).fill(0);
    for (let n = 0; n < STREAMS; n++) {
      const stream = await openStream(port, ['fx.all.d', 'fx.ball.pos'], 100);
      stream.on('data', (text: string) => {
        received[n] = (received[n] as number) + text.length;
      });
      streams.push(stream);
    }
    // Paused before anything is read: 600 numbers ten times, on every tick.
    const unread = await openStream(port, LARGE, 10);
    unread.pause();
    streams.push(unread);
    const dropped = async (): Promise<number> => {
      const { text } = await ask({ port, path: '/metrics' });
      return Number(/^varwire_messages_dropped_total\{front_end="http"\} (\d+)$/m.exec(text)?.[1]);
    };
    const pass = (seconds: number) =>
      call(port, 'var/wait', {
        condition: { alias: 'trick_sys.sched.frame_count', op: '<', value: 0 },
        timeout_ms: seconds * 1000,
      }).catch(() => undefined);
    while ((await dropped()) < 100) await pass(0.1);

    const startBytes = server.residentBytes;
    const start = await call<Status>(port, 'sim/status', {});
    const receivedBefore = [...received];
    let end = start;
    while (end.tick - start.tick < WATCHED_TICKS) {
      await pass(0.5);
      end = await call<Status>(port, 'sim/status', {});
    }
    expect(end.lapped_frames - start.lapped_frames).to.equal(0);
    // The messages that were due for the unread stream in this time are twice as much.
    while (server.residentBytes - startBytes >= 28 * MIB) await pass(0.5);
    while (received.some((bytes, n) => bytes === receivedBefore[n])) await pass(0.1);
    while ((await dropped()) <= 200) await pass(0.1);

    const missed = await dropped();
    for (const stream of streams) if (stream !== unread) stream.destroy();
    const toldIn = (all: string): number =>
      [...all.matchAll(/"dropped":(\d+)\}\n\n/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    // The system's own buffer lets some through in between, so that there are several gaps.
    let [whole, rest, told] = ['', '', 0];
    for await (const chunk of unread as AsyncIterable<string>) {
      const end = (rest + chunk).lastIndexOf('\n\n') + 2;
      const more = end > 1 ? (rest + chunk).slice(0, end) : '';
      [whole, rest, told] = [whole + more, (rest + chunk).slice(more.length), told + toldIn(more)];
      if (told >= missed) break;
    }
    const events = eventsIn(whole);
    const gaps = events.slice(1).map(({ id }, k) => id - (events[k]?.id as number) - 1);
    // Frames that the server left out for lack of time were no messages.
    const unmade = gaps.map((gap, k) => gap - (events[k + 1]?.dropped as number));
    const wrong = unmade.flatMap((count, k) => (count < 0 ? [events.slice(k, k + 2)] : []));
    expect(wrong).to.deep.equal([]);
    expect(sum(unmade)).to.be.at.most(await leftOut(port, ['frames']));
    expect(sum(gaps)).to.be.at.least(missed);
  });
});
