// Foxglove's own client connects, subscribes, sets and calls; and each message of the protocol is answered.
import { readFileSync } from 'node:fs';
import type { Channel, ParameterValues, Service } from '@foxglove/ws-protocol';
import { expect } from 'chai';
import type { WebSocket } from 'ws';
import { parseServed } from '../lib/clients/cli/run.js';
import { type RunningServer, serve } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { connectFoxglove, jsonOf, type Message } from './foxglove-client.js';

const PAGE = new URL('../../docs/foxglove.md', import.meta.url);
const BALL = new URL('../sims/ball.js', import.meta.url);

/** The first element of a parameter's list. */
const firstOf = ({ parameters: [parameter] }: ParameterValues): unknown =>
  (parameter?.value as number[] | undefined)?.[0];

describe("Foxglove's client", () => {
  let server: RunningServer;
  const sockets: WebSocket[] = [];
  before(async () => {
    server = await serve(BALL, { port: 0, discovery: false, foxglove: 0 });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });
  after(() => server.close());

  const ownPort = (): number => server.endpoints.filter(({ name }) => name === 'foxglove').at(-1)?.port ?? 0;

  async function connected(port = server.port, subprotocol?: string) {
    const client = await connectFoxglove(port, subprotocol);
    sockets.push(client.socket);
    return client;
  }

  it('is told of the server, the objects with their schemas, and the services', async () => {
    const { told, channel } = await connected();
    const info = await told.first<{ name: string; capabilities: string[]; sessionId: string }>('serverInfo');
    expect(info).to.deep.include({ name: 'ball', supportedEncodings: ['json'], metadata: { clock: 'sim_elapsed' } });
    expect(info.capabilities).to.deep.equal([
      'time',
      'parameters',
      'parametersSubscribe',
      'services',
      'connectionGraph',
      'assets',
    ]);
    const { schema, ...ball } = channel('/ball');
    expect(ball).to.include({ encoding: 'json', schemaName: 'ball', schemaEncoding: 'jsonschema' });
    expect(JSON.parse(schema)).to.deep.equal({
      type: 'object',
      properties: {
        position: { type: 'array', items: { type: 'number' }, description: 'x to the right, y up [m]', 'x-unit': 'm' },
        velocity: { type: 'array', items: { type: 'number' }, description: '[m/s]', 'x-unit': 'm/s' },
      },
    });
    const services = await told.first<Service[]>('advertiseServices');
    expect(services.map(({ name }) => name)).to.deep.equal(['/sim/run', '/sim/freeze', '/sim/step', '/kick']);
    const { type, request, response } = services[3] as Service;
    expect([type, request?.schemaName, response?.schemaName]).to.deep.equal(['kick', 'kick.Request', 'kick.Response']);
    expect(JSON.parse(`${request?.schema}`)).to.deep.equal({
      type: 'object',
      properties: {
        vx: { type: 'number', description: 'to the right [m/s]', 'x-unit': 'm/s' },
        vy: { type: 'number', description: 'up [m/s]', 'x-unit': 'm/s' },
      },
      required: ['vx', 'vy'],
    });
    expect(told.events.slice(0, 3).map(([name]) => name)).to.deep.equal([
      'serverInfo',
      'advertise',
      'advertiseServices',
    ]);
    // The same on a reconnection, by another subprotocol, on a port of its own.
    const again = await connected(ownPort(), 'foxglove.sdk.v1');
    expect(await again.told.first('serverInfo')).to.deep.equal(info);
    expect(again.channel('/ball')).to.deep.equal(channel('/ball'));
  });

  it('gets all values of an object in one message of the frame whose time it tells', async () => {
    const { client, told, channel } = await connected();
    await told.first('time');
    const id = client.subscribe(channel('/ball').id);
    const messages: Message[] = [];
    while (messages.length < 10) {
      messages.push(
        await told.first<Message>('message', (one) => !messages.some(({ timestamp }) => timestamp === one.timestamp)),
      );
    }
    // What comes with the subscription is of a frame whose time may have been told to nobody.
    for (const message of messages.slice(1)) {
      const { position, velocity } = jsonOf(message) as { position: number[]; velocity: number[] };
      expect([message.subscriptionId, position.length, velocity.length]).to.deep.equal([id, 2, 2]);
      // A multiple of the frame's 10 ms, in nanoseconds.
      expect(message.timestamp % 10_000_000n).to.equal(0n);
      await told.first<{ timestamp: bigint }>('time', ({ timestamp }) => timestamp === message.timestamp);
    }
    client.unsubscribe(id);
    client.unsubscribe(id);
    expect(await told.first('status')).to.include({ level: 2, message: `unsubscribe: there is no subscription ${id}` });
  });

  it('reads, sets and follows parameters', async () => {
    const { client, told } = await connected();
    client.getParameters([], 'all');
    const all = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'all');
    const names = all.parameters.map(({ name }) => name);
    expect(names).to.include.members(['ball.position', 'ball.velocity']);
    client.subscribeParameterUpdates(['ball.velocity']);
    client.setParameters([{ name: 'ball.velocity', value: [3, 4] }], 'set');
    const set = await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'set');
    expect(set.parameters[0]).to.include({ name: 'ball.velocity', type: 'float64_array' });
    expect(firstOf(set)).to.equal(3);
    const update = await told.first<ParameterValues>(
      'parameterValues',
      (event) => event.id === undefined && firstOf(event) === 3,
    );
    expect(update.parameters.map(({ name }) => name)).to.deep.equal(['ball.velocity']);
    client.unsubscribeParameterUpdates([]);
    for (const [name, value, sentence] of [
      ['ball.velocity', undefined, /cannot be unset/],
      ['ball.velocity', 'fast', /ball\.velocity/],
      ['ball.nosuch', 1, /nosuch/],
    ] as const) {
      told.forget();
      client.setParameters([{ name, value } as never]);
      expect((await told.first<{ message: string }>('status')).message).to.match(sentence);
    }
  });

  it('calls functions and controls the simulation', async () => {
    const { client, told } = await connected();
    const services = await told.first<Service[]>('advertiseServices');
    let callId = 0;
    const call = async (name: string, given: unknown): Promise<unknown> => {
      const serviceId = services.find((one) => one.name === name)?.id ?? 99;
      const data = Buffer.from(JSON.stringify(given));
      callId++;
      client.sendServiceCallRequest({
        serviceId,
        callId,
        encoding: 'json',
        data: new DataView(data.buffer, data.byteOffset, data.byteLength),
      });
      const own = (event: { callId: number }): boolean => event.callId === callId;
      return Promise.race([
        told.first<{ callId: number; data: DataView }>('serviceCallResponse', own).then(jsonOf),
        told.first<{ callId: number; message: string }>('serviceCallFailure', own).then(({ message }) => message),
      ]);
    };
    expect(await call('/sim/freeze', {})).to.deep.equal({});
    expect(await call('/kick', { vx: 7, vy: 0 })).to.deep.equal({ value: null });
    client.getParameters(['ball.velocity'], 'kicked');
    expect(firstOf(await told.first<ParameterValues>('parameterValues', ({ id }) => id === 'kicked'))).to.be.at.least(
      7,
    );
    expect(await call('/sim/step', { frames: 2 })).to.deep.equal({});
    expect(await call('/kick', { vx: 'fast' })).to.match(/kick/);
    expect(await call('/nosuch', {})).to.equal('there is no service 99');
    expect(await call('/sim/run', {})).to.deep.equal({});
  });

  it('sees who gets what', async () => {
    const [one, other] = [await connected(), await connected()];
    one.client.subscribeConnectionGraph();
    interface Graph {
      readonly publishedTopics: readonly { readonly name: string }[];
      readonly subscribedTopics: readonly { readonly name: string; readonly subscriberIds: readonly string[] }[];
    }
    const whole = await one.told.first<Graph>('connectionGraphUpdate');
    expect(whole.publishedTopics.map(({ name }) => name)).to.include('/ball');
    other.client.subscribe(other.channel('/ball').id);
    const update = await one.told.first<Graph>(
      'connectionGraphUpdate',
      ({ publishedTopics }) => publishedTopics.length === 0,
    );
    expect(update.subscribedTopics).to.have.length(1);
    expect(update.subscribedTopics[0]).to.include({ name: '/ball' });
    expect(update.subscribedTopics[0]?.subscriberIds).to.have.length(1);
    other.socket.terminate();
    await one.told.first<Graph>(
      'connectionGraphUpdate',
      ({ subscribedTopics: [topic] }) => topic?.name === '/ball' && topic.subscriberIds.length === 0,
    );
    one.client.unsubscribeConnectionGraph();
  });

  it('is shown messages as foxglove.Log', async () => {
    const { client, told, channel } = await connected();
    const { id, schemaName } = channel('/varwire/log');
    expect(schemaName).to.equal('foxglove.Log');
    client.subscribe(id);
    interface Log {
      readonly timestamp: { readonly sec: number; readonly nsec: number };
      readonly level: number;
      readonly message: string;
      readonly name: string;
    }
    const [information, warning] = [2, 3];
    for (const [ofTrick, level] of [
      [0, information],
      [2, warning],
    ]) {
      const words = `trick.message_publish(${ofTrick}, "hello there ${level}\\n")`;
      await ask({ port: server.port, body: rpc('trick/run', { text: words }) });
      const message = await told.first<Message>('message', (one) =>
        (jsonOf(one) as Log).message.includes(`hello there ${level}`),
      );
      const log = jsonOf(message) as Log;
      expect(log).to.include({ level, name: 'ball' });
      expect(BigInt(log.timestamp.sec) * 1_000_000_000n + BigInt(log.timestamp.nsec)).to.equal(message.timestamp);
    }
  });

  it('learns of objects that come and go', async () => {
    const { told } = await connected();
    told.forget();
    await ask({ port: server.port, body: rpc('trick/run', { text: 'trick.TMM_declare_var_s("double extra[3]")' }) });
    const come = await told.first<Channel[]>('advertise');
    expect(come.map(({ topic }) => topic)).to.deep.equal(['/extra']);
  });

  it('finds what docs/foxglove.md shows', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const { channels, told } = await connected();
    const services = await told.first<Service[]>('advertiseServices');
    for (const { topic } of channels.filter((one) => /ball|log/.test(one.topic)))
      expect(page).to.include(`\`${topic}\``);
    for (const { name } of services) expect(page).to.include(`\`${name}\``);
    const [, command = ''] = /```sh\nnpx varwire (.*)\n```/.exec(page) ?? [];
    const { file, options } = parseServed(command.split(' ').slice(1));
    expect([file.slice(0, 9), options.foxglove]).to.deep.equal(['sims/ball', 8765]);
  });
});
