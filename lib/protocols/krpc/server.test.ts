// The kRPC server with connections in memory: rates, handshakes that take long, readers that do not read, and bounds.
import { fromBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import { type Bounds, DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { countPieces } from '../../testing/aids/computing.js';
import { turn } from '../../testing/aids/http-exchange.js';
import {
  bytesOf,
  type CallFields,
  call,
  KrpcFixture,
  list,
  messagesOf,
  streamOf,
} from '../../testing/aids/krpc-server.js';
import { MemoryConnection } from '../../testing/aids/memory-connection.js';
import { MOST_CALLS } from './client/answer.js';
import { MOST_REQUEST_BYTES } from './client/rpc-client.js';
import { MOST_STREAMS } from './client/streams.js';
import { framed } from './schema/frame-splitter.js';
import { Schema } from './schema/messages.js';
import { DOUBLE, dictionaryOf, FLOAT, listOf, SINT32, STRING, UINT64 } from './values/type.js';

const VALUES = 20_000;
const Part = struct('Part', { value: double() });
const SIMULATION = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  const box = sim.object('box');
  const ramps = box.component('ramps', double(VALUES));
  box.component('still', double(VALUES));
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

const ramp = (index: number): CallFields => call('VarServer', 'Get', bytesOf(STRING, `box.ramps[${index}]`));

describe('the kRPC server', () => {
  let fixture: KrpcFixture;

  async function start(bounds: Bounds = DEFAULT_BOUNDS, definition = SIMULATION): Promise<void> {
    fixture = await KrpcFixture.start(definition, bounds);
  }
  beforeEach(() => start());
  afterEach(() => fixture.close());

  it('sends a stream at every tick, and with a rate so many times a second', async () => {
    const client = fixture.connect();
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)));
    await fixture.ticks(3);
    client.updates();
    await fixture.ticks(10);
    expect(client.updates().map((results) => results.length)).to.deep.equal(Array(10).fill(2));
    await client.ask(call('KRPC', 'SetStreamRate', bytesOf(UINT64, 1), bytesOf(FLOAT, 25)));
    await fixture.ticks(4);
    client.updates();
    await fixture.ticks(40);
    const counts = client.updates().map((results) => results.length);
    expect(counts).to.have.length(40);
    expect(counts.filter((count) => count === 2)).to.have.length(10);
  });

  it('ends a long period with a tick that is late, and a short one with the nearest tick', async () => {
    const client = fixture.connect();
    const rate = (id: number, hertz: number) =>
      call('KRPC', 'SetStreamRate', bytesOf(UINT64, BigInt(id)), bytesOf(FLOAT, hertz));
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)), rate(0, 10), rate(1, 50));
    await fixture.ticks(1);
    client.updates();
    const early = async (tickMillis: number): Promise<number[]> => {
      await fixture.ticks(1, tickMillis);
      return client.updates().flatMap((results) => results.map(({ id }) => Number(id)));
    };
    const seen: number[][] = [];
    for (let tick = 0; tick < 12; tick++) seen.push(await early(tick === 0 ? 10.1 : 10));
    expect(seen.map(String)).to.deep.equal(['', '1', '', '1', '', '1', '', '1', '', '1', '0', '1']);
  });

  it('sends the first value at once in a freeze, also what no frame has carried yet', async () => {
    await start(DEFAULT_BOUNDS, LARGE);
    expect(fixture.local.source.frame.pages).to.not.equal(undefined);
    const client = fixture.connect();
    await client.ask(streamOf(ramp(2)));
    for (let k = 0; k < 20; k++) await turn();
    const [[first] = []] = client.updates();
    expect(Buffer.from(first?.result?.value ?? []).toString('hex')).to.equal(
      Buffer.from(bytesOf(DOUBLE, 3)).toString('hex'),
    );
  });

  it('gives a handshake three seconds from its first byte on, and no limit before', async () => {
    const silent = new MemoryConnection();
    fixture.server.acceptCalls(silent);
    fixture.clock.advance(60_000);
    expect(silent.isClosed).to.equal(false);
    silent.send(Buffer.from([200]));
    fixture.clock.advance(2_999);
    expect(silent.written).to.have.length(0);
    fixture.clock.advance(1);
    const [answer] = messagesOf(silent);
    expect(fromBinary(Schema.ConnectionResponse, answer as Uint8Array)).to.include({
      status: 2,
      message: 'Connection request message not received after waiting 3 seconds',
    });
    expect(silent.isClosed).to.equal(true);
  });

  for (const slow of [{ isStuck: true, pendingBytes: 10_000_000 }, { isBehind: true }])
    it(`leaves out whole updates for a client that is slow (${Object.keys(slow)}), and then sends the latest one`, async () => {
      const client = fixture.connect();
      for (let k = 0; k < 5; k++) await client.ask(streamOf(ramp(k)));
      await fixture.ticks(2);
      client.updates();
      Object.assign(client.streams, slow);
      await fixture.ticks(50);
      expect(client.streams.written).to.have.length(0);
      client.streams.read();
      const [latest, ...others] = client.updates();
      expect(others).to.have.length(0);
      const values = latest?.map(({ result }) => Buffer.from(result?.value as Uint8Array).readDoubleLE());
      expect(values).to.deep.equal(Array(5).fill(52));
    });

  it('counts long updates that a client does not read, and lets it go', async () => {
    const client = fixture.connect();
    client.streams.isStuck = true;
    for (let k = 0; k < 3; k++) await client.ask(streamOf(list('box.ramps', k, 10_000)));
    const unread = (): number => fixture.registry.ledger.held('unreadBytes');
    await fixture.ticks(2);
    expect(unread()).to.be.greaterThan(200_000);
    client.streams.pendingBytes += 600_000;
    client.streams.read();
    expect(unread()).to.equal(0);
    await turn();
    client.streams.isStuck = true;
    for (let k = 3; k < 12; k++) await client.ask(streamOf(list('box.ramps', k, 10_000)));
    await fixture.ticks(10);
    expect(unread()).to.be.greaterThan(512 * 1024);
    await fixture.ticks(1, 40_000);
    expect([client.streams.isClosed, unread()]).to.deep.equal([true, 0]);
    expect(fixture.logged.join()).to.match(/was let go: its answers were not taken/);
  });

  it('sends the values of a long update that a client may not hold anew', async () => {
    const client = fixture.connect();
    const [, streams] = [...fixture.registry.sessions];
    streams?.account.take('unreadBytes', DEFAULT_BOUNDS.unreadBytes.each);
    await client.ask(...Array.from({ length: 6 }, (_, k) => streamOf(list('box.still', k, 10_000))));
    await fixture.ticks(10);
    expect(client.updates()).to.have.length(0);
    streams?.account.give('unreadBytes', DEFAULT_BOUNDS.unreadBytes.each);
    await fixture.ticks(10);
    expect(client.updates().flat()).to.have.length(6);
  });

  it('looks at no more values of a client in a frame than the bound, and at the others in the next one', async () => {
    const client = fixture.connect();
    for (let k = 0; k < 12; k++)
      expect(await client.refusal(streamOf(list('box.ramps', k, 10_000)))).to.equal(undefined);
    await fixture.ticks(3);
    client.updates();
    await fixture.ticks(12);
    const looks = new Map<bigint, number>();
    for (const results of client.updates()) {
      expect(results.length).to.be.within(1, 6);
      for (const { id } of results) looks.set(id, (looks.get(id) ?? 0) + 1);
    }
    expect([...looks.values()].every((count) => count >= 5)).to.equal(true);
    expect(looks.size).to.equal(12);
  });

  it('makes a large update in pieces, with the values of one frame, and leaves out frames meanwhile', async () => {
    const client = fixture.connect();
    for (let k = 0; k < 4; k++) await client.ask(streamOf(list('box.ramps', k, 10_000)));
    await fixture.ticks(3);
    client.updates();
    const pieces = countPieces(fixture.registry.turns);
    // Each look at the clock finds it so much later.
    fixture.clock.millisPerLook = 2;
    fixture.clock.advance(10);
    for (let tick = 0; tick < 2; tick++) fixture.turn();
    while (pieces() < 9) {
      await turn();
      fixture.turn();
    }
    fixture.clock.millisPerLook = 0;
    for (let k = 0; k < 20; k++) await turn();
    const [update] = client.updates();
    expect(update).to.have.length(4);
    const firsts = update?.map(({ result }) => Buffer.from(result?.value as Uint8Array).readDoubleLE(2));
    expect(new Set(firsts)).to.have.length(1);
    expect(fixture.registry.timetable.skipped).to.be.above(0);
  });

  describe('takes turns for a call with 2000 names', () => {
    const names = Array.from({ length: 2000 }, (_, k) => `box.ramps[${k}]`);
    const many = call('VarServer', 'GetMany', bytesOf(listOf(STRING), names));
    const first = (value: Uint8Array | undefined) => Buffer.from(value as Uint8Array).readDoubleLE(2);
    let client: ReturnType<KrpcFixture['connect']>;
    beforeEach(async () => {
      client = fixture.connect();
      await fixture.ticks(3);
    });

    async function inTurns(one: CallFields) {
      const pieces = countPieces(fixture.registry.turns);
      fixture.clock.millisPerLook = 2;
      client.send(one);
      for (let k = 0; k < 200; k++) await turn();
      expect(pieces()).to.be.greaterThan(7);
      fixture.clock.millisPerLook = 0;
      fixture.turn();
      const { results } = await client.answer();
      expect(results[0]?.error).to.equal(undefined);
      return results[0]?.value;
    }

    it('that sets all in one tick', async () => {
      const values = new Map(names.map((_, k) => [`box.still[${k}]`, k]));
      await inTurns(call('VarServer', 'SetMany', bytesOf(dictionaryOf(STRING, DOUBLE), values)));
      const { results } = await client.ask(list('box.still', 1990, 10));
      expect(first(results[0]?.value)).to.equal(1990);
    });

    it('that reads, streams, or is part of an expression', async () => {
      expect(first(await inTurns(many))).to.equal(3);
      await inTurns(streamOf(many));
      await inTurns(call('KRPC', 'Expression_static_Call', streamOf(many).arguments[0]?.value as Uint8Array));
      client.updates();
      await fixture.ticks(3);
      expect(client.updates()[0]).to.have.length(1);
    });
  });

  it('refuses half a million calls, or arguments, without looking at them', async () => {
    const client = fixture.connect();
    const refused = async (body: Uint8Array): Promise<string | undefined> => {
      client.calls.send(Buffer.from(framed(body)));
      const { error, results } = await client.answer();
      return (error ?? results[0]?.error)?.description;
    };
    // The last field is no field: who looks at it refuses the connection.
    const flood = (tag: number): Buffer =>
      Buffer.concat([Buffer.alloc(1_000_000, Buffer.from([tag, 0])), Buffer.of(7)]);
    expect(await refused(flood(0x0a))).to.equal('a request may have 1000 calls');
    const one = Buffer.concat([Buffer.from([0x0a]), framed(flood(0x1a))]);
    expect(await refused(one)).to.equal('a call may have 1000 arguments, and 16 other fields');
  });

  it('refuses a request with too many calls, one that is too long, and one stream too many', async () => {
    const client = fixture.connect();
    const { error } = await client.ask(...Array.from({ length: MOST_CALLS + 1 }, () => call('KRPC', 'GetClientName')));
    expect(error?.description).to.equal('a request may have 1000 calls');
    for (let k = 0; k < MOST_STREAMS; k += 500) {
      await client.ask(...Array.from({ length: 500 }, (_, index) => streamOf(ramp(k + index))));
    }
    expect(await client.refusal(streamOf(ramp(MOST_STREAMS)))).to.equal('a client may have 2000 streams');
    const long = fixture.connect();
    long.calls.send(Buffer.from(framed(new Uint8Array(MOST_REQUEST_BYTES + 1)).subarray(0, 10)));
    await turn();
    expect(long.calls.isClosed).to.equal(true);
    expect([client.calls.isClosed, fixture.met]).to.deep.equal([false, ['message_bytes']]);
  });

  it('refuses what an account does not have, gives it back when the client goes', async () => {
    await fixture.close();
    await start({ ...DEFAULT_BOUNDS, subscriptions: { each: 2, all: 4 } });
    const client = fixture.connect();
    await client.ask(streamOf(ramp(0)), streamOf(ramp(1)));
    expect(await client.refusal(streamOf(ramp(2)))).to.equal('a client may have 2 subscriptions');
    expect(await client.refusal(streamOf(ramp(0)))).to.equal(undefined);
    expect(fixture.registry.ledger.held('subscriptions')).to.equal(2);
    expect(fixture.registry.ledger.held('valuesPerSecond')).to.equal(200);
    client.calls.leave();
    expect(fixture.registry.ledger.held('subscriptions')).to.equal(0);
    expect(fixture.registry.ledger.held('valuesPerSecond')).to.equal(0);
    expect(fixture.registry.ledger.held('keptBytes')).to.equal(0);
    expect(fixture.registry.size).to.equal(0);
  });

  it('reads no more from a client that does not take its answers', async () => {
    const client = fixture.connect();
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
    const client = fixture.connect();
    client.calls.send(Buffer.concat([framed(new Uint8Array(500_000)).subarray(0, 3), Buffer.alloc(400_000)]));
    expect(fixture.registry.ledger.held('keptBytes')).to.be.greaterThan(399_000);
    client.calls.send(Buffer.alloc(100_000));
    await turn();
    expect(fixture.registry.ledger.held('keptBytes')).to.equal(0);
    client.calls.leave();
  });

  it('ends a client that has more kept than it may, also while its last request is worked on', async () => {
    await start({ ...DEFAULT_BOUNDS, keptBytes: { each: 1000, all: 4000 } });
    const client = fixture.connect();
    const other = fixture.connect();
    const many = Array.from({ length: 400 }, () => call('KRPC', 'GetStatus'));
    client.send(...many);
    client.calls.send(Buffer.concat([framed(new Uint8Array(500_000)).subarray(0, 3), Buffer.alloc(400_000)]));
    for (let k = 0; k < 50; k++) await turn();
    expect(client.calls.isClosed).to.equal(true);
    expect(fixture.registry.ledger.held('keptBytes')).to.equal(0);
    expect(await other.refusal(call('KRPC', 'GetStatus'))).to.equal(undefined);
    expect(fixture.logged).to.deep.equal([]);
  });

  it('shows objects that have come since the last call', async () => {
    const client = fixture.connect();
    expect(await client.refusal(call('Box', 'get_Later'))).to.match(/not found/);
    await fixture.local.source.submit({
      kind: 'spawn',
      object: 'later',
      components: [{ alias: 'part', type: 'Part' }],
    });
    const { results } = await client.ask(call('Box', 'get_Later'));
    expect(results[0]?.error).to.equal(undefined);
    const path = await client.ask(call('Box', 'Later_get_VariablePath', results[0]?.value as Uint8Array));
    expect(Buffer.from(path.results[0]?.value as Uint8Array).toString()).to.include('later');
    await fixture.local.source.submit({ kind: 'despawn', object: 'later', isRecursive: false });
    expect(await client.refusal(call('Box', 'get_Later'))).to.match(/not found/);
  });

  it('ends the stream of an object that goes, with an error', async () => {
    const client = fixture.connect();
    await fixture.local.source.submit({
      kind: 'spawn',
      object: 'later',
      components: [{ alias: 'part', type: 'Part' }],
    });
    await client.ask(streamOf(call('VarServer', 'Get', bytesOf(STRING, 'later.part.value'))));
    await fixture.ticks(2);
    expect(client.updates().flat()[0]?.result?.error).to.equal(undefined);
    await fixture.local.source.submit({ kind: 'despawn', object: 'later', isRecursive: false });
    await fixture.ticks(2);
    const [told, ...others] = client.updates().flat();
    expect(told?.result?.error?.description).to.equal('later.part.value is not there any longer');
    expect(others).to.deep.equal([]);
    expect(fixture.registry.ledger.held('subscriptions')).to.equal(0);
  });

  it('reads many in one call, of one frame', async () => {
    const client = fixture.connect();
    await fixture.ticks(3);
    const names = ['box.ramps[0]', 'box.ramps[19999]'];
    const { results } = await client.ask(call('VarServer', 'GetMany', bytesOf(listOf(STRING), names)));
    expect(Buffer.from(results[0]?.value as Uint8Array).readDoubleLE(2)).to.equal(3);
    expect(fixture.logged).to.deep.equal([]);
  });

  it('refuses too many names in one call', async () => {
    const client = fixture.connect();
    const names = Array.from({ length: 2001 }, () => 'box.nowhere');
    const refused = await client.refusal(call('VarServer', 'GetMany', bytesOf(listOf(STRING), names)));
    expect(refused).to.equal('one call may have 2000 names, and this one has 2001: a request may have many calls');
    const values = new Map(names.map((name, index) => [`${name}${index}`, 1]));
    const type = dictionaryOf(STRING, DOUBLE);
    expect(await client.refusal(call('VarServer', 'SetMany', bytesOf(type, values)))).to.equal(refused);
    expect(fixture.registry.errors.byCode.get('krpc')).to.equal(2);
  });
});
