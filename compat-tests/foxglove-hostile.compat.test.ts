// What a client of Foxglove's protocol should not send: each changes nothing and stops nobody. The simulation stands still, so that
// a second client sees each change.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ParameterValues, Service } from '@foxglove/ws-protocol';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import type { RunningServer } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { connectFoxglove } from './foxglove-client.js';
import { call } from './http-client.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const SUBPROTOCOL = 'foxglove.sdk.v1';

/** A binary message: bytes, and numbers of four bytes as [number]. */
const bytes = (...parts: readonly (number | [number] | string)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part);
      if (typeof part === 'number') return Buffer.from([part]);
      const word = Buffer.alloc(4);
      word.writeUInt32LE(part[0]);
      return word;
    }),
  );

/** A request of a service: its id, the length that is said of the encoding, and what follows. */
const request = (service: number, said: number, text: string): Buffer => bytes(2, [service], [1], [said], text);
const SEEK_TIME = [0, 0, 0, 0, 0, 0, 0, 0] as const;

const subscribe = (...subscriptions: readonly unknown[]): object => ({ op: 'subscribe', subscriptions });
const set = (...parameters: readonly unknown[]): object => ({ op: 'setParameters', parameters });
const ball = (value: unknown, more: object = {}): object => set({ name: 'ball.position', value, ...more });

/** What is told to be wrong, in a status or as a failure of a call. */
const MESSAGES: readonly (object | Buffer)[] = [
  {},
  [],
  { op: null },
  { op: 'nosuch' },
  { op: '__proto__' },
  { op: ['subscribe'] },
  { op: 'x'.repeat(2 ** 19) },
  { op: 'serverInfo', name: 'me', capabilities: [] },
  { op: 'subscribe' },
  { op: 'subscribe', subscriptions: 'all' },
  subscribe(null),
  subscribe({ id: -1, channelId: 1 }),
  subscribe({ id: 1, channelId: 4_000_000 }),
  subscribe({ id: 2 ** 60, channelId: 1 }),
  subscribe({ id: 1.5, channelId: 1 }),
  subscribe({ id: 1 }),
  // The same channel twice, and an id that is used.
  subscribe({ id: 8, channelId: 1 }, { id: 9, channelId: 1 }),
  subscribe({ id: 8, channelId: 0 }),
  { op: 'subscribe', subscriptions: Array(10_001).fill({ id: 1, channelId: 1 }) },
  { op: 'unsubscribe', subscriptionIds: [7] },
  { op: 'unsubscribe', subscriptionIds: [null] },
  { op: 'getParameters', parameterNames: 3 },
  { op: 'getParameters', parameterNames: [], id: 7 },
  { op: 'getParameters', parameterNames: Array(10_001).fill('x') },
  { op: 'getParameters', parameterNames: ['x'.repeat(5000)] },
  ball(undefined),
  ball(null),
  ball('fast'),
  ball({ a: 1 }),
  ball([1, 2, 3]),
  ball([1, [2]]),
  ball('AAAA', { type: 'byte_array' }),
  set({ name: '__proto__', value: 1 }),
  set({ name: 'ball.__proto__.x', value: 1 }),
  set({ name: 'ball.position[99]', value: 1 }),
  set({ value: 1 }),
  // All or none.
  set({ name: 'ball.velocity', value: [5, 5] }, { name: 'ball.nosuch', value: 1 }),
  { op: 'subscribeParameterUpdates' },
  { op: 'fetchAsset', uri: 'package://varwire/a.glb' },
  { op: 'fetchAsset', uri: 7, requestId: 1 },
  { op: 'advertise', channels: [{ id: 1, topic: '/ball', encoding: 'json', schemaName: '' }] },
  { op: 'unadvertise', channelIds: [1] },
  bytes(),
  bytes(0),
  bytes(255),
  bytes(1, [1], '{"position":[1,2]}'),
  bytes(2, 1),
  request(1, 0xffff_ffff, 'json'),
  request(1, 5, 'json'),
  request(1, 0, '{}'),
  request(1, 4, 'cdr0'),
  request(99, 4, 'json{}'),
  request(4, 4, 'json{"vx":'),
  request(4, 4, 'json[]'),
  request(4, 4, 'json{"vx":1}'),
  request(4, 4, 'json{"vx":1,"vy":"fast"}'),
  request(4, 4, 'json{"vx":1,"vy":1e999}'),
  request(4, 4, 'json{"vx":1,"vy":1,"__proto__":1}'),
  request(3, 4, 'json{"frames":-1}'),
  request(3, 4, 'json{"frames":"many"}'),
  // Playback of what is no recording, with lengths that lie.
  bytes(3),
  bytes(3, 0, [0], 0, ...SEEK_TIME, [0xffff_ffff]),
  bytes(3, 0, [0], 0, ...SEEK_TIME, [1], 'ab'),
  bytes(3, 0, [0], 1, ...SEEK_TIME, [1], 'a'),
  bytes(3, 7, [0], 0, ...SEEK_TIME, [1], 'a'),
  Buffer.from('{'),
  Buffer.from('{"op":"unsubscribe"}}'),
  Buffer.from('{"op":"getParameters","parameterNames":[1e400]}'),
  Buffer.from(`{"op":${'['.repeat(1000)}`),
  Buffer.from([0x7b, 0xff, 0xfe]),
];

