// What changes while Foxglove's clients are connected: objects and functions that come and go, faults that end, time that stands
// still; and numbers that JSON lacks.
import type { Channel, ParameterValues, Service } from '@foxglove/ws-protocol';
import { expect } from 'chai';
import {
  bool,
  double,
  enumeration,
  longLong,
  type ServedBeside,
  serveBeside,
  simulation,
  text,
  unsignedLongLong,
} from '../lib/index.js';
import { connectFoxglove, jsonOf, type Message } from './foxglove-client.js';

const FRAME_NANOSECONDS = 10_000_000n;
/** It is no double, and no integer that a double can hold. */
const BIG = 2n ** 53n + 1n;
const NONE = Number.NaN;

const CHANGING = simulation({ name: 'changing', frameSeconds: 0.01 }, (sim) => {
  const odd = sim
    .object('odd')
    .components(
      { numbers: double(4), one: double(), big: longLong(), small: longLong(), whole: unsignedLongLong() },
      { big: -BIG, small: -(2n ** 53n) + 1n, whole: 2n ** 64n - 1n },
    );
  const other = { flag: bool(), label: text(20), mode: enumeration('Mode', { off: 0, on: 4 }), long: double(1001) };
  sim
    .object('other')
    .components({ ...other, seen: double({ access: 'read-only' }) }, { label: 'as it was', mode: 'on' });
  sim.object('leaving').component('x', double());
  let fails = false;
  sim.job(0.01, () => {
    odd.numbers.set([NONE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1]);
    if (!fails) return;
    fails = false;
    throw new Error('the tank is empty');
  });
  sim.function('aim', { takes: { angle: double() } }, () => undefined);
  sim.function('fail', () => {
    fails = true;
  });
  sim.function('rebuild', () => {
    sim.removeObject('leaving');
    sim.object('coming').component('y', double({ units: 'm' }));
    sim.function('aim', { takes: { angle: double(), height: double() } }, () => undefined);
    sim.function('fire', () => undefined);
  });
});

interface Graph {
  readonly publishedTopics: readonly { readonly name: string }[];
  readonly subscribedTopics: readonly { readonly name: string; readonly subscriberIds: readonly string[] }[];
  readonly advertisedServices: readonly { readonly name: string }[];
  readonly removedTopics: readonly string[];
}

