// Sending bytes as they are, to a server that may answer anything or hang up.
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { type Dialled, dial, leave } from '../../dial.js';

/** How long an answer is waited for that may never come. */
const QUIET_MILLIS = 15;
const PATIENCE_MILLIS = 30_000;

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** A port, or one that may speak TLS. */
export type At = number | Dialled;

export function openSocket(at: At): Promise<Socket> {
  return new Promise((resolve) => {
    const dialled = typeof at === 'number' ? { port: at } : at;
    const socket = dial(dialled);
    socket.on('error', () => resolve(socket));
    socket.resume();
    socket.once(dialled.isSecure ? 'secureConnect' : 'connect', () => resolve(socket));
  });
}

/** Waits until the socket has taken all, or is closed, or the patience is over. */
export function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const timer = setTimeout(done, PATIENCE_MILLIS);
    function done(): void {
      clearTimeout(timer);
      socket.off('close', done);
      resolve();
    }
    socket.once('close', done);
    socket.write(bytes, done);
  });
}

/** Until something has come or the connection is closed; not longer than what may never come is worth. */
function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const timer = setTimeout(done, QUIET_MILLIS);
    function done(): void {
      clearTimeout(timer);
      socket.off('data', done).off('close', done);
      resolve();
    }
    socket.once('data', done).once('close', done);
  });
}

/** Each input on a connection of its own. */
export async function sendEach(at: At, inputs: readonly Buffer[]): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    const socket = await openSocket(at);
    await write(socket, input);
    await answered(socket);
    if (index % 2 === 0) socket.destroy();
    else leave(socket);
  }
}

/** Clients of several addresses have names and events apart from each other. Other systems than Linux have one local address. */
const ADDRESSES = process.platform === 'linux' ? ['127.0.0.1', '127.0.0.2', '127.0.0.3'] : ['127.0.0.1'];
let sent = 0;

/** All inputs on one connection, opened again when the server ends it; from one address after another. */
export async function sendTogether(port: number, inputs: readonly Buffer[]): Promise<void> {
  const at = { port, from: ADDRESSES[sent++ % ADDRESSES.length] };
  let socket = await openSocket(at);
  for (const input of inputs) {
    if (socket.destroyed) socket = await openSocket(at);
    await write(socket, input);
  }
  await answered(socket);
  socket.destroy();
}

export async function sendDatagrams(port: number, inputs: readonly Buffer[]): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  for (const input of inputs)
    await new Promise<void>((resolve) => socket.send(input, port, '127.0.0.1', () => resolve()));
  await pause(QUIET_MILLIS);
  socket.close();
}