/** A frame of a WebSocket with a mask of zeros: its first two bytes, and what follows the mask. */
const frame = (first: number, second: number, text = '', length: readonly number[] = []): Buffer =>
  bytes(first, 0x80 | second, ...length, [0], text);
const TEXT = 0x81;
const TEN_MEGABYTES = 10 * 2 ** 20;
const PART = ' '.repeat(0xffff);

/** What ends the connection of who sends it. */
const FRAMES: Readonly<Record<string, Buffer>> = {
  'an opcode that there is not': frame(0x83, 2, '{}'),
  'another one, of a control frame': frame(0x8b, 0),
  'a compressed message': frame(0xc1, 2, '{}'),
  'a message without a mask': bytes(TEXT, 2, '{}'),
  'the end of a message that has not begun': frame(0x80, 2, '{}'),
  'a message that begins within another one': Buffer.concat([frame(0x01, 1, '{'), frame(TEXT, 2, '{}')]),
  'a text that is no UTF-8': Buffer.concat([frame(TEXT, 2), Buffer.from([0xff, 0xfe])]),
  'a ping in two parts': frame(0x09, 0),
  'a ping that says to be long': frame(0x89, 126, '', [0, 200]),
  'a close of one byte': frame(0x88, 1, 'x'),
  'a close with a number that there is not': frame(0x88, 2, '\x00\x01'),
  'a message that says to have 2^62 bytes': frame(TEXT, 127, '{}', [0x40, 0, 0, 0, 0, 0, 0, 0]),
  'a message of 10 MB': frame(TEXT, 127, ' '.repeat(TEN_MEGABYTES), [0, 0, 0, 0, 0, 0xa0, 0, 0]),
  '10 MB in many parts': Buffer.concat([frame(0x01, 1, ' '), ...Array(200).fill(frame(0, 126, PART, [0xff, 0xff]))]),
  'a message that says to have more than 1 MB': frame(TEXT, 127, '{}', [0, 0, 0, 0, 0, 0x10, 0, 1]),
};

const opened = async (port: number): Promise<WebSocket> => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, [SUBPROTOCOL]).on('error', () => undefined);
  await once(socket, 'message');
  return socket;
};
const lineOf = (socket: WebSocket): Socket => (socket as unknown as { readonly _socket: Socket })._socket;

