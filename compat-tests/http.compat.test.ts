// JSON over real sockets: streams that resume, a client that does not read, WebSockets, and refused clients.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import WebSocket from 'ws';
import { call, post } from './http-client.js';
import { inTime } from './in-time.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';

interface Event {
  readonly id: number;
  readonly seconds: number;
  readonly dropped: number;
}

/** Reads events until there are enough; between calls nothing is read from the socket. */
class Events {
  private pending = '';
  private constructor(private readonly response: IncomingMessage) {}

  static async open(port: number, id: string, headers: Readonly<Record<string, string>> = {}): Promise<Events> {
    const sent = get({ host: '127.0.0.1', port, path: `/sse?sub=${id}`, headers, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return new Events(response.setEncoding('utf8'));
  }

  async next(isEnough: (events: readonly Event[]) => boolean): Promise<Event[]> {
    const events: Event[] = [];
    while (!isEnough(events)) {
      const chunk: string | null = this.response.read();
      if (chunk === null) await once(this.response, 'readable');
      else events.push(...this.take(chunk));
    }
    return events;
  }

  close(): void {
    this.response.destroy();
  }

  private take(chunk: string): Event[] {
    const texts = (this.pending + chunk).split('\n\n');
    this.pending = texts.pop() ?? '';
    return texts.flatMap((text) => {
      const [, id, data] = /^id: (\d+)\nevent: var\ndata: (.*)$/.exec(text) ?? [];
      if (data === undefined) return [];
      const { sim_time, dropped = 0 } = JSON.parse(data);
      return [{ id: Number(id), seconds: sim_time.sec_si, dropped }];
    });
  }
}

const subscribe = async (port: number, aliases: readonly string[], cycleMillis: number): Promise<string> => {
  const params = { aliases, cycle_ms: cycleMillis };
  return (await call<{ subscription_id: string }>(port, 'var/subscribe', params)).subscription_id;
};

const ticksBetween = (events: readonly Event[]): number[] =>
  events.slice(1).map(({ seconds }, i) => Math.round((seconds - (events[i] as Event).seconds) * 100));

describe('the JSON wire of a running ball', () => {
  let server: LaunchedServer;
  let port: number;
  before(async () => {
    server = await LaunchedServer.start('sims/ball.js', { isWarmedUp: true });
    port = server.port;
  });
  after(() => server?.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  it('streams every fourth tick for 33 ms at 100 Hz', async () => {
    const stepsNow = async (): Promise<number[]> => {
      const events = await Events.open(port, await subscribe(port, ['ball.position'], 33));
      const [, ...cyclic] = await events.next((all) => all.length >= 26);
      events.close();
      return ticksBetween(cyclic);
    };
    // A server that is late for a tick sends the next one.
    const wasLate = async () => ((await call(port, 'sim/status', {})) as { loop_lag_ms: number }).loop_lag_ms >= 5;
    let steps = await stepsNow();
    while (steps.some((step) => step !== 4) && (await wasLate())) steps = await stepsNow();
    expect(new Set(steps)).to.deep.equal(new Set([4]));
  });

  it('loses nothing over a cut that the ring still has', async () => {
    const id = await subscribe(port, ['ball.position'], 10);
    const seen = await inTime(port, async () => {
      const first = await Events.open(port, id);
      const before = await first.next((all) => all.length >= 10);
      first.close();
      for (let i = 0; i < 4; i++) await call(port, 'var/wait', NEVER).catch(() => undefined);
      const second = await Events.open(port, id, { 'last-event-id': String(before.at(-1)?.id) });
      const after = await second.next((all) => all.length >= 30);
      second.close();
      return [...before, ...after];
    });
    expect(new Set(ticksBetween(seen))).to.deep.equal(new Set([1]));
  });

  it('tells a reader that did not read exactly how many messages it missed', async () => {
    // The same variable in many spellings makes messages large enough to fill every buffer quickly.
    const aliases = Array.from({ length: 400 }, (_, blanks) => `${' '.repeat(blanks)}ball.position`);
    const all = await inTime(port, () => readLate(aliases));
    const missed = all.slice(1).map(({ id }, i) => id - (all[i] as Event).id - 1);
    expect(all.slice(1).map((event) => event.dropped)).to.deep.equal(missed);
    // A loaded machine may let a message through in between, so the sum of the gaps is compared.
    expect(missed.reduce((sum, count) => sum + count, 0)).to.be.at.least(20);
    expect(await call(port, 'sim/status', {})).to.include({ lapped_frames: 0 });
  });

  /** The events of a subscription whose reader stops until messages are dropped, and then reads on. */
  async function readLate(aliases: readonly string[]): Promise<Event[]> {
    const events = await Events.open(port, await subscribe(port, aliases, 10));
    const started = await events.next((all) => all.length >= 1);
    const dropped = async (): Promise<number> => {
      const { text } = await metrics(port);
      return Number(/^varwire_messages_dropped_total\{front_end="http"\} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await dropped();
    while ((await dropped()) < before + 20) await call(port, 'var/wait', NEVER).catch(() => undefined);
    const missed = (all: readonly Event[]): number => all.reduce((sum, event) => sum + event.dropped, 0);
    const late = await events.next((all) => missed(all) >= 20 && all.at(-1)?.dropped === 0);
    events.close();
    return [...started, ...late];
  }

  it('speaks the same methods over a WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    await once(socket, 'open');
    const request = {
      jsonrpc: '2.0',
      id: 7,
      method: 'var/subscribe',
      params: { aliases: ['ball.velocity'], cycle_ms: 50 },
    };
    socket.send(JSON.stringify(request));
    const [answer, first, second] = await texts(socket, 3);
    socket.terminate();
    expect(answer).to.have.nested.property('result.effective_cycle_ms', 50);
    expect(first).to.have.property('method', 'var');
    expect(second).to.have.nested.property('params.values.ball\\.velocity').with.length(2);
  });

  it('refuses pages of another origin and forged names', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"sim/status"}';
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const sent = get({ host: '127.0.0.1', port, path: '/metrics', headers, agent: false });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.destroy();
      return response.statusCode ?? 0;
    };
    expect((await post(port, body)).status).to.equal(200);
    expect(await ask({ origin: `http://127.0.0.1:${port}` })).to.equal(200);
    expect(await ask({ origin: 'http://evil.example' })).to.equal(403);
    expect(await ask({ host: `evil.example:${port}` })).to.equal(403);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { origin: 'http://evil.example' });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).to.match(/403/);
  });
});

/** A condition that never holds; waiting for it lets a little time pass. */
const NEVER = { condition: 'ball.position[1] > 1000', timeout_ms: 50 };

async function metrics(port: number): Promise<{ text: string }> {
  const sent = get({ host: '127.0.0.1', port, path: '/metrics', agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { text };
}

function texts(socket: WebSocket, count: number): Promise<unknown[]> {
  return new Promise((resolve) => {
    const all: unknown[] = [];
    socket.on('message', (message) => {
      all.push(JSON.parse(String(message)));
      if (all.length === count) resolve(all);
    });
  });
}
