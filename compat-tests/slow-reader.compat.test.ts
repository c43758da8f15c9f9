// A WebSocket whose client reads 200 KB a second of a stream of 3 MB a second: buffers that the server does not see hold
// many seconds of it, and yet what the client reads is new.
import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { LaunchedServer, showOutputOfFailure } from './launch.js';

const BYTES_A_MILLI = 200;
/** Three times 600 numbers that change in each frame, each 10 ms: 33 KB a message. */
const LARGE = ['fx.all.big_d', ' fx.all.big_d', '  fx.all.big_d'];
/** Of the simulation, which a busy machine may make longer. */
const READ_SECONDS = 6.5;
/** Two seconds are on their way at most, as measured at the server, and what waits for its turn. */
const NEW_SECONDS = 4;
/** How often the client asks something on the same WebSocket. */
const ASK_MILLIS = 20;

interface Values {
  readonly seconds: number;
  readonly dropped: number;
}

/** Reads a subscription; the reader says for how many milliseconds it reads nothing after a message. */
async function subscribed(port: number, aliases: readonly string[], take: (values: Values, bytes: number) => number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await once(socket, 'open');
  socket.on('message', (data: Buffer) => {
    const { method, params } = JSON.parse(data.toString());
    if (method === undefined) return;
    const millis = take({ seconds: params.sim_time.sec_si, dropped: params.dropped ?? 0 }, data.length);
    if (millis <= 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), millis);
  });
  const params = { aliases, cycle_ms: 10 };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params }));
  return socket;
}

/** Asks again and again until the socket is closed. */
function asks(socket: WebSocket): void {
  const question = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'sim/status' });
  const timer = setInterval(() => socket.send(question), ASK_MILLIS);
  socket.once('close', () => clearInterval(timer));
}

describe('a client that reads a stream slowly over a WebSocket', () => {
  let server: LaunchedServer;
  const sockets: WebSocket[] = [];
  before(async () => {
    server = await LaunchedServer.start('compat-tests/fixture/fixture.js', {
      options: ['--no-discovery'],
      simArguments: ['--step-big-d'],
    });
  });
  after(async () => {
    for (const socket of sockets) socket.terminate();
    await server?.stop();
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  /** How old what a slow client reads is, and how many messages were left out. */
  async function slowlyRead(also: (socket: WebSocket) => void = () => undefined) {
    let newestSeconds = 0;
    let dropped = 0;
    const ages: number[] = [];
    const hasNewest = new Promise<void>((resolve) => {
      const take = ({ seconds }: Values): number => {
        newestSeconds = seconds;
        resolve();
        return 0;
      };
      void subscribed(server.port, ['fx.all.d'], take).then((socket) => sockets.push(socket));
    });
    await hasNewest;
    const endSeconds = newestSeconds + READ_SECONDS;
    let freeMillis = performance.now();
    await new Promise<void>((resolve) => {
      const take = (values: Values, bytes: number): number => {
        ages.push(newestSeconds - values.seconds);
        dropped += values.dropped;
        const nowMillis = performance.now();
        if (newestSeconds > endSeconds) resolve();
        freeMillis = Math.max(freeMillis, nowMillis) + bytes / BYTES_A_MILLI;
        return freeMillis - nowMillis;
      };
      void subscribed(server.port, LARGE, take).then((socket) => {
        sockets.push(socket);
        also(socket);
      });
    });
    for (const socket of sockets.splice(0)) socket.terminate();
    return { ages, dropped };
  }

  it('reads values that are a few seconds old at most, and is told what was left out', async () => {
    const { ages, dropped } = await slowlyRead();
    expect(ages.length).to.be.above(10);
    expect(Math.max(...ages)).to.be.below(NEW_SECONDS);
    expect(dropped).to.be.above(100);
  });

  it('does so too while it asks on the same WebSocket', async () => {
    const { ages, dropped } = await slowlyRead(asks);
    expect(ages.length).to.be.above(10);
    expect(Math.max(...ages)).to.be.below(NEW_SECONDS);
    expect(dropped).to.be.above(100);
  });
});
