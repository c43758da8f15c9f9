// Attacks on kRPC's ports.
import {
  type Call,
  call,
  callBytes,
  connectionRequest,
  KrpcClient,
  type Ports,
  requestBytes,
  TcpChannel,
} from '../krpc/client.js';
import { items, text, varint, zigzag } from '../krpc/values.js';
import type { Attack } from './attack.js';
import { apart, LARGE, WIDE, withOwn } from './carried.js';
import { pause, times } from './peer.js';

const OPTIONS = ['--krpc', '127.0.0.1:0'];
const RETRY_MILLIS = 20;
/** The fields of a request and of a call. */
const [CALLS_TAG, ARGUMENTS_TAG] = [0x0a, 0x1a];

/** A client does something until the signal; when the server ends it, another one begins. */
const client =
  (deed: (client: KrpcClient, until: AbortSignal) => Promise<unknown>): Attack['run'] =>
  async ({ krpcPorts }, until) => {
    while (!until.aborted) {
      const one = await KrpcClient.tcp(krpcPorts as Ports).catch(() => undefined);
      const end = (): void => one?.close();
      until.addEventListener('abort', end);
      if (one) await deed(one, until).catch(() => undefined);
      until.removeEventListener('abort', end);
      one?.close();
      await pause(RETRY_MILLIS);
    }
  };

/** The same request again and again, each after the answer to the one before. */
const asks = (...calls: readonly Call[]): Attack['run'] =>
  client(async (one, until) => {
    while (!until.aborted) await one.request(...calls);
  });

const list = (first: number): Call =>
  call('VarServer', 'GetList', text('target.doubles'), text(''), zigzag(first), zigzag(10_000));
const times1000 = (one: (index: number) => Call): Call[] => Array.from({ length: 1000 }, (_, index) => one(index));

const names = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => text(`target.doubles[${index % 20_000}]`));

/** Adds streams until it is refused, and reads what comes, or not. */
const streams = (one: (index: number) => Call, reads: boolean): Attack['run'] =>
  client(async (own, until) => {
    if (!reads) (own.streams as TcpChannel).socket.pause();
    for (let index = 0; index < 2000 && !until.aborted; index++) await own.addStream(one(index)).catch(() => undefined);
    while (!until.aborted && reads) await own.update();
    while (!until.aborted) await pause(100);
  });

/** An expression that takes as many steps as it may: a list of 100 numbers, summed up for each of its items. */
async function costlyEvents(own: KrpcClient, until: AbortSignal): Promise<void> {
  const make = (name: string, ...given: Uint8Array[]): Promise<Uint8Array> =>
    own.call(call('KRPC', `Expression_static_${name}`, ...given));
  const one = await make('ConstantInt', zigzag(1));
  const many = await make('CreateList', items(...Array.from({ length: 90 }, () => one)));
  const parameter = await make('Parameter', text('x'), await own.call(call('KRPC', 'Type_static_Int')));
  const inner = await make('Function', items(parameter), await make('Sum', many));
  const never = await make('GreaterThan', one, await make('Sum', await make('Select', many, inner)));
  for (let count = 0; count < 2000 && !until.aborted; count++) {
    const event = await own.call(call('KRPC', 'AddEvent', never)).catch(() => undefined);
    if (event) await own.call(call('KRPC', 'StartStream', event.subarray(-1))).catch(() => undefined);
  }
  while (!until.aborted) await pause(100);
}

const expression = (own: KrpcClient, name: string, ...given: Uint8Array[]): Promise<Uint8Array> =>
  own.call(call('KRPC', `Expression_static_${name}`, ...given));

/** Texts of 1 MB that the server keeps, until it keeps no more. */
async function longTexts(own: KrpcClient, until: AbortSignal): Promise<void> {
  const long = text('x'.repeat(1_000_000));
  while (!until.aborted) await expression(own, 'ConstantString', long).catch(() => pause(1));
}

/** An event that compares two texts of 1 MB a thousand times; when it ends, another one begins. */
async function longComparisons(own: KrpcClient, until: AbortSignal): Promise<void> {
  const long = text('x'.repeat(1_000_000));
  const pair = [await expression(own, 'ConstantString', long), await expression(own, 'ConstantString', long)] as const;
  const differ = await expression(own, 'NotEqual', ...pair);
  const many = await expression(own, 'CreateList', items(...Array.from({ length: 1000 }, () => differ)));
  const never = await expression(own, 'Contains', many, await expression(own, 'ConstantBool', varint(1)));
  while (!until.aborted) {
    const event = await own.call(call('KRPC', 'AddEvent', never)).catch(() => undefined);
    if (event) await own.call(call('KRPC', 'StartStream', event.subarray(-1))).catch(() => undefined);
    else await pause(10);
  }
}

/** Bytes on the port for calls, on a connection of its own. */
const bytes =
  (send: (channel: TcpChannel, until: AbortSignal) => Promise<void>): Attack['run'] =>
  async ({ krpcPorts }, until) => {
    while (!until.aborted) {
      const { rpc, isSecure } = krpcPorts as Ports;
      const channel = new TcpChannel(rpc, isSecure);
      await Promise.race([send(channel, until), channel.next()]);
      channel.close();
      await pause(RETRY_MILLIS);
    }
  };

const HELLO = connectionRequest({ clientName: 'attacker' });

