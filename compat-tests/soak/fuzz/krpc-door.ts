// The doors that take kRPC: bytes before the handshake, and requests behind it.
import { call, callBytes, connectionRequest, requestBytes } from '../../krpc/client.js';
import { bool, dictionary, double, items, text, varint, zigzag } from '../../krpc/values.js';
import type { Chance } from './chance.js';
import type { Door } from './door.js';
import { NUMBERS, TEXTS } from './grammar.js';
import { openSocket, sendEach, write } from './sockets.js';
import { FINAL_BINARY, frame, frames, sendFrames } from './websocket-frames.js';

const framed = (body: Uint8Array): Buffer => Buffer.concat([varint(body.length), body]);
const HELLO = framed(connectionRequest({ clientName: 'fuzz' }));

const PATHS = [
  'fx.all.i',
  'fx.all.d3',
  'fx.all.d3[1]',
  'fx.all.str',
  'fx.all.vehicle',
  'fx.ball.pos',
  'fx.nosuch',
  'fx',
  '',
];
const EXPRESSIONS =
  'Add Divide Modulo Power LeftShift Equal LessThan And Not Get Count Sum Select Where Aggregate Concat OrderBy All'.split(
    ' ',
  );

const path = (chance: Chance): Buffer => text(chance.oneIn(4) ? chance.of(TEXTS) : chance.of(PATHS));
const number = (chance: Chance): number => Number(chance.of(NUMBERS)) || chance.below(300);
const int = (chance: Chance): Buffer => zigzag(Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, number(chance)))));

/** A value of some type, or bytes. */
function value(chance: Chance): Buffer {
  switch (chance.below(9)) {
    case 0:
      return path(chance);
    case 1:
      return double(number(chance));
    case 2:
      return int(chance);
    case 3:
      return items(...chance.several(4, () => value(chance)));
    case 4:
      return dictionary(...chance.several(3, () => [path(chance), value(chance)] as const));
    case 5:
      return bool(chance.oneIn(2));
    case 6:
      return varint(chance.below(6));
    case 7:
      return Buffer.from(callBytes(oneCall(chance)));
    default:
      return chance.bytes(chance.below(12));
  }
}

type Call = ReturnType<typeof call>;

function oneCall(chance: Chance): Call {
  const procedures: readonly (() => Call)[] = [
    () => call('VarServer', chance.of(['Get', 'GetText', 'Describe', 'Set', 'SetText']), path(chance), value(chance)),
    () => call('VarServer', 'GetList', path(chance), text(chance.of(['', 'm', 'ft', 'x'])), int(chance), int(chance)),
    () => call('VarServer', chance.of(['GetMany', 'SetMany', 'SetList']), value(chance), value(chance)),
    () => call('VarServer', 'List', path(chance), path(chance), int(chance)),
    () => call('KRPC', chance.of(['GetStatus', 'GetServices', 'GetClientID', 'get_Clients', 'get_Paused'])),
    () => call('KRPC', 'AddStream', Buffer.from(callBytes(oneCall(chance))), bool(chance.oneIn(2))),
    () => call('KRPC', chance.of(['StartStream', 'RemoveStream']), varint(chance.below(20))),
    () => call('KRPC', 'SetStreamRate', varint(chance.below(20)), chance.bytes(4)),
    () => call('KRPC', 'AddEvent', varint(chance.below(10))),
    () => call('KRPC', 'Expression_static_Call', Buffer.from(callBytes(oneCall(chance)))),
    () => call('KRPC', 'Expression_static_ConstantInt', int(chance)),
    () =>
      call('KRPC', `Expression_static_${chance.of(EXPRESSIONS)}`, varint(chance.below(10)), varint(chance.below(10))),
    () => call('KRPC', 'Expression_static_CreateList', items(varint(1 + chance.below(5)))),
    () => call(2, 1 + chance.below(16), value(chance), value(chance), value(chance)),
    // Above these numbers lies the pause of the simulation.
    () => call(1, 1 + chance.below(9), value(chance), value(chance)),
  ];
  return chance.of(procedures)();
}

