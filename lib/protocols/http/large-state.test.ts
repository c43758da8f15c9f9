// HTTP clients of a simulation whose frames carry only what readers ask for.
import { expect } from 'chai';
import { double, int, pointer } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { TestServer, turn, webSocketOf } from '../../testing/aids/http-exchange.js';
import { type LocalSource, startLocalSource } from '../../testing/aids/local-source.js';

/** 4 MB; each element holds the tick at its index. */
const DOUBLES = 2 ** 19;
const LIVE = [0, 100_000, 200_000, 300_000, 400_000, 500_000];
const alias = (index: number): string => `state.many[${index}]`;

const SIMULATION = simulation({ name: 'large', frameSeconds: 0.01 }, (sim) => {
  const state = sim.object('state');
  const far = state.component('far', pointer(double()));
  const many = state.component('many', double(DOUBLES));
  const few = state.component('few', double(10));
  const tick = state.component('tick', int());
  far.pointTo(many);
  sim.job(0.01, () => {
    tick.value += 1;
    for (const index of LIVE) many[index] = tick.value;
    few[0] = tick.value;
    if (tick.value % 10 === 0) far.pointTo(tick.value % 20 === 0 ? many : few);
  });
});

describe('a client of a large state', () => {
  let local: LocalSource;
  let server: TestServer;
  let millis = 0;

  beforeEach(async () => {
    millis = 0;
    local = await startLocalSource(SIMULATION, {
      arguments: [],
      directory: '/sims',
      file: 'large.js',
      runDirectory: 'RUN',
      nowMillis: () => millis,
    });
    server = new TestServer(undefined, {}, local.source);
  });
  afterEach(() => local.source.close());

  const ticks = async (count: number): Promise<void> => {
    for (let k = 0; k < count; k++) {
      millis += 10;
      local.host.running.turn();
      await turn();
    }
  };
  const numbersOf = (data: { values: Record<string, number> }[]): number[][] =>
    data.map(({ values }) => Object.values(values));

  it('gets values that no frame has carried before', async () => {
    await ticks(5);
    const { frame, catalog } = local.source;
    expect(frame.pages?.carried.has(catalog.find(alias(400_000))?.offsetBytes as number, 8)).to.equal(false);
    const { values } = await server.call('var/get', { aliases: [alias(400_000), alias(1), 'state.far[200000]'] });
    expect(Object.values(values)).to.deep.equal([5, 0, 5]);
  });

  it('sees its own writes, wherever they are', async () => {
    await server.call('var/set', { values: { [alias(77_777)]: 7, [alias(377_777)]: 8 } });
    const { values } = await server.call('var/get', { aliases: [alias(77_777), alias(377_777)] });
    expect(Object.values(values)).to.deep.equal([7, 8]);
  });

  it('gets every event of a subscription from the first on, its values all of one tick', async () => {
    await ticks(3);
    const { subscription_id } = await server.call('var/subscribe', {
      aliases: [...LIVE.map(alias), 'state.tick'],
      cycle_ms: 10,
    });
    const stream = await server.stream(subscription_id);
    await ticks(50);
    const numbers = numbersOf(stream.data);
    expect(numbers).to.deep.equal(Array.from({ length: 51 }, (_, k) => Array(LIVE.length + 1).fill(3 + k)));
  });

  it('gets no wrong value through a pointer that goes from page to page, and an event late rather than never', async () => {
    const { subscription_id } = await server.call('var/subscribe', {
      aliases: ['state.far[0]', 'state.tick'],
      cycle_ms: 10,
    });
    const stream = await server.stream(subscription_id);
    await ticks(100);
    const numbers = numbersOf(stream.data);
    expect(numbers.filter(([through, tick]) => through !== tick)).to.deep.equal([]);
    // One message is lost at the first change to the other page, and none at later changes.
    expect(numbers.length).to.be.within(100, 101);
  });

  it('that comes back to a subscription nobody has read for long is sent at once what frames carried no more', async () => {
    const { subscription_id } = await server.call('var/subscribe', { aliases: [alias(500_000)], cycle_ms: 1000 });
    const still = await server.call('var/subscribe', { aliases: [alias(123)], on: 'change', cycle_ms: 1000 });
    (await server.stream(still.subscription_id)).cut();
    await ticks(1);
    const realNow = Date.now;
    let wall = realNow();
    Date.now = () => wall;
    try {
      for (let age = 0; age < 4; age++) {
        wall += 11_000;
        await ticks(1);
      }
      const stream = await server.stream(subscription_id);
      await turn();
      const tick = local.source.frame.header.tick;
      expect(numbersOf(stream.data)).to.deep.equal([[tick]]);
      const again = await server.stream(still.subscription_id);
      await turn();
      expect(numbersOf(again.data)).to.deep.equal([[0]]);
    } finally {
      Date.now = realNow;
    }
  });

  it('is told by WebSocket and in binary what it is told in JSON', async () => {
    const peer = server.open(webSocketOf());
    const params = { aliases: LIVE.map(alias), cycle_ms: 10, format: 'binary' };
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params });
    await ticks(5);
    expect(peer.binaries).to.have.length(6);
    const [{ layout }] = peer.texts.map(({ result }) => result);
    const messages = peer.binaries.map(({ buffer }) =>
      layout.map(({ offset }: { offset: number }) => new DataView(buffer).getFloat64(offset, true)),
    );
    const last = local.source.frame.header.tick;
    expect(messages).to.deep.equal([5, 4, 3, 2, 1, 0].map((before) => LIVE.map(() => last - before)));
  });

  it('is refused a large read when 64 of its own are not over', async () => {
    const peer = server.open(webSocketOf());
    const large = { jsonrpc: '2.0', method: 'var/get', params: { aliases: ['state.many'] } };
    const answers = (): { id: number; error?: { code: number; message: string } }[] => peer.texts;
    for (let id = 1; id <= 65; id++) void peer.say({ ...large, id });
    while (answers().length < 2) await ticks(1);
    const refused = answers().find(({ error }) => error);
    expect(refused?.error).to.include({
      code: -23418,
      message: 'a client may have 64 large reads that are not over',
    });
    // The first one is over.
    void peer.say({ ...large, id: 66 });
    while (answers().length < 3) await ticks(1);
    expect(server.registry.ledger.held('largeReads')).to.be.within(60, 63);
    expect(answers().filter(({ error }) => error)).to.have.length(1);
    peer.leave();
    await ticks(1);
    expect(server.registry.ledger.held('largeReads')).to.equal(0);
  });

  it('is refused a read while the simulation is silent, and answered afterwards', async () => {
    await ticks(2);
    local.source.setSilence('the simulation has not answered for 5 s');
    const refused = await server.call('var/get', { aliases: [alias(200_000)] }).catch((error: Error) => error.message);
    expect(refused).to.match(/the simulation has not answered for 5 s/);
    local.source.setSilence(undefined);
    await ticks(1);
    for (const index of [300_000, 400_000]) {
      const { values } = await server.call('var/get', { aliases: [alias(index)] });
      expect(Object.keys(values)).to.have.length(1);
    }
  });

  it('is told once that the simulation was silent while it waited', async () => {
    await ticks(2);
    const { running } = local.host;
    const runTurn = running.turn.bind(running);
    running.turn = () => 0;
    const waiting = server.call('var/get', { aliases: [alias(200_000)] }).catch((error: Error) => error.message);
    await turn();
    running.turn = runTurn;
    local.source.setSilence('the simulation has not answered for 5 s');
    expect(await waiting).to.match(/the simulation has not answered for 5 s/);
    local.source.setSilence(undefined);
    await ticks(1);
    const { values } = await server.call('var/get', { aliases: [alias(300_000)] });
    expect(Object.keys(values)).to.have.length(1);
  });

  it('may wait for what a variable becomes', async () => {
    const waiting = server.call('var/wait', { condition: `${alias(300_000)} >= 12`, timeout_ms: 1000 });
    await turn();
    await ticks(20);
    expect((await waiting).value).to.equal(12);
  });

  it('is told of a change alone, wherever it is', async () => {
    const { subscription_id } = await server.call('var/subscribe', {
      aliases: [alias(123), alias(499_999)],
      cycle_ms: 10,
      on: 'change',
    });
    const stream = await server.stream(subscription_id);
    await ticks(5);
    await server.call('var/set', { alias: alias(499_999), value: 5, wait: true });
    await ticks(5);
    expect(numbersOf(stream.data)).to.deep.equal([
      [0, 0],
      [0, 5],
    ]);
  });

  it('resumes with what past frames carried, and counts the others as dropped', async () => {
    await ticks(5);
    const { subscription_id } = await server.call('var/subscribe', { aliases: [alias(400_000)], cycle_ms: 10 });
    const stream = await server.stream(subscription_id);
    await ticks(1);
    stream.cut();
    const last = /^id: (\d+)$/m.exec(stream.messages.at(-1) as string)?.[1] as string;
    await ticks(2);
    const resumed = await server.stream(subscription_id, { 'last-event-id': last });
    await ticks(1);
    expect(numbersOf(resumed.data)).to.deep.equal([[7], [8], [9]]);
    const fromBefore = await server.stream(subscription_id, { 'last-event-id': '1' });
    await ticks(1);
    expect(fromBefore.data[0].dropped).to.be.greaterThan(3);
  });

  it('may ask for metrics without a frame that is made for it', async () => {
    await ticks(2);
    const { number } = local.source.frame.header;
    const { body } = await server.ask({ path: '/metrics' });
    expect(body).to.match(/^varwire_overruns_total \d+$/m);
    await ticks(1);
    expect(local.source.frame.header.number).to.equal(number + 1);
  });

  it('is told why a value cannot be read of a simulation that is gone', async () => {
    local.source.end("the simulation's thread failed: out of memory");
    const { error } = await server.respond('var/get', { aliases: [alias(1)] });
    expect(error.message).to.equal("the simulation has ended: the simulation's thread failed: out of memory");
    expect((await server.call('sim/status')).mode).to.equal('run');
  });
});
