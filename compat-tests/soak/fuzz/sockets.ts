// Sending bytes as they are, to a server that may answer anything or hang up.
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';

/** How long an answer is waited for that may never come. */
const QUIET_MILLIS = 15;
const PATIENCE_MILLIS = 30_000;

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => resolve(socket));
    socket.resume();
    socket.once('connect', () => resolve(socket));
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
export async function sendEach(port: number, inputs: readonly Buffer[]): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    const socket = await openSocket(port);
    await write(socket, input);
    await answered(socket);
    if (index % 2 === 0) socket.destroy();
    else socket.resetAndDestroy();
  }
}

/** All inputs on one connection, opened again when the server ends it. */
export async function sendTogether(port: number, inputs: readonly Buffer[]): Promise<void> {
  let socket = await openSocket(port);
  for (const input of inputs) {
    if (socket.destroyed) socket = await openSocket(port);
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
