// The kRPC server with connections in memory: rates, handshakes that take long, readers that do not read, and bounds.
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { simulation } from '../executive/simulation.js';
import { double, struct } from '../model/declare.js';
import { type Bounds, DEFAULT_BOUNDS } from '../session/account.js';
import { SessionRegistry } from '../session/registry.js';
import { type LocalSource, startLocalSource } from '../source/local-source.js';
import { ComputingClock, countPieces } from '../testing/aids/computing.js';
import { turn } from '../testing/aids/http-exchange.js';
import { MemoryConnection } from '../testing/aids/memory-connection.js';
import { MOST_CALLS } from './client/answer.js';
import { MOST_REQUEST_BYTES } from './client/rpc-client.js';
import { MOST_STREAMS } from './client/streams.js';
import { Clients } from './clients.js';
import { FrameSplitter, framed } from './schema/frame-splitter.js';
import { Schema } from './schema/messages.js';
import { KrpcServer } from './server.js';
import { encodeValue } from './values/encode.js';
import { DOUBLE, FLOAT, type KrpcType, type KrpcValue, listOf, SINT32, STRING, UINT64 } from './values/type.js';

const VALUES = 20_000;
const Part = struct('Part', { value: double() });
const SIMULATION = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  const box = sim.object('box');
  const ramps = box.component('ramps', double(VALUES));
  sim.type(Part);
  sim.job(0.01, () => {
    for (let k = 0; k < VALUES; k++) ramps[k] = (ramps[k] as number) + 1;
  });
});

/** Its frames carry only what somebody has asked for. */
const LARGE = simulation({ name: 'box', frameSeconds: 0.01, startFrozen: true }, (sim) => {
  const box = sim.object('box');
  box.component('ballast', double(200_000));
  box.component('ramps', double(4), [1, 2, 3, 4]);
});

type CallFields = MessageInitShape<typeof Schema.procedureCall>;
const NO_OBJECTS = { numberOf: () => 0, objectOf: () => undefined };
const bytesOf = (type: KrpcType, value: KrpcValue): Uint8Array => encodeValue(type, value, NO_OBJECTS);
const call = (service: string, procedure: string, ...values: Uint8Array[]): CallFields => ({
  service,
  procedure,
  arguments: values.map((value, position) => ({ position, value })),
});
const ramp = (index: number): CallFields => call('VarServer', 'Get', bytesOf(STRING, `box.ramps[${index}]`));
const list = (path: string, first: number, count: number): CallFields =>
  call(
    'VarServer',
    'GetList',
    bytesOf(STRING, path),
    bytesOf(STRING, ''),
    bytesOf(SINT32, first),
    bytesOf(SINT32, count),
  );
const streamOf = (one: CallFields): CallFields =>
  call('KRPC', 'AddStream', toBinary(Schema.procedureCall, create(Schema.procedureCall, one)));