describe("what changes while Foxglove's clients are connected", () => {
  let server: ServedBeside;
  const ends: (() => void)[] = [];
  before(async () => {
    server = await serveBeside(CHANGING, { port: 0, discovery: false, udp: 'off', log: () => undefined });
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  after(() => server?.close());

  async function connected() {
    const client = await connectFoxglove(server.port);
    ends.push(() => client.socket.terminate());
    const services = await client.told.first<Service[]>('advertiseServices');
    let callId = 0;
    const call = async (name: string, given: object = {}): Promise<void> => {
      const serviceId = services.find((one) => one.name === name)?.id ?? 0;
      const data = new DataView(new TextEncoder().encode(JSON.stringify(given)).buffer);
      client.client.sendServiceCallRequest({ serviceId, callId: ++callId, encoding: 'json', data });
      const number = callId;
      await client.told.first<{ callId: number }>('serviceCallResponse', (one) => one.callId === number);
    };
    return { ...client, services, call };
  }

  it('has null for numbers that JSON lacks, and texts for integers that doubles lack', async () => {
    const { client, told, channel } = await connected();
    client.subscribe(channel('/odd').id);
    const isSet = (message: Message): boolean => (jsonOf(message) as { numbers: unknown[] }).numbers[3] === 0.1;
    expect(jsonOf(await told.first<Message>('message', isSet))).to.deep.equal({
      numbers: [null, null, null, 0.1],
      one: 0,
      big: `${-BIG}`,
      small: -(2 ** 53) + 1,
      whole: `${2n ** 64n - 1n}`,
    });
    // Null would be a parameter that is not set; the texts can be set again.
    client.setParameters([{ name: 'odd.big', value: `${BIG}` }], 'big');
    client.setParameters([{ name: 'odd.one', value: 'NaN' }], 'one');
    client.getParameters(['odd.numbers', 'odd.small', 'odd.big', 'odd.one'], 'all');
    const { parameters } = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'all');
    expect(parameters).to.deep.equal([
      { name: 'odd.numbers', value: ['NaN', 'Infinity', '-Infinity', 0.1] },
      { name: 'odd.small', value: -(2 ** 53) + 1 },
      { name: 'odd.big', value: `${BIG}` },
      { name: 'odd.one', value: 'NaN' },
    ]);
    client.setParameters([{ name: 'odd.one', value: 2.5 }], 'set');
    const set = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'set');
    expect(set.parameters).to.deep.equal([{ name: 'odd.one', value: 2.5, type: 'float64' }]);
  });

  it('are parameters: of each kind, followed as long as they are wanted, and answered only with an id', async () => {
    const { client, told } = await connected();
    client.getParameters([], 'all');
    const { parameters } = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'all');
    // Neither what may only be read nor what is long.
    expect(parameters.filter(({ name }) => name.startsWith('other.'))).to.deep.equal([
      { name: 'other.flag', value: false },
      { name: 'other.label', value: 'as it was' },
      { name: 'other.mode', value: 4 },
    ]);
    told.forget();
    client.subscribeParameterUpdates(['other.flag']);
    client.subscribeParameterUpdates(['other.label', 'other.nosuch']);
    const update = async (name: string, value: unknown): Promise<readonly string[]> => {
      const is = (event: ParameterValues): boolean =>
        event.id === undefined && event.parameters.some((one) => one.name === name && one.value === value);
      await told.first<ParameterValues>('parameterValues', is);
      const all = told.events.flatMap(([event, values]) =>
        event === 'parameterValues' ? (values as ParameterValues).parameters : [],
      );
      told.forget();
      return [...new Set(all.map((parameter) => parameter.name))].sort();
    };
    const set = (flag: boolean, label: string, mode: string): void =>
      client.setParameters([
        { name: 'other.flag', value: flag },
        { name: 'other.label', value: label },
        { name: 'other.mode', value: mode },
      ]);
    set(true, 'new', 'off');
    expect(await update('other.label', 'new')).to.deep.equal(['other.flag', 'other.label']);
    client.unsubscribeParameterUpdates(['other.flag']);
    set(false, 'newer', 'on');
    expect(await update('other.label', 'newer')).to.deep.equal(['other.label']);
    client.subscribeParameterUpdates([]);
    set(true, 'newest', 'off');
    expect(await update('other.mode', 0)).to.include.members(['other.flag', 'other.label', 'other.mode']);
    client.unsubscribeParameterUpdates([]);
    set(false, 'last', 'on');
    client.getParameters(['other.label'], 'label');
    const { parameters: now } = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'label');
    expect(now).to.deep.equal([{ name: 'other.label', value: 'last' }]);
  });

  it('is the time, which stands still in a freeze and goes on by steps', async () => {
    const { told, call } = await connected();
    const times = (): bigint[] =>
      told.events.flatMap(([name, event]) => (name === 'time' ? (event as { timestamp: bigint }).timestamp : []));
    const latest = (): bigint => times().at(-1) ?? 0n;
    await call('/sim/freeze');
    told.forget();
    const { timestamp: frozen } = await told.first<{ timestamp: bigint }>('time');
    await call('/sim/step', { frames: 3 });
    await told.first<{ timestamp: bigint }>('time', ({ timestamp }) => timestamp === frozen + 3n * FRAME_NANOSECONDS);
    expect(latest()).to.equal(frozen + 3n * FRAME_NANOSECONDS);
    for (const [index, time] of times().entries()) expect(time >= (times()[index - 1] ?? 0n)).to.equal(true);
    await call('/sim/run');
    await told.first<{ timestamp: bigint }>('time', ({ timestamp }) => timestamp > frozen + 3n * FRAME_NANOSECONDS);
  });

  it('is a fault, told to those who come later too, and taken back when it is over', async () => {
    const { told, call } = await connected();
    await call('/fail');
    const fault = await told.first<{ level: number; message: string; id?: string }>('status');
    expect(fault).to.include({ level: 2, id: 'fault' });
    expect(fault.message).to.match(/^[^\n]*the tank is empty[^\n]*$/);
    const later = await connected();
    expect(await later.told.first('status')).to.deep.equal(fault);
    await call('/sim/run');
    for (const one of [told, later.told])
      expect(await one.first('removeStatus')).to.deep.equal({ op: 'removeStatus', statusIds: ['fault'] });
  });

  it('are channels, services and the connection graph', async () => {
    const one = await connected();
    const follower = await connected();
    follower.client.subscribeConnectionGraph();
    const whole = await follower.told.first<Graph>('connectionGraphUpdate');
    expect(whole.publishedTopics.map(({ name }) => name)).to.include.members(['/odd', '/leaving', '/varwire/log']);
    expect(whole.advertisedServices.map(({ name }) => name)).to.include.members(['/sim/run', '/aim']);
    const leaving = one.channel('/leaving');
    const subscription = one.client.subscribe(leaving.id);
    await one.told.first<Message>('message');
    await follower.told.first<Graph>('connectionGraphUpdate', ({ subscribedTopics: [topic] }) => topic !== undefined);
    follower.told.forget();

    await one.call('/rebuild');
    expect(await one.told.first('unadvertise')).to.deep.equal([leaving.id]);
    const isNew = ([first]: Channel[]): boolean => first?.topic === '/coming';
    const [coming] = await one.told.first<Channel[]>('advertise', isNew);
    expect([...one.channels.map(({ id }) => id)]).to.not.include(coming?.id);
    const aim = one.services.find(({ name }) => name === '/aim') as Service;
    expect(await one.told.first('unadvertiseServices')).to.deep.equal([aim.id]);
    const isAim = (services: Service[]): boolean => services.some(({ name }) => name === '/fire');
    const services = await one.told.first<Service[]>('advertiseServices', isAim);
    expect(services.map(({ name }) => name)).to.deep.equal(['/aim', '/fire']);
    expect(services.map(({ id }) => id)).to.not.include(aim.id);

    // That the topic has no subscriber any more may be told before.
    const update = await follower.told.first<Graph>(
      'connectionGraphUpdate',
      ({ removedTopics }) => removedTopics.length > 0,
    );
    expect(update).to.deep.include({ subscribedTopics: [], removedTopics: ['/leaving'], removedServices: [] });
    expect(update.publishedTopics).to.deep.equal([{ name: '/coming', publisherIds: ['varwire'] }]);
    expect(update.advertisedServices).to.deep.equal([{ name: '/fire', providerIds: ['varwire'] }]);

    // What has gone can be neither subscribed nor left, and a call of a service that has gone fails.
    one.told.forget();
    one.client.unsubscribe(subscription);
    one.sends({ op: 'subscribe', subscriptions: [{ id: 50, channelId: leaving.id }] });
    for (const sentence of [
      `unsubscribe: there is no subscription ${subscription}`,
      'subscribe: there is no such channel',
    ])
      await one.told.first<{ message: string }>('status', ({ message }) => message === sentence);
    one.client.sendServiceCallRequest({
      serviceId: aim.id,
      callId: 77,
      encoding: 'json',
      data: new DataView(new ArrayBuffer(0)),
    });
    expect(await one.told.first('serviceCallFailure')).to.include({
      callId: 77,
      message: `there is no service ${aim.id}`,
    });
  });
});
