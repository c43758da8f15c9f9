import { expect } from 'chai';
import { VarwireClient } from './client.js';
import type { SocketLike, Timers } from './link.js';
import type { Json, Sample, VariableFacts } from './values.js';

interface Call {
  readonly id: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
  readonly params: any;
}

/** A server at the other end: it answers calls, and sends what a test tells it to. */
class FakeSocket implements SocketLike {
  binaryType = 'blob';
  readonly calls: Call[] = [];
  private readonly listeners: Record<string, ((event: { readonly data: unknown }) => void)[]> = {};
  private subscriptions = 0;

  constructor(readonly url: string) {}

  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void {
    this.listeners[type] = [...(this.listeners[type] ?? []), listener];
  }

  close(): void {
    this.fire('close');
  }

  fire(type: string, data?: unknown): void {
    for (const listener of this.listeners[type] ?? []) listener({ data });
  }

  tell(message: object): void {
    this.fire('message', JSON.stringify(message));
  }

  send(text: string): void {
    const call = JSON.parse(text) as Call;
    this.calls.push(call);
    const answer = this.answerOf(call);
    if (answer !== undefined) queueMicrotask(() => this.tell({ jsonrpc: '2.0', id: call.id, ...answer }));
  }

  callsOf(method: string): Call['params'][] {
    return this.calls.filter((call) => call.method === method).map(({ params }) => params);
  }

  private answerOf({ method, params }: Call): object | undefined {
    if (method === 'var/describe') return describe_(params.alias);
    if (method === 'var/subscribe') {
      const id = `sub-${++this.subscriptions}`;
      const layout = (params.aliases as string[]).map((alias, k) => ({
        alias,
        format: 'float64',
        count: alias === 'ball.position' ? 2 : 1,
        offset: 48 + 16 * k,
      }));
      return {
        result: { subscription_id: id, effective_cycle_ms: 100, ...(params.format === 'binary' && { layout }) },
      };
    }
    return method === 'slow' ? undefined : { result: method };
  }
}

function describe_(alias: string): object {
  const facts = { alias, type_path: 'double', unit: 'm', about: '', access: 'read-write', kind: 'number', dim: [] };
  if (alias === 'ball.position') return { result: { ...facts, dim: [2] } };
  if (alias === 'ball.name') return { result: { ...facts, kind: 'text', type_path: 'std::string' } };
  if (alias.startsWith('ball.')) return { result: facts };
  return { error: { code: -23402, message: `there is no variable ${alias}` } };
}

class FakeTimers implements Timers {
  readonly due: { readonly call: () => void; readonly millis: number }[] = [];
  set(call: () => void, millis: number): unknown {
    const timer = { call, millis };
    this.due.push(timer);
    return timer;
  }
  clear(timer: unknown): void {
    const at = this.due.indexOf(timer as (typeof this.due)[number]);
    if (at >= 0) this.due.splice(at, 1);
  }
  /** Fires the timer that was set last, and tells after how long it would have. */
  fire(): number {
    const timer = this.due.pop();
    timer?.call();
    return timer?.millis ?? Number.NaN;
  }
}

function setUp(token?: string) {
  const sockets: FakeSocket[] = [];
  const timers = new FakeTimers();
  const open = (url: string): FakeSocket => {
    sockets.push(new FakeSocket(url));
    return sockets.at(-1) as FakeSocket;
  };
  const client = new VarwireClient('http://host:7000/sim/', { open, timers, token });
  return { client, sockets, timers, socket: () => sockets.at(-1) as FakeSocket };
}