const oneRequest = (chance: Chance): Buffer =>
  Buffer.from(requestBytes(oneCall(chance), ...chance.several(3, () => oneCall(chance))));

/** Some requests, mostly whole ones. */
function requests(chance: Chance): Buffer {
  const one = (): Buffer => {
    const body = chance.oneIn(8) ? chance.bytes(chance.below(60)) : oneRequest(chance);
    return chance.oneIn(15)
      ? Buffer.concat([varint(chance.of([0, 1, 2 ** 20, 2 ** 21, 2 ** 31])), body])
      : framed(body);
  };
  return Buffer.concat([one(), ...chance.several(3, one)]);
}

/** A client may pause the simulation and set what it likes, except what the bystanders look at. */
const isAllowed = (input: Buffer): boolean => !/guard|paused|trick_|control/i.test(input.toString('latin1'));

const bodies = [
  requestBytes(call('KRPC', 'GetServices')),
  requestBytes(call('VarServer', 'Get', text('fx.all.i')), call('VarServer', 'get_SimTime')),
  requestBytes(call('KRPC', 'AddStream', callBytes(call('VarServer', 'Get', text('fx.all.d3[0]'))))),
  requestBytes(call('VarServer', 'GetMany', items(text('fx.all.i'), text('fx.all.d')))),
  requestBytes(call('KRPC', 'Expression_static_ConstantDouble', double(1))),
];
const seeds = bodies.map((body) => framed(body));

/** Streams are connected too, so that what is added is also sent. */
async function sendBehindHandshake(rpc: number, stream: number, input: Buffer): Promise<void> {
  const socket = await openSocket(rpc);
  const greeted = new Promise<Buffer>((resolve) => {
    socket.once('data', resolve).once('close', () => resolve(Buffer.alloc(0)));
  });
  await write(socket, HELLO);
  const answer = await greeted;
  const streams = await openSocket(stream);
  if (answer.length > 16) {
    const clientIdentifier = answer.subarray(-16);
    await write(streams, framed(connectionRequest({ type: 1, clientIdentifier })));
  }
  await write(socket, input);
  await new Promise((resolve) => setTimeout(resolve, 10));
  socket.destroy();
  streams.destroy();
}

export const KRPC_CALLS: Door = {
  name: 'krpc',
  seeds,
  generate: requests,
  isAllowed,
  batch: 20,
  send: async ({ krpcPorts: { rpc, stream } }, inputs) => {
    for (const input of inputs) await sendBehindHandshake(rpc, stream, input);
  },
};

export const KRPC_FRAMES: Door = {
  name: 'krpc-websocket',
  seeds: bodies.map((body) => frame(FINAL_BINARY, Buffer.from(body))),
  generate: (chance) => frames(chance, () => oneRequest(chance), FINAL_BINARY),
  isAllowed,
  batch: 20,
  send: async ({ krpcPorts: { rpc, stream } }, inputs) => {
    await sendFrames(rpc, inputs, '/');
    await sendFrames(stream, inputs.slice(0, 2), '/?id=AAAAAAAAAAAAAAAAAAAAAA==');
  },
};

export const KRPC_HANDSHAKES: Door = {
  name: 'krpc-handshake',
  seeds: [
    HELLO,
    framed(connectionRequest({ type: 1, clientIdentifier: Buffer.alloc(16, 3) })),
    framed(connectionRequest({})),
  ],
  generate: (chance) =>
    Buffer.concat([chance.of([HELLO, varint(chance.below(300)), chance.bytes(3)]), chance.bytes(chance.below(40))]),
  batch: 20,
  send: async ({ krpcPorts }, inputs) => {
    const half = inputs.length >> 1;
    await sendEach(krpcPorts.rpc, inputs.slice(0, half));
    await sendEach(krpcPorts.stream, inputs.slice(half));
  },
};
