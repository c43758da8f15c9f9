// Subscriptions over server-sent events: cadence, resuming and the end of a stream.
import { expect } from 'chai';
import { Mode, Reason } from '../../model/frame/header.js';
import { double } from '../../model/state/declare.js';
import { HEADER, TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, type TestStream, turn } from '../../testing/aids/http-exchange.js';

const ALIASES = ['ball.position[1]'];

async function subscribed(server: TestServer, params: object = {}): Promise<TestStream> {
  const { subscription_id } = await server.call('var/subscribe', { aliases: ALIASES, ...params });
  return server.stream(subscription_id);
}

const times = (stream: TestStream): number[] => stream.data.map((data) => data.sim_time.sec_si);

describe('a subscription over server-sent events', () => {
  it('answers the effective cycle and where the values stream', async () => {
    const answer = await new TestServer().call('var/subscribe', { aliases: ALIASES, cycle_ms: 33 });
    expect(answer).to.deep.equal({
      subscription_id: 'subscription-1',
      effective_cycle_ms: 40,
      sse_url: '/sse?sub=subscription-1',
    });
  });

  const cycles: readonly [asked: number | undefined, effective: number, tickTics: number][] = [
    [undefined, 100, 10_000],
    [33, 40, 10_000],
    [40, 40, 10_000],
    [1, 10, 10_000],
    [0, 10, 10_000],
    [100, 100.002, 16_667],
  ];
  for (const [asked, effective, tickTics] of cycles) {
    it(`gives ${effective} ms for ${asked ?? 'no cycle'} and a tick of ${tickTics / 1000} ms`, async () => {
      const server = new TestServer(new TestBall(() => {}, { ...HEADER, softwareFrameTics: tickTics }));
      const answer = await server.call('var/subscribe', { aliases: ALIASES, cycle_ms: asked });
      expect(answer.effective_cycle_ms).to.equal(effective);
    });
  }

  it('refuses a negative cycle', async () => {
    const { error } = await new TestServer().respond('var/subscribe', { aliases: ALIASES, cycle_ms: -1 });
    expect([error.code, error.data]).to.deep.equal([-32602, { parameter: 'cycle_ms' }]);
  });

  it('sends the latest frame right away, in the exact framing', async () => {
    const stream = await subscribed(new TestServer());
    const data = '{"sim_time":{"sec_si":1.23,"label":"sim_elapsed"},"values":{"ball.position[1]":9.1}}';
    expect(stream.messages).to.deep.equal([`id: 124\nevent: var\ndata: ${data}\n\n`]);
  });

  it('sends 25 events for 33 ms in 100 ticks of 10 ms, 40 ms apart', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 33 });
    server.ball.ticks(100);
    const [first, ...cyclic] = times(stream);
    expect(first).to.equal(1.23);
    expect(cyclic).to.have.length(25);
    for (const [index, time] of cyclic.entries()) expect(time).to.equal(Math.round(124 + 4 * index) / 100);
  });

  it('keeps its cadence beside a faster one', async () => {
    const server = new TestServer();
    const slow = await subscribed(server, { cycle_ms: 50 });
    const fast = await subscribed(server, { cycle_ms: 10 });
    server.ball.ticks(20);
    expect(slow.messages).to.have.length(1 + 4);
    expect(fast.messages).to.have.length(1 + 20);
  });

  it('gives equal subscribers the same text, made once a frame', async () => {
    const server = new TestServer();
    const first = await subscribed(server, { cycle_ms: 10 });
    const { size } = server.registry.feeds;
    const second = await subscribed(server, { cycle_ms: 20 });
    expect(server.registry.feeds.size).to.equal(size);
    server.ball.ticks(3);
    expect(second.messages.every((message) => first.messages.includes(message))).to.equal(true);
    first.cut();
    second.cut();
    expect(server.registry.feeds.size).to.equal(0);
  });

  it('leaves scheduled frames and frames of requests out, and sends every frame of a freeze', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10 });
    server.ball.publish({ reason: Reason.scheduled });
    server.ball.publish({ reason: Reason.request });
    expect(stream.messages).to.have.length(1);
    server.ball.publish({ reason: Reason.freeze, mode: Mode.freeze });
    server.ball.publish({ reason: Reason.freeze, mode: Mode.freeze });
    expect(stream.messages).to.have.length(3);
  });

  it('goes by the new software frame when it changes', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 40 });
    server.ball.publish({ reason: Reason.scheduled, softwareFrameTics: 20_000 });
    server.ball.ticks(10);
    expect(stream.messages).to.have.length(1 + 5);
  });

  it('stops and goes on with var/pause, takes another cycle with var/cycle, and ends with var/unsubscribe', async () => {
    const server = new TestServer();
    const subscription_id = 'subscription-1';
    const stream = await subscribed(server, { cycle_ms: 10 });
    await server.call('var/pause', { subscription_id, paused: true });
    server.ball.ticks(5);
    expect(stream.messages).to.have.length(1);
    await server.call('var/pause', { subscription_id, paused: false });
    server.ball.ticks(2);
    expect(stream.messages).to.have.length(3);
    expect(await server.call('var/cycle', { subscription_id, cycle_ms: 45 })).to.deep.equal({ effective_cycle_ms: 50 });
    server.ball.ticks(10);
    expect(stream.messages).to.have.length(5);
    await server.call('var/unsubscribe', { subscription_id });
    expect(stream.isEnded).to.equal(true);
    const gone = { subscription_id };
    expect((await server.respond('var/pause', { ...gone, paused: true })).error.code).to.equal(-23414);
    expect((await server.respond('var/cycle', { ...gone, cycle_ms: 1 })).error.code).to.equal(-23414);
    expect((await server.respond('var/unsubscribe', { subscription_id })).error.code).to.equal(-23414);
    expect((await server.ask({ path: '/sse?sub=subscription-1' })).status).to.equal(404);
  });

  it('streams in the answer to a POST that accepts events, without ids, and ends with it', async () => {
    const server = new TestServer();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'var/subscribe',
      params: { aliases: ALIASES, cycle_ms: 33 },
    });
    const { opened: stream, sentHeaders } = await server.post(body, { accept: 'text/event-stream' });
    expect(sentHeaders).to.include({ 'varwire-effective-cycle-ms': '40', 'varwire-subscription-id': 'subscription-1' });
    const data = '{"sim_time":{"sec_si":1.23,"label":"sim_elapsed"},"values":{"ball.position[1]":9.1}}';
    expect(stream?.messages).to.deep.equal([`event: var\ndata: ${data}\n\n`]);
    stream?.cut();
    expect((await server.respond('var/unsubscribe', { subscription_id: 'subscription-1' })).error.code).to.equal(
      -23414,
    );
  });

  it('answers errors as JSON to a POST that accepts events', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["x"]}}';
    const exchange = await new TestServer().post(body, { accept: 'text/event-stream' });
    expect(exchange.json.error.code).to.equal(-23402);
  });

  it('drops whole messages for a client that does not read, and says how many in the next one', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10 });
    const other = await subscribed(server, { cycle_ms: 10 });
    stream.isStalled = true;
    const fill = 1024 * 1024;
    stream.write(Buffer.alloc(fill));
    server.ball.ticks(100);
    // The limit is checked before each message, so one more message still goes out.
    const taken = stream.messages.length - 2;
    expect(taken).to.be.at.most(1);
    expect(other.messages).to.have.length(101);
    stream.isStalled = false;
    server.ball.ticks(2);
    const [next, last] = stream.data.slice(-2);
    expect(next.dropped).to.equal(100 - taken);
    expect(next.values).to.deep.equal({ 'ball.position[1]': 9.1 });
    expect(last).to.not.have.property('dropped');
    expect((await server.ask({ path: '/metrics' })).body).to.include(
      `varwire_messages_dropped_total{front_end="http"} ${100 - taken}\n`,
    );
  });

  it('resumes behind Last-Event-ID with nothing lost that the ring still has', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 20 });
    server.ball.ticks(6);
    const lastId = /^id: (\d+)/.exec(stream.messages.at(-1) as string)?.[1] as string;
    stream.cut();
    server.ball.ticks(20);
    const resumed = await server.stream('subscription-1', { 'last-event-id': lastId });
    server.ball.ticks(4);
    expect([...times(stream), ...times(resumed)]).to.deep.equal([
      1.23, 1.24, 1.26, 1.28, 1.3, 1.32, 1.34, 1.36, 1.38, 1.4, 1.42, 1.44, 1.46, 1.48, 1.5, 1.52,
    ]);
    expect(resumed.data.some(({ dropped }) => dropped)).to.equal(false);
  });

  it('says how many messages the ring no longer had', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10 });
    stream.cut();
    server.ball.ticks(80);
    const resumed = await server.stream('subscription-1', { 'last-event-id': '124' });
    expect(resumed.data[0].dropped).to.equal(30);
    expect(resumed.data).to.have.length(50);
  });

  for (let everyTicks = 1; everyTicks <= 9; everyTicks++) {
    it(`counts each message once that was due after a resume, sent or dropped, with a cycle of ${everyTicks} ticks`, async () => {
      const server = new TestServer();
      const stream = await subscribed(server, { cycle_ms: 10 * everyTicks });
      stream.cut();
      server.ball.ticks(80);
      const resumed = await server.stream('subscription-1', { 'last-event-id': '124' });
      // The client has seen tick 123.
      const due = Array.from({ length: 80 }, (_, k) => 124 + k).filter((tick) => tick % everyTicks === 0);
      expect(resumed.data[0].dropped + resumed.data.length).to.equal(due.length);
    });
  }

  it('starts anew for an id from before a restart, and sends nothing twice for the latest', async () => {
    const server = new TestServer();
    const stream = await subscribed(server);
    stream.cut();
    expect(times(await server.stream('subscription-1', { 'last-event-id': '9000' }))).to.deep.equal([1.23]);
    expect(times(await server.stream('subscription-1', { 'last-event-id': '124' }))).to.deep.equal([]);
  });

  it('is forgotten when nobody reads it for a minute', async () => {
    const server = new TestServer();
    const stream = await subscribed(server);
    server.clock.advance(120_000);
    stream.cut();
    server.clock.advance(59_000);
    const again = await server.stream('subscription-1');
    server.clock.advance(120_000);
    again.cut();
    server.clock.advance(60_001);
    expect((await server.ask({ path: '/sse?sub=subscription-1' })).status).to.equal(404);
  });

  it('asks EventSource to come back soon, and tells plain clients nothing but events', async () => {
    const server = new TestServer();
    await subscribed(server);
    const { messages } = await server.stream('subscription-1', { accept: 'text/event-stream' });
    expect(messages[0]).to.equal('retry: 500\n\n');
    const plain = await server.stream('subscription-1', { accept: '*/*' });
    expect(plain.messages[0]).to.match(/^id: /);
  });

  it('sends a comment when nothing else was sent for 15 s', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10 });
    server.clock.advance(14_000);
    server.ball.ticks(1);
    server.clock.advance(2_000);
    expect(stream.messages.filter((message) => message.startsWith(':'))).to.deep.equal([]);
    server.clock.advance(15_000);
    expect(stream.messages.at(-1)).to.equal(': nothing new\n\n');
  });

  it('sends the comment in the answer to a POST, too, until the client leaves', async () => {
    const server = new TestServer();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'var/subscribe',
      params: { aliases: ALIASES, cycle_ms: 10 },
    });
    const { opened } = await server.post(body, { accept: 'text/event-stream' });
    const stream = opened as TestStream;
    server.clock.advance(14_000);
    server.ball.ticks(1);
    server.clock.advance(2_000);
    expect(stream.messages).to.have.length(2);
    server.clock.advance(30_000);
    expect(stream.messages.slice(2)).to.deep.equal([': nothing new\n\n', ': nothing new\n\n']);
    stream.cut();
    server.clock.advance(30_000);
    expect(stream.messages).to.have.length(4);
  });

  it('gives null for a variable that has gone and finds it when it comes back', async () => {
    const ball = new TestBall();
    const server = new TestServer(ball);
    const stream = await subscribed(server, { aliases: ['ball.position'], cycle_ms: 10 });
    ball.state.removeObject('ball');
    ball.ticks(1);
    expect(stream.data.at(-1).values).to.deep.equal({ 'ball.position': null });
  });
});

