// Clients of attacks: they send as fast as they are let, and begin again when the server ends them.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import WebSocket from 'ws';
import { dial, leave } from '../dial.js';
import type { Attack, Place } from './attack.js';

type Run = Attack['run'];
type Bytes = string | Buffer;

/** Who is refused tries again so soon: an attacker is in a hurry. */
export const RETRY_MILLIS = 20;

const atMost = (count: number, { mostAtOnce = count }: Place): number => Math.min(count, mostAtOnce);

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** A connection that reads all and is silent about how it ends. */
function open(place: Place): Socket {
  const socket = dial(place);
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}

/** Writes, and waits until the socket takes more; false when it is closed. */
export function write(socket: Socket, bytes: Bytes): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const end = (): void => done(false);
    const done = (isOpen: boolean): void => {
      socket.off('close', end);
      resolve(isOpen);
    };
    socket.once('close', end);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, (error) => done(!error));
  });
}

/** Does something with a new connection over and over until the signal, at which it leaves: what it has sent is gone with it. */
export function again(deed: (socket: Socket, until: AbortSignal) => Promise<void>): Run {
  return async (place, until) => {
    while (!until.aborted) {
      const socket = open(place);
      const end = (): void => leave(socket);
      until.addEventListener('abort', end);
      await deed(socket, until);
      until.removeEventListener('abort', end);
      socket.destroy();
      await pause(RETRY_MILLIS);
    }
  };
}

export interface Pour {
  /** Sent first on each connection. */
  readonly first?: Bytes;
  /** Whether answers are read. Default true. */
  readonly reads?: boolean;
  /** Milliseconds between two writes. Default 0. */
  readonly pauseMillis?: number;
}

/** Writes text after text on one connection. */
export const pour = (text: (round: number) => Bytes, { first, reads = true, pauseMillis = 0 }: Pour = {}): Run =>
  again(async (socket, until) => {
    if (!reads) socket.pause();
    if (first !== undefined) await write(socket, first);
    for (let round = 0; !until.aborted; round++) {
      if (!(await write(socket, text(round)))) return;
      await pause(pauseMillis);
    }
  });

/** Sends something at each full second, together with all others who do so. */
export const onTheSecond = (first: Bytes, text: Bytes): Run =>
  again(async (socket, until) => {
    await write(socket, first);
    while (!until.aborted) {
      await pause(1000 - (Date.now() % 1000));
      if (!(await write(socket, text))) return;
    }
  });

/** Sends once and stays. */
export function sendAndStay(text: Bytes, { reads = true }: Pick<Pour, 'reads'> = {}): Run {
  // Made once: the attacker shares its process with the bystander of a test.
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  return again(async (socket) => {
    if (!reads) socket.pause();
    if (await write(socket, bytes)) await closed(socket);
  });
}

/** Sends and leaves, over and over: a number of connections at a time, each of which stays so long. */
export const sendAndLeave = (text: (round: number) => Bytes, count = 10, stayMillis = 0): Run => {
  let round = 0;
  return async (place, until) => {
    const length = atMost(count, place);
    while (!until.aborted) {
      const sockets = Array.from({ length }, () => open(place));
      await Promise.all(sockets.map((socket) => write(socket, text(round++))));
      if (stayMillis > 0) await pause(stayMillis);
      for (const [k, socket] of sockets.entries()) {
        if (k % 2 === 0) socket.destroy();
        else leave(socket);
      }
      await pause(1);
    }
  };
};

const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** Trick lines as a block. */
export const lines = (...commands: readonly string[]): string => commands.map((command) => `${command}\n`).join('');

/** A request with a body, as a client of HTTP/1.1 writes it. */
export function post(body: string, headers = ''): string {
  const length = Buffer.byteLength(body, 'latin1');
  return `POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`;
}

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

export const rpc = (method: string, params: unknown = null, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const batch = (count: number, method: string, params: (index: number) => unknown): string =>
  `[${Array.from({ length: count }, (_, index) => rpc(method, params(index), index)).join(',')}]`;

/** Asks, reads the whole answer, asks again; a client that is not answered in time gives up and asks anew. */
export const ask = (request: (round: number) => string, patienceMillis = 600_000): Run =>
  again(async (socket, until) => {
    const answers = new Answers(socket);
    for (let round = 0; !until.aborted; round++) {
      if (!(await write(socket, request(round)))) return;
      if (!(await within(patienceMillis, answers.next()))) return;
    }
  });

/** The same call over and over, each when the answer to the one before has come. */
export const asks = (body: string): Run => {
  const request = post(body);
  return ask(() => request);
};

/** What is awaited, or undefined after some time; leaves no timer behind. */
async function within<T>(millis: number, awaited: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), millis);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}