describe('the kRPC server', () => {
  let local: LocalSource;
  let clock: ComputingClock;
  let server: KrpcServer;
  let registry: SessionRegistry;
  let millis = 0;
  const logged: string[] = [];

  async function start(bounds: Bounds = DEFAULT_BOUNDS, definition = SIMULATION): Promise<void> {
    millis = 0;
    logged.length = 0;
    local = await startLocalSource(definition, {
      arguments: [],
      directory: '/sims',
      file: 'box.js',
      runDirectory: 'RUN',
      nowMillis: () => millis,
    });
    clock = new ComputingClock();
    registry = new SessionRegistry(local.source, clock, undefined, bounds);
    const log = (_: string, text: string): void => void logged.push(text);
    const clients = new Clients();
    server = new KrpcServer({ registry, log, version: '1.2.3', added: { services: [] }, clients });
  }
  beforeEach(() => start());
  afterEach(async () => {
    server.close();
    registry.close();
    await local.source.close();
  });

  async function ticks(count: number): Promise<void> {
    for (let k = 0; k < count; k++) {
      millis += 10;
      clock.advance(10);
      local.host.running.turn();
      await turn();
    }
  }

  function messagesOf(connection: MemoryConnection): Uint8Array[] {
    const splitter = new FrameSplitter(2 ** 26);
    splitter.push(Buffer.concat(connection.written.splice(0)));
    const messages: Uint8Array[] = [];
    for (let next = splitter.next(); next; next = splitter.next()) messages.push(next);
    return messages;
  }

  class Client {
    readonly calls = new MemoryConnection();
    readonly streams = new MemoryConnection();

    connect(): this {
      server.acceptCalls(this.calls);
      this.calls.send(Buffer.from(framed(toBinary(Schema.connectionRequest, create(Schema.connectionRequest, {})))));
      const [answer] = messagesOf(this.calls);
      const { clientIdentifier } = fromBinary(Schema.connectionResponse, answer as Uint8Array);
      server.acceptStreams(this.streams);
      const request = create(Schema.connectionRequest, { type: 1, clientIdentifier });
      this.streams.send(Buffer.from(framed(toBinary(Schema.connectionRequest, request))));
      messagesOf(this.streams);
      return this;
    }

    send(...calls: CallFields[]): void {
      this.calls.send(Buffer.from(framed(toBinary(Schema.request, create(Schema.request, { calls })))));
    }

    async ask(...calls: CallFields[]) {
      this.send(...calls);
      return this.answer();
    }

    async answer() {
      for (let k = 0; k < 20_000; k++) {
        const [message] = messagesOf(this.calls);
        if (message) return fromBinary(Schema.response, message);
        await turn();
      }
      throw new Error('there is no answer');
    }

    /** The error of one call, or nothing. */
    async refusal(one: CallFields): Promise<string | undefined> {
      const { error, results } = await this.ask(one);
      return (error ?? results[0]?.error)?.description;
    }

    updates() {
      return messagesOf(this.streams).map((message) => fromBinary(Schema.streamUpdate, message).results);
    }
  }

  it('sends a stream at every tick, and with a rate so many times a second', async () => {
    const client = new Client().connect();
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)));
    await ticks(3);
    client.updates();
    await ticks(10);
    expect(client.updates().map((results) => results.length)).to.deep.equal(Array(10).fill(2));
    await client.ask(call('KRPC', 'SetStreamRate', bytesOf(UINT64, 1), bytesOf(FLOAT, 25)));
    await ticks(4);
    client.updates();
    await ticks(40);
    const counts = client.updates().map((results) => results.length);
    expect(counts).to.have.length(40);
    expect(counts.filter((count) => count === 2)).to.have.length(10);
  });

  it('ends a long period with a tick that is late, and a short one with the nearest tick', async () => {
    const client = new Client().connect();
    const rate = (id: number, hertz: number) =>
      call('KRPC', 'SetStreamRate', bytesOf(UINT64, BigInt(id)), bytesOf(FLOAT, hertz));
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)), rate(0, 10), rate(1, 50));
    await ticks(1);
    client.updates();
    const early = async (tickMillis: number): Promise<number[]> => {
      millis += 10;
      clock.advance(tickMillis);
      local.host.running.turn();
      await turn();
      return client.updates().flatMap((results) => results.map(({ id }) => Number(id)));
    };
    const seen: number[][] = [];
    for (let tick = 0; tick < 12; tick++) seen.push(await early(tick === 0 ? 10.1 : 10));
    expect(seen.map(String)).to.deep.equal(['', '1', '', '1', '', '1', '', '1', '', '1', '0', '1']);
  });

  it('sends the first value at once in a freeze, also what no frame has carried yet', async () => {
    await start(DEFAULT_BOUNDS, LARGE);
    expect(local.source.frame.pages).to.not.equal(undefined);
    const client = new Client().connect();
    await client.ask(streamOf(ramp(2)));
    for (let k = 0; k < 20; k++) await turn();
    const [[first] = []] = client.updates();
    expect(Buffer.from(first?.result?.value ?? []).toString('hex')).to.equal(
      Buffer.from(bytesOf(DOUBLE, 3)).toString('hex'),
    );
  });

  it('gives a handshake three seconds from its first byte on, and no limit before', async () => {
    const silent = new MemoryConnection();
    server.acceptCalls(silent);
    clock.advance(60_000);
    expect(silent.isClosed).to.equal(false);
    silent.send(Buffer.from([200]));
    clock.advance(2_999);
    expect(silent.written).to.have.length(0);
    clock.advance(1);
    const [answer] = messagesOf(silent);
    expect(fromBinary(Schema.connectionResponse, answer as Uint8Array)).to.include({
      status: 2,
      message: 'Connection request message not received after waiting 3 seconds',
    });
    expect(silent.isClosed).to.equal(true);
  });

  it('leaves out whole updates for a client that does not read, and then sends the latest one', async () => {
    const client = new Client().connect();
    for (let k = 0; k < 5; k++) await client.ask(streamOf(ramp(k)));
    await ticks(2);
    client.updates();
    client.streams.isStuck = true;
    client.streams.pendingBytes = 10_000_000;
    await ticks(50);
    expect(client.streams.written).to.have.length(0);
    client.streams.read();
    const [latest, ...others] = client.updates();
    expect(others).to.have.length(0);
    const values = latest?.map(({ result }) => Buffer.from(result?.value as Uint8Array).readDoubleLE());
    expect(values).to.deep.equal(Array(5).fill(52));
  });

  it('looks at no more values of a client in a frame than the bound, and at the others in the next one', async () => {
    const client = new Client().connect();
    for (let k = 0; k < 12; k++)
      expect(await client.refusal(streamOf(list('box.ramps', k, 10_000)))).to.equal(undefined);
    await ticks(3);
    client.updates();
    await ticks(12);
    const looks = new Map<bigint, number>();
    for (const results of client.updates()) {
      expect(results.length).to.be.within(1, 6);
      for (const { id } of results) looks.set(id, (looks.get(id) ?? 0) + 1);
    }
    expect([...looks.values()].every((count) => count >= 5)).to.equal(true);
    expect(looks.size).to.equal(12);
  });

  it('makes a large update in pieces, with the values of one frame, and leaves out frames meanwhile', async () => {
    const client = new Client().connect();
    for (let k = 0; k < 4; k++) await client.ask(streamOf(list('box.ramps', k, 10_000)));
    await ticks(3);
    client.updates();
    const pieces = countPieces(registry.sending);
    // Each look at the clock finds it so much later.
    clock.millisPerLook = 2;
    clock.advance(10);
    for (let tick = 0; tick < 2; tick++) {
      millis += 10;
      local.host.running.turn();
    }
    while (pieces() < 3) {
      await turn();
      millis += 10;
      local.host.running.turn();
    }
    clock.millisPerLook = 0;
    for (let k = 0; k < 20; k++) await turn();
    const [update] = client.updates();
    expect(update).to.have.length(4);
    const firsts = update?.map(({ result }) => Buffer.from(result?.value as Uint8Array).readDoubleLE(2));
    expect(new Set(firsts)).to.have.length(1);
  });

  it('refuses half a million calls, or arguments, in pieces, without decoding them', async () => {
    const client = new Client().connect();
    const pieces = countPieces(registry.turns);
    clock.millisPerLook = 2;
    const refused = async (body: Uint8Array): Promise<string | undefined> => {
      client.calls.send(Buffer.from(framed(body)));
      const { error, results } = await client.answer();
      return (error ?? results[0]?.error)?.description;
    };
    const COUNT = 500_000;
    const calls = await refused(Buffer.alloc(2 * COUNT, Buffer.from([0x0a, 0])));
    expect(calls).to.equal(`a request may have 1000 calls, and this one has ${COUNT}`);
    expect(pieces()).to.be.greaterThan(100);
    const before = pieces();
    const empty = Buffer.alloc(2 * COUNT, Buffer.from([0x1a, 0]));
    const one = Buffer.concat([Buffer.from([0x0a]), framed(empty)]);
    expect(await refused(one)).to.equal(`a call may have 1000 arguments, and this one has ${COUNT}`);
    expect(pieces() - before).to.be.greaterThan(100);
  });

  it('refuses a request with too many calls, one that is too long, and one stream too many', async () => {
    const client = new Client().connect();
    const { error } = await client.ask(...Array.from({ length: MOST_CALLS + 1 }, () => call('KRPC', 'GetClientName')));
    expect(error?.description).to.equal('a request may have 1000 calls, and this one has 1001');
    for (let k = 0; k < MOST_STREAMS; k += 500) {
      await client.ask(...Array.from({ length: 500 }, (_, index) => streamOf(ramp(k + index))));
    }
    expect(await client.refusal(streamOf(ramp(MOST_STREAMS)))).to.equal('a client may have 2000 streams');
    const long = new Client().connect();
    long.calls.send(Buffer.from(framed(new Uint8Array(MOST_REQUEST_BYTES + 1)).subarray(0, 10)));
    expect(long.calls.isClosed).to.equal(true);
    expect(client.calls.isClosed).to.equal(false);
  });

  it('refuses what an account does not have, gives it back when the client goes', async () => {
    await server.close();
    await start({ ...DEFAULT_BOUNDS, subscriptions: { each: 2, all: 4 } });
    const client = new Client().connect();
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)));
    expect(await client.refusal(streamOf(ramp(2)))).to.equal('a client may have 2 subscriptions');
    expect(await client.refusal(streamOf(ramp(0)))).to.equal(undefined);
    expect(registry.ledger.held('subscriptions')).to.equal(2);
    expect(registry.ledger.held('valuesPerSecond')).to.equal(200);
    client.calls.leave();
    expect(registry.ledger.held('subscriptions')).to.equal(0);
    expect(registry.ledger.held('valuesPerSecond')).to.equal(0);
    expect(registry.ledger.held('keptBytes')).to.equal(0);
    expect(registry.size).to.equal(0);
  });

  it('reads no more from a client that does not take its answers', async () => {
    const client = new Client().connect();
    client.calls.isStuck = true;
    const many = Array.from({ length: 20 }, (_, k) =>
      call('VarServer', 'GetList', bytesOf(STRING, 'box.ramps'), bytesOf(STRING, ''), bytesOf(SINT32, k)),
    );
    for (let k = 0; k < 5; k++) client.send(...many);
    for (let k = 0; k < 50; k++) await turn();
    expect(client.calls.isReading).to.equal(false);
    expect(client.calls.pendingBytes).to.be.below(5_000_000);
    const before = messagesOf(client.calls).length;
    client.calls.read();
    for (let k = 0; k < 200; k++) await turn();
    expect(before + messagesOf(client.calls).length).to.equal(5);
    expect(client.calls.isReading).to.equal(true);
  });

  it('counts what it keeps of a request that is not complete', async () => {
    const client = new Client().connect();
    client.calls.send(Buffer.concat([framed(new Uint8Array(500_000)).subarray(0, 3), Buffer.alloc(400_000)]));
    expect(registry.ledger.held('keptBytes')).to.be.greaterThan(399_000);
    client.calls.send(Buffer.alloc(100_000));
    expect(registry.ledger.held('keptBytes')).to.equal(0);
    client.calls.leave();
  });

  it('ends a client that has more kept than it may, also while its last request is worked on', async () => {
    await start({ ...DEFAULT_BOUNDS, keptBytes: { each: 1000, all: 4000 } });
    const client = new Client().connect();
    const other = new Client().connect();
    const many = Array.from({ length: 400 }, () => call('KRPC', 'GetStatus'));
    client.send(...many);
    client.calls.send(Buffer.concat([framed(new Uint8Array(500_000)).subarray(0, 3), Buffer.alloc(400_000)]));
    for (let k = 0; k < 50; k++) await turn();
    expect(client.calls.isClosed).to.equal(true);
    expect(registry.ledger.held('keptBytes')).to.equal(0);
    expect(await other.refusal(call('KRPC', 'GetStatus'))).to.equal(undefined);
    expect(logged).to.deep.equal([]);
  });

  it('shows objects that have come since the last call', async () => {
    const client = new Client().connect();
    expect(await client.refusal(call('Box', 'get_Later'))).to.match(/not found/);
    await local.source.submit({ kind: 'spawn', object: 'later', components: [{ alias: 'part', type: 'Part' }] });
    const { results } = await client.ask(call('Box', 'get_Later'));
    expect(results[0]?.error).to.equal(undefined);
    const path = await client.ask(call('Box', 'Later_get_VariablePath', results[0]?.value as Uint8Array));
    expect(Buffer.from(path.results[0]?.value as Uint8Array).toString()).to.include('later');
    await local.source.submit({ kind: 'despawn', object: 'later', isRecursive: false });
    expect(await client.refusal(call('Box', 'get_Later'))).to.match(/not found/);
  });

  it('ends the stream of an object that goes, with an error', async () => {
    const client = new Client().connect();
    await local.source.submit({ kind: 'spawn', object: 'later', components: [{ alias: 'part', type: 'Part' }] });
    await client.ask(streamOf(call('VarServer', 'Get', bytesOf(STRING, 'later.part.value'))));
    await ticks(2);
    expect(client.updates().flat()[0]?.result?.error).to.equal(undefined);
    await local.source.submit({ kind: 'despawn', object: 'later', isRecursive: false });
    await ticks(2);
    const [told, ...others] = client.updates().flat();
    expect(told?.result?.error?.description).to.equal('later.part.value is not there any longer');
    expect(others).to.deep.equal([]);
    expect(registry.ledger.held('subscriptions')).to.equal(0);
  });

  it('reads many in one call, of one frame', async () => {
    const client = new Client().connect();
    await ticks(3);
    const names = ['box.ramps[0]', 'box.ramps[19999]'];
    const { results } = await client.ask(call('VarServer', 'GetMany', bytesOf(listOf(STRING), names)));
    expect(Buffer.from(results[0]?.value as Uint8Array).readDoubleLE(2)).to.equal(3);
    expect(logged).to.deep.equal([]);
  });
});