describe('further streams of one subscription', () => {
  it('are refused with a sentence above what a client may have, and give back what they took', async () => {
    // Each stream has 10 million values a second.
    const server = new TestServer(new TestBall((state) => state.addObject('huge').component('v', double(100_000))));
    const { subscription_id: id } = await server.call('var/subscribe', { aliases: ['huge.v'], cycle_ms: 10 });
    const streams = [await server.stream(id), await server.stream(id)];
    const { status, body } = await server.ask({ path: `/sse?sub=${id}` });
    expect([status, body]).to.deep.equal([429, 'a client may have 20000000 values a second\n']);
    streams[0]?.cut();
    expect((await server.ask({ path: `/sse?sub=${id}` })).status).to.equal(200);
  });
});

describe('a subscription on change', () => {
  it('sends nothing while nothing changes', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10, on: 'change' });
    server.ball.ticks(5);
    expect(stream.messages).to.have.length(1);
    server.ball.ticks(5, (tick) => server.ball.store('ball.position[1]', tick === 130 ? 2 : 1));
    expect(stream.data.map(({ values }) => values['ball.position[1]'])).to.deep.equal([9.1, 1, 2, 1]);
  });

  it('leaves changes inside of a dead band out, counted from the value last sent', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10, on: 'change', dead_band: 0.25 });
    server.ball.store('ball.position[1]', 0);
    server.ball.ticks(10, (tick) => server.ball.store('ball.position[1]', (tick - 124) * 0.125));
    expect(stream.data.map(({ values }) => values['ball.position[1]'])).to.deep.equal([9.1, 0, 0.375, 0.75, 1.125]);
  });

  it('tells a client that missed a change as soon as it reads again', async () => {
    const server = new TestServer();
    const stream = await subscribed(server, { cycle_ms: 10, on: 'change' });
    stream.isStalled = true;
    stream.write(Buffer.alloc(2 * 1024 * 1024));
    server.ball.store('ball.position[1]', 5);
    server.ball.ticks(3);
    stream.isStalled = false;
    server.ball.ticks(2);
    expect(stream.data.map(({ values }) => values['ball.position[1]'])).to.deep.equal([9.1, 5]);
    expect(stream.data[1].dropped).to.be.at.least(1);
  });

  it('refuses a dead band without it', async () => {
    const { error } = await new TestServer().respond('var/subscribe', { aliases: ALIASES, dead_band: 1 });
    expect(error.code).to.equal(-32602);
  });
});

