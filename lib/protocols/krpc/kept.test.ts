// What the server keeps for a client of kRPC, and what it computes in a frame, is counted and ends with the client.

import { expect } from 'chai';
import { double, struct, text } from '../../model/state/declare.js';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { turn } from '../../testing/aids/http-exchange.js';
import {
  bytesOf,
  type CallFields,
  call,
  KrpcFixture,
  type KrpcTestClient,
  list,
  streamOf,
} from '../../testing/aids/krpc-server.js';
import { MOST_QUESTIONS } from './client/frame-sources.js';
import { framed } from './schema/frame-splitter.js';
import { listOf, SINT32, STRING, UINT64 } from './values/type.js';

const MIB = 1024 * 1024;
let calls = 0;
let said = '';
const Told = struct('Told', { said: text(200_000) });
const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  const box = sim.object('box');
  box.component('ramps', double(20_000));
  const told = box.component('told', Told);
  sim.job(0.01, () => {
    told.said = said;
  });
  const takes = { start: double() };
  sim.function('count', { takes, gives: double(), about: 'counts its calls' }, () => ++calls);
});

const expression = (name: string, ...given: Uint8Array[]): CallFields =>
  call('KRPC', `Expression_static_${name}`, ...given);
const many = (count: number): CallFields =>
  call(
    'VarServer',
    'GetMany',
    bytesOf(
      listOf(STRING),
      Array.from({ length: count }, (_, k) => `box.ramps[${k}]`),
    ),
  );
const argumentOf = (one: CallFields): Uint8Array => streamOf(one).arguments[0]?.value as Uint8Array;