export const KRPC: readonly Attack[] = [
  {
    name: 'K-services',
    sends: 'kRPC: requests of 1,000 GetServices',
    run: asks(...times1000(() => call('KRPC', 'GetServices'))),
  },
  {
    name: 'K-lists',
    sends: 'kRPC: requests of 1,000 GetList of 10,000 doubles',
    run: asks(...times1000(() => list(0))),
  },
  {
    name: 'K-names',
    sends: 'kRPC: requests of 1,000 wrong names of 300 letters',
    run: asks(...times1000((index) => call('VarServer', 'Get', text(`target.${'x'.repeat(300)}${index}`)))),
  },
  {
    name: 'K-many',
    sends: 'kRPC: requests of 20 GetMany of 2,000 names',
    run: asks(...Array.from({ length: 20 }, () => call('VarServer', 'GetMany', items(...names(2000)), text('')))),
  },
  { name: 'K-streams', sends: 'kRPC: 2,000 streams of 10,000 doubles', run: streams(list, true) },
  { name: 'K-unread', sends: 'kRPC: the same, never read', run: streams(list, false) },
  { name: 'K-events', sends: 'kRPC: 2,000 events of 16,000 steps in each frame', run: client(costlyEvents) },
  { name: 'K-texts', sends: 'kRPC: expressions that are texts of 1 MB', run: client(longTexts) },
  { name: 'K-compare', sends: 'kRPC: events that compare two texts of 1 MB 1,000 times', run: client(longComparisons) },
  {
    name: 'K-answers',
    sends: 'kRPC: requests of 1,000 GetList, whose answers are not read',
    run: client(async (own, until) => {
      (own.rpc as TcpChannel).socket.pause();
      const request = requestBytes(...times1000(() => list(0)));
      while (!until.aborted) {
        own.rpc.send(request);
        await pause(10);
      }
    }),
  },
  {
    name: 'K-leave',
    sends: 'kRPC: 5 requests of 1,000 GetList, from twenty clients that leave before the answers and come again',
    run: times(
      20,
      client(async (own) => {
        const request = requestBytes(...times1000(() => list(0)));
        for (let count = 0; count < 5; count++) own.rpc.send(request);
        await pause(30);
      }),
    ),
  },
  {
    name: 'K-empty',
    sends: 'kRPC: requests of zero bytes, 60,000 in a write',
    run: client(async (own, until) => {
      while (!until.aborted) {
        (own.rpc as TcpChannel).write(Buffer.alloc(60_000));
        await pause(1);
      }
    }),
  },
  {
    name: 'K-tiny-calls',
    sends: 'kRPC: requests of 500,000 empty calls, and of a call with as many empty arguments',
    run: client(async (own, until) => {
      const calls = Buffer.alloc(1_000_000, Buffer.from([CALLS_TAG, 0]));
      const empty = Buffer.alloc(1_000_000, Buffer.from([ARGUMENTS_TAG, 0]));
      const call = Buffer.concat([Buffer.from([CALLS_TAG]), varint(empty.length), empty]);
      for (let round = 0; !until.aborted; round++) {
        own.rpc.send(round % 2 ? call : calls);
        await own.rpc.next();
      }
    }),
  },
  {
    name: 'K-drip',
    sends: 'kRPC: 100 requests of 1 MB that come byte by byte',
    run: times(
      100,
      bytes(async (channel, until) => {
        channel.send(HELLO);
        await channel.next();
        channel.write(Buffer.concat([varint(1_000_000), Buffer.alloc(990_000)]));
        while (!until.aborted) {
          channel.write(Buffer.alloc(1));
          await pause(1);
        }
      }),
    ),
  },
  {
    name: 'K-handshakes',
    sends: 'kRPC: handshakes that are begun, fifty at a time',
    run: times(
      50,
      bytes(async (channel) => {
        channel.write(Buffer.from([200]));
        await pause(50);
      }),
    ),
  },
  {
    name: 'K-add-remove',
    sends: 'kRPC: streams that are added and removed, as fast as the answers come',
    run: client(async (own, until) => {
      const add = call('KRPC', 'AddStream', callBytes(list(0)));
      for (let id = 0; !until.aborted; id++) await own.request(add, call('KRPC', 'RemoveStream', varint(id)));
    }),
  },
  {
    name: 'K-own-lists',
    sends: 'kRPC: requests of 100 GetList of 10,000 doubles each of such an array',
    run: withOwn(LARGE, (own) =>
      asks(
        ...Array.from({ length: 100 }, (_, k) =>
          call('VarServer', 'GetList', text(own), text(''), zigzag(k * 10_000), zigzag(10_000)),
        ),
      ),
    ),
  },
  {
    name: 'K-apart-many',
    sends:
      'kRPC: requests of three GetMany of 900 elements, each in a page of its own, of an array of 12 MB of each client',
    run: withOwn(WIDE, (own) => {
      const elements = apart(own).map((element) => text(element));
      const thirds = [0, 900, 1800].map((first) => items(...elements.slice(first, first + 900)));
      return asks(...thirds.map((third) => call('VarServer', 'GetMany', third, text(''))));
    }),
  },
  {
    name: 'K-apart-streams',
    sends: 'kRPC: a stream for each of 2,000 such elements',
    run: withOwn(WIDE, (own) => {
      const elements = apart(own);
      return streams((index) => call('VarServer', 'Get', text(elements[index] as string)), true);
    }),
  },
].map((attack) => ({ ...attack, options: OPTIONS }));