/** On a busy machine a call takes several turns of the event loop. */
async function turns(): Promise<void> {
  for (let count = 0; count < 50; count++) await turn();
}

describe('var/wait', () => {
  it('answers at the first frame in which the condition holds', async () => {
    const server = new TestServer();
    const waiting = server.call('var/wait', { condition: 'ball.position[1] < 2' });
    await turns();
    server.ball.ticks(10, (tick) => server.ball.store('ball.position[1]', tick < 130 ? 9 : 1));
    expect(await waiting).to.deep.equal({ frame: 131, sim_time: { sec_si: 1.3, label: 'sim_elapsed' }, value: 1 });
  });

  it('gives up when time runs out, and when the simulation ends', async () => {
    const server = new TestServer();
    const late = server.respond('var/wait', { condition: 'ball.position[1] < 2', timeout_ms: 500 });
    const ended = server.respond('var/wait', { condition: 'ball.position[1] < 2' });
    await turns();
    server.clock.advance(500);
    server.ball.end('terminated');
    expect((await late).error).to.deep.equal({ code: -23417, message: 'the condition did not hold within 500 ms' });
    expect((await ended).error.message).to.equal('the simulation ended before the condition held: terminated');
  });

  for (const condition of ['ball.position[1]', '< 3', 'ball.position[1] < x', 'ball.position[1] = 3', { alias: 'x' }]) {
    it(`refuses ${JSON.stringify(condition)}`, async () => {
      const { error } = await new TestServer().respond('var/wait', { condition });
      expect(error.code).to.equal(-32602);
    });
  }
});

describe('sim/control', () => {
  it('passes each action on as a request', async () => {
    const server = new TestServer();
    const actions = [
      { action: 'run' },
      { action: 'freeze' },
      { action: 'freeze', at_sec: 5 },
      { action: 'step', frames: 3 },
      { action: 'clock_ratio', ratio: 2 },
      { action: 'real_time', enabled: false },
    ];
    for (const params of actions) await server.call('sim/control', params);
    expect(server.ball.requests.map((request) => request.kind === 'control' && request.control)).to.deep.equal([
      { action: 'run' },
      { action: 'freeze' },
      { action: 'freeze', atSeconds: 5 },
      { action: 'step', frames: 3 },
      { action: 'clock-ratio', ratio: 2 },
      { action: 'real-time', enabled: false },
    ]);
  });

  it('refuses a parameter of another action, and an action without its own', async () => {
    const server = new TestServer();
    expect((await server.respond('sim/control', { action: 'run', ratio: 2 })).error.message).to.equal(
      'sim/control: ratio does not go with "run"',
    );
    expect((await server.respond('sim/control', { action: 'clock_ratio' })).error.message).to.equal(
      'sim/control: "clock_ratio" needs ratio',
    );
    expect(server.ball.requests).to.deep.equal([]);
  });
});