/** Counts whole answers of HTTP by their lengths, without keeping them. */
class Answers {
  private head = '';
  private restBytes = 0;
  private whole = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('close', () => this.wake());
  }

  /** False when the connection has closed first. */
  async next(): Promise<boolean> {
    while (this.whole === 0) {
      if (this.socket.destroyed) return false;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.whole--;
    return true;
  }

  private take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.restBytes === 0) at = this.takeHead(chunk, at);
      const taken = Math.min(this.restBytes, chunk.length - at);
      if (this.restBytes > 0 && taken === this.restBytes) this.found();
      this.restBytes -= taken;
      at += taken;
    }
  }

  private takeHead(chunk: Buffer, at: number): number {
    const before = this.head.length;
    this.head += chunk.toString('latin1', at);
    const end = this.head.indexOf('\r\n\r\n');
    if (end < 0) return chunk.length;
    this.restBytes = Number(/^content-length: *(\d+)/im.exec(this.head)?.[1] ?? 0);
    // An answer in chunks is over for this client when its head is there: the next head is found after its last chunk.
    if (this.restBytes === 0) this.found();
    this.head = '';
    return at + end + 4 - before;
  }

  private found(): void {
    this.whole++;
    this.wake();
  }
}

export interface WebSocketWish {
  /** Sent as fast as the socket takes it, over and over; undefined sends no more. */
  readonly text: (round: number) => string | undefined;
  readonly reads?: boolean;
  readonly pauseMillis?: number;
  readonly pings?: boolean;
  /** Whether it leaves, and comes again, when there is no more to send. Default false: it stays. */
  readonly leaves?: boolean;
  /** How long it stays before it leaves. Default 0. */
  readonly stayMillis?: number;
  /** How many texts it sends before it waits for the socket. Default 1. */
  readonly atOnce?: number;
}

/** A WebSocket that is silent about how it ends, and leaves at the signal; `gone` resolves when it has ended. */
export function openWebSocket(place: Place, until: AbortSignal): { socket: WebSocket; gone: Promise<unknown> } {
  const carrier = dial(place);
  const options = { perMessageDeflate: false, createConnection: () => carrier };
  const socket = new WebSocket(`${place.isSecure ? 'wss' : 'ws'}://127.0.0.1:${place.port}/ws`, options);
  const end = (): void => leave(carrier);
  until.addEventListener('abort', end);
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').catch(() => undefined);
  return { socket, gone: ended.then(() => until.removeEventListener('abort', end)) };
}

/** A WebSocket that sends text after text. */
export const webSocket =
  ({
    text,
    reads = true,
    pauseMillis = 0,
    pings = false,
    leaves = false,
    stayMillis = 0,
    atOnce = 1,
  }: WebSocketWish): Run =>
  async (place, until) => {
    const inRow = atMost(atOnce, place);
    while (!until.aborted) {
      const { socket, gone } = openWebSocket(place, until);
      await Promise.race([once(socket, 'open').catch(() => undefined), gone]);
      if (!reads) socket.pause();
      for (let round = 0; socket.readyState === WebSocket.OPEN && !until.aborted; round++) {
        const message = text(round);
        if (message === undefined) {
          if (leaves) await pause(stayMillis);
          else await gone;
          break;
        }
        if (pings) socket.ping();
        if (round % inRow !== 0) {
          socket.send(message, () => undefined);
          continue;
        }
        await Promise.race([new Promise((resolve) => socket.send(message, resolve)), gone]);
        await pause(pauseMillis);
      }
      socket.terminate();
      await pause(RETRY_MILLIS);
    }
  };

/** Datagrams, some at a time. */
export const datagrams =
  (text: (round: number) => Bytes): Run =>
  async ({ udpPort }, until) => {
    const socket = createSocket('udp4');
    socket.on('error', () => undefined);
    for (let round = 0; !until.aborted; round++) {
      await new Promise<void>((resolve) => {
        socket.send(Buffer.from(text(round) as string, 'latin1'), udpPort, '127.0.0.1', () => resolve());
      });
      if (round % 50 === 49) await pause(1);
    }
    socket.close();
  };

/** Several at once, as one client does with several connections. */
export const times =
  (count: number, run: Run): Run =>
  async (place, until) => {
    const length = atMost(count, place);
    await Promise.all(Array.from({ length }, () => run(place, until)));
  };