describe('a hostile client of Foxglove', () => {
  let server: RunningServer;
  let other: Awaited<ReturnType<typeof connectFoxglove>>;
  let untouched: ParameterValues['parameters'];
  before(async () => {
    server = await serveHere(BALL, { port: 0, discovery: false, udp: 'off', foxgloveRate: 0.1 });
    other = await connectFoxglove(server.port);
  });
  after(async () => {
    other.socket.terminate();
    await server.close();
  });

  const state = async (): Promise<ParameterValues['parameters']> => {
    other.told.forget();
    other.client.getParameters([], 'all');
    const { parameters } = await other.told.first<ParameterValues>('parameterValues', ({ id }) => id === 'all');
    return parameters;
  };
  const expectNoChange = async (what: string): Promise<void> => {
    expect(await state(), what).to.deep.equal(untouched);
  };

  it('gets no more messages than the option says', async () => {
    const { client, told, channel, socket } = await connectFoxglove(server.port);
    client.subscribe(channel('/ball').id);
    await told.first('message');
    const ran = async (): Promise<number> =>
      (await call<{ elapsed_sec: number }>(server.port, 'sim/status', {})).elapsed_sec;
    const start = await ran();
    while ((await ran()) < start + 0.3) await wait(20);
    // What is sent is answered behind all that was sent before.
    client.setParameters([{ name: 'ball.velocity', value: [1, 1] }], 'last');
    await told.first('parameterValues');
    for (const name of ['message', 'time'])
      expect(told.events.filter(([one]) => one === name).length, name).to.be.within(1, 2);
    socket.terminate();
  });

  it('is told what is wrong with a message, and stays', async () => {
    await call(server.port, 'sim/control', { action: 'freeze' });
    untouched = await state();
    const { sends, told, socket } = await connectFoxglove(server.port);
    const services = await told.first<Service[]>('advertiseServices');
    expect(services.map(({ id, name }) => [id, name]).slice(2)).to.deep.equal([
      [3, '/sim/step'],
      [4, '/kick'],
    ]);
    for (const message of MESSAGES) {
      told.forget();
      sends(message);
      const [, event] = await Promise.race(
        ['status', 'serviceCallFailure'].map(
          async (name) => [name, await told.first<{ message: string }>(name)] as const,
        ),
      );
      const what = (message instanceof Buffer ? message.toString('latin1') : JSON.stringify(message)).slice(0, 100);
      expect(event.message, what).to.match(/^[^\n]{5,400}$/);
      await expectNoChange(what);
    }
    expect(socket.readyState).to.equal(WebSocket.OPEN);
    socket.terminate();
  });

  for (const [what, sent] of Object.entries(FRAMES))
    it(`ends its own connection by ${what}`, async () => {
      const socket = await opened(server.port);
      lineOf(socket)
        .on('error', () => undefined)
        .write(sent);
      const [code] = await once(socket, 'close');
      if (what.startsWith('a message that says')) expect(code).to.equal(1009);
      await expectNoChange(what);
    });

  it('is let go when it leaves within a message', async () => {
    const socket = await opened(server.port);
    lineOf(socket).end(frame(TEXT, 100, '{"op":'));
    await once(socket, 'close');
    await expectNoChange('a part of a message');
  });

  it('does not come in from a page of another site, by another name, or without a subprotocol', async () => {
    for (const [offered, headers, status] of [
      [[SUBPROTOCOL], { origin: 'https://evil.example' }, 403],
      [[SUBPROTOCOL], { host: 'evil.example' }, 403],
      [[], {}, 400],
      [['other'], {}, 400],
    ] as const) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, [...offered], { headers });
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      expect(response.statusCode).to.equal(status);
      socket.terminate();
      await expectNoChange(JSON.stringify(headers));
    }
  });
});

describe('a server with tokens', () => {
  it('lets those look who may, and those change things who may', async () => {
    const tokens = new Map([
      ['look', 'read-only'],
      ['all', 'read-write'],
    ] as const);
    const server = await serveHere(BALL, { port: 0, discovery: false, udp: 'off', tokens });
    const stranger = new WebSocket(`ws://127.0.0.1:${server.port}/`, [SUBPROTOCOL]).on('error', () => undefined);
    const sockets = [stranger];
    try {
      const [, { statusCode }] = (await once(stranger, 'unexpected-response')) as [unknown, { statusCode: number }];
      expect(statusCode).to.equal(401);
      const [look, all] = await Promise.all(
        ['look', 'all'].map((token) => connectFoxglove(server.port, SUBPROTOCOL, `/?token=${token}`)),
      );
      if (!look || !all) throw new Error('two clients');
      sockets.push(look.socket, all.socket);
      look.sends(ball([1, 2]));
      look.sends(request(4, 4, 'json{"vx":1,"vy":1}'));
      look.client.subscribe(look.channel('/ball').id);
      for (const name of ['status', 'serviceCallFailure'])
        expect((await look.told.first<{ message: string }>(name)).message).to.match(/read-only|may only read/);
      await look.told.first('message');
      all.client.setParameters([{ name: 'ball.position', value: [1000, 2] }], 'set');
      const set = await all.told.first<ParameterValues>('parameterValues', ({ id }) => id === 'set');
      expect((set.parameters[0]?.value as number[] | undefined)?.[0]).to.equal(1000);
    } finally {
      for (const socket of sockets) socket.terminate();
      await server.close();
    }
  });
});
