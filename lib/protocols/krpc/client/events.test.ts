// Events that happen for one tick, while other clients have the turns.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { simulation } from '../../../simulation/executive/simulation.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import {
  bytesOf,
  type CallFields,
  call,
  KrpcFixture,
  type KrpcTestClient,
  streamOf,
} from '../../../testing/aids/krpc-server.js';
import { withoutTurns } from '../../../testing/aids/without-turns.js';
import { DOUBLE, STRING } from '../values/type.js';

let isPulse = false;
const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  const value = sim.object('box').component('pulse', double(1));
  sim.job(0.01, () => void value.fill(isPulse ? 1 : 0));
});
const VALUE = call('VarServer', 'Get', bytesOf(STRING, 'box.pulse[0]'), bytesOf(STRING, ''));

describe('an event of kRPC in frames that are passed over', () => {
  let fixture: KrpcFixture;
  let client: KrpcTestClient;
  beforeEach(async () => {
    isPulse = false;
    fixture = await KrpcFixture.start(BOX);
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  async function made(one: CallFields): Promise<Uint8Array> {
    const { results } = await client.ask(one);
    return results[0]?.value as Uint8Array;
  }
  const expression = (name: string, ...given: Uint8Array[]): Promise<Uint8Array> =>
    made(call('KRPC', `Expression_static_${name}`, ...given));

  /** An event of a pulse, which has been started; returns its number's bytes. */
  async function pulseEvent(): Promise<Uint8Array> {
    const value = await expression('Call', streamOf(VALUE).arguments[0]?.value as Uint8Array);
    const zero = await expression('ConstantDouble', bytesOf(DOUBLE, 0));
    const event = await made(call('KRPC', 'AddEvent', await expression('GreaterThan', value, zero)));
    return event.subarray(-1);
  }
  const start = (id: Uint8Array) => client.ask(call('KRPC', 'StartStream', id));

  async function tick(isPulsed: boolean): Promise<void> {
    isPulse = isPulsed;
    fixture.turn();
    // A frame waits for two turns only.
    for (let turns = 0; turns < 4; turns++) await turn();
  }

  const told = (): number => client.updates().flat().length;

  it('is told once', async () => {
    await start(await pulseEvent());
    await fixture.ticks(3);
    expect(told()).to.equal(0);
    const letGo = withoutTurns(fixture.registry.turns);
    for (const isPulsed of [false, true, false, false]) await tick(isPulsed);
    expect(told()).to.equal(0);
    letGo();
    await fixture.ticks(3);
    expect(told()).to.equal(1);
    await fixture.ticks(3);
    expect(told()).to.equal(0);
  });

  it('is not told when it was started after them', async () => {
    const [early, late] = [await pulseEvent(), await pulseEvent()];
    await start(early);
    await fixture.ticks(3);
    const letGo = withoutTurns(fixture.registry.turns);
    for (const isPulsed of [true, false, false]) await tick(isPulsed);
    const started = start(late);
    await tick(false);
    letGo();
    await started;
    await fixture.ticks(3);
    expect(client.updates().flat()).to.have.length(1);
  });

  it('is kept while its client does not read', async () => {
    const events = 30;
    for (let count = 0; count < events; count++) await start(await pulseEvent());
    await fixture.ticks(3);
    client.streams.isStuck = true;
    client.streams.pendingBytes = 2 ** 30;
    for (const isPulsed of [false, true, false]) await tick(isPulsed);
    await fixture.ticks(3);
    expect(told()).to.equal(0);
    client.streams.read();
    await fixture.ticks(3);
    expect(told()).to.equal(events);
  });
});