/** What has been asked and answered by then is done. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function packed(id: string, frame: number, numbers: readonly (readonly number[])[]): ArrayBuffer {
  const bytes = new ArrayBuffer(48 + 16 * numbers.length);
  const view = new DataView(bytes);
  view.setUint8(0, 1);
  view.setFloat64(8, frame, true);
  view.setFloat64(16, frame / 100, true);
  view.setUint32(24, id.length, true);
  for (let k = 0; k < id.length; k++) view.setUint8(28 + k, id.charCodeAt(k));
  numbers.forEach((row, k) => {
    row.forEach((number, i) => void view.setFloat64(48 + 16 * k + 8 * i, number, true));
  });
  return bytes;
}

describe('the client of browsers', () => {
  it('opens a WebSocket below the address that it is given, with the token', () => {
    expect(setUp('a b').socket().url).to.equal('ws://host:7000/sim/ws?token=a+b');
  });

  it('calls when there is a connection, and rejects with the sentence of the server', async () => {
    const { client, socket } = setUp();
    const asked = client.call('sim/status');
    expect(socket().calls).to.deep.equal([]);
    socket().fire('open');
    expect(await asked).to.equal('sim/status');
    const refused = await client.describe('nothing').catch((error: unknown) => error);
    expect(refused).to.include({ name: 'CallError', code: -23402, message: 'there is no variable nothing' });
  });

  it('takes a socket that is open already', async () => {
    const socket = new FakeSocket('ws://host/ws');
    const client = new VarwireClient('http://host/', {
      open: () => Object.assign(socket, { readyState: 1 }),
      timers: new FakeTimers(),
    });
    expect(await client.call('sim/status')).to.equal('sim/status');
    expect(client.state).to.equal('connected');
    client.close();
  });

  it('asks nothing of what it has learned, but of structures, until it is refreshed', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const { result: facts } = describe_('ball.height') as { result: VariableFacts };
    client.learn([facts, { ...facts, alias: 'ball', kind: 'struct' }]);
    expect(await client.describe('ball.height')).to.deep.equal(facts);
    void client.describe('ball').catch(() => {});
    client.refresh();
    await client.describe('ball.height');
    expect(socket().callsOf('var/describe')).to.deep.equal([{ alias: 'ball' }, { alias: 'ball.height' }]);
  });

  it('makes one subscription of all watches with one cycle, and values of packed bytes', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const samples: Sample[] = [];
    client.watch(['ball.height'], (sample) => samples.push(sample));
    client.watch(['ball.position', 'ball.height'], (sample) => samples.push(sample));
    await settled();
    expect(socket().callsOf('var/subscribe')).to.deep.equal([
      { aliases: ['ball.height', 'ball.position'], cycle_ms: 100, format: 'binary', lenient: true },
    ]);
    socket().fire('message', packed('sub-1', 7, [[1.5], [2, 3]]));
    expect(samples.map(({ frame, seconds, values }) => [frame, seconds, values])).to.deep.equal([
      [7, 0.07, [1.5]],
      [7, 0.07, [new Float64Array([2, 3]), 1.5]],
    ]);
  });

  it('says how often time was set to another, by packed and by text messages alike', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const jumps: number[] = [];
    client.watch(['ball.height'], (sample) => jumps.push(sample.jumps));
    await settled();
    client.watch(['ball.name'], (sample) => jumps.push(sample.jumps));
    await settled();
    const message = packed('sub-1', 7, [[1.5]]);
    new DataView(message).setUint16(2, 3, true);
    socket().fire('message', message);
    const text = (id: string, sim_time: object) =>
      socket().tell({
        method: 'var',
        params: { subscription_id: id, frame: 7, sim_time, values: { 'ball.name': 'x' } },
      });
    text('sub-2', { sec_si: 1, jumps: 65_539 });
    text('sub-2', { sec_si: 1 });
    expect(jumps).to.deep.equal([3, 3, 0]);
  });

  it('reads each value of a message once, for all who watch it', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const seen: unknown[] = [];
    for (let k = 0; k < 3; k++) client.watch(['ball.position'], ({ values }) => seen.push(values[0]));
    await settled();
    for (const [frame, x] of [
      [7, 2],
      [8, 4],
    ] as const)
      socket().fire('message', packed('sub-1', frame, [[x, 3]]));
    expect(seen.map((value) => [...(value as Float64Array)])).to.deep.equal([2, 2, 2, 4, 4, 4].map((x) => [x, 3]));
    expect(new Set(seen).size).to.equal(2);
  });

  it('has one connection, whatever is asked and watched: a browser gives all tabs only six to one server', async () => {
    const { client, sockets, socket } = setUp();
    socket().fire('open');
    for (const cycleMillis of [10, 100, 1000]) client.watch(['ball.height'], () => undefined, { cycleMillis });
    await Promise.all([client.call('sim/status'), client.call('sim/clients')]);
    await settled();
    expect(socket().callsOf('var/subscribe')).to.have.length(3);
    expect(sockets).to.have.length(1);
  });

  it('gives one who comes later the latest values at once, and asks nothing for what is watched', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    client.watch(['ball.height'], () => {});
    await settled();
    socket().fire('message', packed('sub-1', 7, [[1.5]]));
    const seen: unknown[] = [];
    client.watch(['ball.height'], ({ values }) => seen.push(values[0]));
    await settled();
    expect(seen).to.deep.equal([1.5]);
    expect(socket().callsOf('var/subscribe')).to.have.length(1);
  });

  it('gives one who comes later no sample that its variable is not in', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    client.watch(['ball.height'], () => {});
    await settled();
    const seen: unknown[] = [];
    client.watch(['ball.speed'], ({ values }) => seen.push(values[0]));
    while (socket().callsOf('var/subscribe').length < 2) await Promise.resolve();
    socket().fire('message', packed('sub-1', 8, [[1.5]]));
    await settled();
    socket().fire('message', packed('sub-2', 30, [[1.5], [2.5]]));
    expect(seen).to.deep.equal([2.5]);
  });

  it('changes the subscription with its watches, the new one before the old one ends', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const stop = client.watch(['ball.height'], () => {});
    await settled();
    const stopOther = client.watch(['ball.speed'], () => {});
    await settled();
    const methods = socket()
      .calls.map(({ method }) => method)
      .filter((method) => method !== 'var/describe');
    expect(methods).to.deep.equal(['var/subscribe', 'var/subscribe', 'var/unsubscribe']);
    expect(socket().callsOf('var/unsubscribe')).to.deep.equal([{ subscription_id: 'sub-1' }]);
    stop();
    await settled();
    expect(socket().callsOf('var/subscribe').at(-1).aliases).to.deep.equal(['ball.speed']);
    stopOther();
    await settled();
    expect(socket().callsOf('var/unsubscribe').at(-1)).to.deep.equal({ subscription_id: 'sub-3' });
  });

  it('watches one variable in two units, and texts as JSON', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    client.watch(['ball.height'], () => {}, { units: ['ft'] });
    client.watch(['ball.height'], () => {});
    const texts: Json[] = [];
    client.watch(['ball.name', 'ball.position'], ({ values }) => texts.push(values as unknown as Json));
    await settled();
    const asked = socket().callsOf('var/subscribe');
    expect(asked.map(({ aliases, units, format }) => [aliases, units, format])).to.deep.equal([
      [['ball.height'], { 'ball.height': 'ft' }, 'binary'],
      [['ball.height'], undefined, 'binary'],
      [['ball.name', 'ball.position'], undefined, 'json'],
    ]);
    const params = {
      subscription_id: 'sub-3',
      frame: 9,
      sim_time: { sec_si: 0.09, label: 'sim_elapsed' },
      values: { 'ball.name': 'red', 'ball.position': [1, 'NaN'] },
    };
    socket().tell({ jsonrpc: '2.0', method: 'var', params });
    expect(texts).to.deep.equal([['red', new Float64Array([1, Number.NaN])]]);
  });

  it('says which variable cannot be watched, and watches the others', async () => {
    const { client, socket } = setUp();
    socket().fire('open');
    const refused: string[] = [];
    const seen: unknown[] = [];
    client.watch(['nothing', 'ball.height'], ({ values }) => seen.push(values), {
      onRefused: (alias, sentence) => refused.push(`${alias}: ${sentence}`),
    });
    await settled();
    socket().fire('message', packed('sub-1', 1, [[4]]));
    expect(refused).to.deep.equal(['nothing: there is no variable nothing']);
    expect(seen).to.deep.equal([[null, 4]]);
    expect(() => client.watch(['a', 'a'], () => {})).to.throw(RangeError, 'a stands in the list twice');
  });

  it('connects again after a cut, later and later, and watches on', async () => {
    const { client, sockets, socket, timers } = setUp();
    const states: string[] = [];
    client.onState((state) => states.push(state));
    socket().fire('open');
    const seen: unknown[] = [];
    client.watch(['ball.height'], ({ values }) => seen.push(values[0]));
    await settled();
    const lost = client.call('slow').catch((error: Error) => error.message);
    socket().fire('close');
    expect(await lost).to.equal('the connection to the server was lost before it answered slow');
    const delays = [timers.fire()];
    for (let k = 0; k < 2; k++) {
      socket().fire('close');
      delays.push(timers.fire());
    }
    expect(delays).to.deep.equal([250, 500, 1000]);
    socket().fire('open');
    await settled();
    socket().fire('message', packed('sub-1', 3, [[8]]));
    expect(seen).to.deep.equal([8]);
    expect(sockets).to.have.length(4);
    expect(states).to.deep.equal(['connected', 'lost', 'connected']);
  });

  it('gives one who comes after a cut nothing of before it', async () => {
    const { client, socket, timers } = setUp();
    socket().fire('open');
    client.watch(['ball.height'], () => {});
    await settled();
    socket().fire('message', packed('sub-1', 7, [[1.5]]));
    socket().fire('close');
    timers.fire();
    socket().fire('open');
    await settled();
    const seen: unknown[] = [];
    client.watch(['ball.height'], ({ values }) => seen.push(values[0]));
    await settled();
    expect(seen).to.deep.equal([]);
    socket().fire('message', packed('sub-1', 3, [[8]]));
    expect(seen).to.deep.equal([8]);
  });

  it('asks a server that is silent, and lets go of one that does not answer', async () => {
    const { client, socket, timers } = setUp();
    socket().fire('open');
    expect(timers.fire()).to.equal(5000);
    expect(socket().calls.at(-1)?.method).to.equal('var/exists');
    await settled();
    expect(client.state).to.equal('connected');
    timers.fire();
    // Asked again, and this time nothing comes back in time.
    const [silent] = timers.due.splice(0);
    silent?.call();
    expect(client.state).to.equal('lost');
  });

  it('ends all with close', async () => {
    const { client, socket, timers } = setUp();
    socket().fire('open');
    client.watch(['ball.height'], () => expect.fail('the watch is over'));
    await settled();
    client.close();
    socket().fire('message', packed('sub-1', 1, [[1]]));
    expect(client.state).to.equal('closed');
    expect(timers.due).to.deep.equal([]);
  });
});