describe('what kRPC does for a client', () => {
  let fixture: KrpcFixture;
  let client: KrpcTestClient;

  const kept = (): number => fixture.registry.ledger.held('keptBytes');
  const begin = async (each: number): Promise<void> => {
    calls = 0;
    said = '';
    fixture = await KrpcFixture.start(BOX, { ...DEFAULT_BOUNDS, keptBytes: { each, all: 16 * each } });
    client = fixture.connect();
  };
  beforeEach(() => begin(16 * MIB));
  afterEach(async () => {
    client.calls.leave();
    expect(kept()).to.equal(0);
    await fixture.close();
  });

  it('counts clients that are let go because unfinished requests take too much', async () => {
    const clients = Array.from({ length: 65 }, () => fixture.connect());
    const unfinished = Buffer.from(framed(new Uint8Array(MIB))).subarray(0, MIB);
    for (const one of clients) one.calls.send(unfinished);
    expect(clients.filter(({ calls: { isClosed } }) => isClosed)).to.deep.equal([clients[0]]);
    expect(fixture.met).to.deep.equal(['unfinished_messages']);
    for (const one of clients) one.calls.leave();
  });

  /** The bytes of an expression. */
  async function made(one: CallFields): Promise<Uint8Array> {
    const { results } = await client.ask(one);
    return results[0]?.value as Uint8Array;
  }

  /** Asks again and again until it is refused. */
  async function refusedAfter(one: (count: number) => CallFields): Promise<number> {
    for (let count = 0; count < 500; count++) {
      const sentence = await client.refusal(one(count));
      if (!sentence) continue;
      expect(sentence).to.match(/^a client may have 16777216 bytes/);
      return count;
    }
    throw new Error('nothing was refused');
  }

  const sumOf = async (one: CallFields): Promise<Uint8Array> =>
    made(expression('Sum', await made(expression('Call', argumentOf(one)))));

  /** The error with which an event ends. */
  async function eventError(condition: Uint8Array): Promise<string | undefined> {
    const event = await made(call('KRPC', 'AddEvent', condition));
    await client.ask(call('KRPC', 'StartStream', event.subarray(-1)));
    await fixture.ticks(3);
    return client.updates().flat()[0]?.result?.error?.description;
  }

  it('counts the texts of its expressions', async () => {
    const long = bytesOf(STRING, 'x'.repeat(400_000));
    expect(await refusedAfter(() => expression('ConstantString', long))).to.be.within(5, 21);
  });

  it('counts the names of parameters', async () => {
    const long = bytesOf(STRING, 'x'.repeat(400_000));
    const type = await made(call('KRPC', 'Type_static_Int'));
    expect(await refusedAfter(() => expression('Parameter', long, type))).to.be.within(5, 21);
  });

  it('counts the variables that its expressions read', async () => {
    const one = argumentOf(many(2000));
    expect(await refusedAfter(() => expression('Call', one))).to.be.within(8, 50);
  });

  it('counts the values that calls in expressions keep of a frame', async () => {
    const row = (count: number) => expression('Call', argumentOf(list('box.ramps', count, 10_000)));
    expect(await refusedAfter(row)).to.be.within(90, 105);
  });

  it('counts the values of its streams, also of slow ones', async () => {
    await fixture.close();
    await begin(8_000_000);
    const slow = async (count: number): Promise<string | undefined> => {
      const refusal = await client.refusal(streamOf(list('box.ramps', count, 10_000)));
      await client.ask(call('KRPC', 'SetStreamRate', bytesOf(UINT64, BigInt(count)), new Uint8Array([0, 0, 0, 0x3c])));
      return refusal;
    };
    const refusals: (string | undefined)[] = [];
    for (let count = 0; count < 60; count++) refusals.push(await slow(count));
    expect(refusals.filter((refusal) => !refusal).length).to.be.within(10, 25);
    expect(refusals.at(-1)).to.match(/^a client may have 8000000 bytes/);
    const before = kept();
    await client.ask(call('KRPC', 'RemoveStream', bytesOf(UINT64, 0n)));
    expect(kept()).to.be.below(before - 100_000);
  });

  it('counts a text that has become longer, and ends its stream when that is too much', async () => {
    await fixture.close();
    await begin(200_000);
    await client.ask(streamOf(call('VarServer', 'GetText', bytesOf(STRING, 'box.told.said'))));
    await fixture.ticks(2);
    const before = kept();
    said = 'x'.repeat(10_000);
    await fixture.ticks(2);
    expect(kept() - before).to.be.within(10_000, 50_000);
    expect(client.updates().flat().at(-1)?.result?.error).to.equal(undefined);
    said = 'x'.repeat(100_000);
    await fixture.ticks(2);
    expect(client.updates().flat().at(-1)?.result?.error?.description).to.match(/^a client may have 200000 bytes/);
    expect(kept()).to.equal(0);
  });

  it('counts a request that it works on, and refuses one for which there is no room', async () => {
    const large = Array.from({ length: 5 }, () => many(2000));
    fixture.clock.millisPerLook = 2;
    client.send(...large);
    await turn();
    expect(kept()).to.be.greaterThan(400_000);
    fixture.clock.millisPerLook = 0;
    expect((await client.answer()).results[0]?.error).to.equal(undefined);
    expect(kept()).to.equal(0);
    await fixture.close();
    await begin(200_000);
    const { error } = await client.ask(...large);
    expect(error?.description).to.match(/^a client may have 200000 bytes/);
    expect(await client.refusal(call('KRPC', 'GetStatus'))).to.equal(undefined);
  });

  it('gives the copy of a frame back when its client leaves while an update is made of it', async () => {
    const { copies } = fixture.registry;
    const { take, giveBack } = copies;
    let held = 0;
    copies.take = (frame) => {
      held++;
      return take.call(copies, frame);
    };
    copies.giveBack = (copy) => {
      held--;
      giveBack.call(copies, copy);
    };
    for (let k = 0; k < 4; k++) await client.ask(streamOf(list('box.ramps', k, 10_000)));
    fixture.clock.millisPerLook = 2;
    fixture.turn();
    while (held === 0) await turn();
    client.calls.leave();
    while (held > 0) await turn();
    fixture.clock.millisPerLook = 0;
  });

  it('counts an answer while it is made', async () => {
    await fixture.close();
    await begin(300_000);
    const { results } = await client.ask(...Array.from({ length: 6 }, (_, k) => list('box.ramps', k, 10_000)));
    expect(results.map(({ error }) => error?.description ?? '')).to.satisfy(
      (told: string[]) =>
        told.slice(0, 2).every((one) => one === '') && told.slice(3).every((one) => /^a client may have/.test(one)),
    );
    expect(kept()).to.equal(0);
  });

  it('asks procedures so often in a frame, each in its turn', async () => {
    const count = (start: number): CallFields => call('Box', 'Count', new Uint8Array(new Float64Array([start]).buffer));
    const streams = Array.from({ length: 3 * MOST_QUESTIONS }, (_, k) => streamOf(count(k)));
    await client.ask(...streams);
    calls = 0;
    await fixture.ticks(1);
    await fixture.ticks(1);
    expect(calls).to.be.within(1, 2 * MOST_QUESTIONS);
    const seen = new Set<bigint>();
    let ticks = 2;
    for (; seen.size < streams.length && ticks < 100; ticks++) {
      await fixture.ticks(1);
      for (const { id } of client.updates().flat()) seen.add(id);
    }
    expect(seen.size).to.equal(streams.length);
    expect(calls).to.be.at.most((ticks + 1) * MOST_QUESTIONS);
  });

  it('counts the values that an expression reads as steps', async () => {
    const sum = await sumOf(list('box.ramps', 0, 100));
    const zero = await made(expression('ConstantDouble', new Uint8Array(8)));
    expect(await eventError(await made(expression('LessThan', sum, zero)))).to.equal(undefined);
    const parameter = await made(
      expression('Parameter', bytesOf(STRING, 'x'), await made(call('KRPC', 'Type_static_Double'))),
    );
    const read = await made(expression('Call', argumentOf(list('box.ramps', 0, 10_000))));
    const first = await made(expression('Get', read, await made(expression('ConstantInt', bytesOf(SINT32, 0)))));
    const inner = await made(expression('Function', Uint8Array.of(0x0a, parameter.length, ...parameter), first));
    const hundred = await made(expression('Call', argumentOf(list('box.ramps', 0, 100))));
    const selected = await made(expression('Select', hundred, inner));
    const never = await made(expression('LessThan', await made(expression('Sum', selected)), zero));
    expect(await eventError(never)).to.equal('an expression may take 20000 steps in a frame');
  });

  it('counts the characters of texts that are compared, and the items of lists', async () => {
    const long = await made(expression('ConstantString', bytesOf(STRING, 'x'.repeat(1_000_000))));
    expect(await eventError(await made(expression('NotEqual', long, long)))).to.equal(
      'an expression may take 20000 steps in a frame',
    );
  });
});
