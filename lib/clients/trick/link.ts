// A socket to a Trick server: text out, bytes in.
import { createSocket } from 'node:dgram';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { ConnectionLostError } from './errors.js';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
  readonly tls?: boolean | ConnectionOptions;
}

export interface ServerLink {
  send(text: string): void;
  /** Closes after what has been sent has gone out. */
  close(): void;
}

/** What a link calls. After the client has closed the link, nothing is called. */
export interface LinkEvents {
  readonly onBytes: (bytes: Buffer) => void;
  readonly onEnd: (error: Error) => void;
}

export type OpenLink = (target: Target, timeoutMillis: number, events: LinkEvents) => Promise<ServerLink>;

export const openLink: OpenLink = (target, timeoutMillis, events) =>
  target.transport === 'tcp' ? openTcp(target, timeoutMillis, events) : openUdp(target, events);

const KEEP_ALIVE_MILLIS = 10_000;
/** How long a server may take to end a connection that has been closed here. */
const LINGER_MILLIS = 1000;
const describe = ({ host, port }: Target): string => `${host}:${port}`;

function socketTo({ host, port, tls }: Target, timeoutMillis: number): Socket {
  const usual = { host, port, noDelay: true, timeout: timeoutMillis };
  if (!tls) return connect(usual);
  const servername = isIP(host) ? {} : { servername: host };
  return connectTls({ ...usual, ...servername, ...(tls === true ? {} : tls) });
}

/** OpenSSL's messages are lists of codes around a reason. */
function reasonOf(error: Error & { readonly reason?: string; readonly code?: string }): string {
  return error.reason ?? (error.message || error.code || 'unknown error');
}

function openTcp(target: Target, timeoutMillis: number, { onBytes, onEnd }: LinkEvents): Promise<ServerLink> {
  return new Promise((resolve, reject) => {
    const socket = socketTo(target, timeoutMillis);
    let isClosedHere = false;
    let end = (error: Error) => reject(error);
    const lose = (reason: string) => {
      const report = end;
      end = () => undefined;
      socket.destroy();
      if (!isClosedHere) report(new ConnectionLostError(reason));
    };
    socket.on('timeout', () => lose(`no connection to ${describe(target)} within ${timeoutMillis} ms`));
    socket.on('error', (error) => lose(`${describe(target)}: ${reasonOf(error)}`));
    socket.on('close', () => lose(`the server at ${describe(target)} closed the connection`));
    socket.on('data', (bytes) => {
      if (!isClosedHere) onBytes(bytes);
    });
    socket.once(target.tls ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0);
      socket.setKeepAlive(true, KEEP_ALIVE_MILLIS);
      end = onEnd;
      const close = () => {
        isClosedHere = true;
        // What has not been read when a socket is destroyed resets the connection, and the last commands are lost with it.
        socket.end();
        const timer = setTimeout(() => socket.destroy(), LINGER_MILLIS);
        socket.once('close', () => clearTimeout(timer));
      };
      resolve({ send: (text) => void socket.write(text), close });
    });
  });
}

/** How many bytes of datagrams may wait, if the system allows it. */
const RECEIVED_BYTES = 4 * 1024 * 1024;

/** Over UDP the session belongs to the port, not to the client: the server answers whoever sent last. */
function openUdp(target: Target, { onBytes, onEnd }: LinkEvents): Promise<ServerLink> {
  return new Promise((resolve, reject) => {
    const type = isIPv6(target.host) ? 'udp6' : 'udp4';
    const socket = createSocket({ type, recvBufferSize: RECEIVED_BYTES });
    let isClosed = false;
    let end = (error: Error) => reject(error);
    const close = () => {
      if (!isClosed) socket.close();
      isClosed = true;
    };
    const fail = (error: Error | null | undefined) => {
      if (!error || isClosed) return;
      close();
      end(new ConnectionLostError(`${describe(target)}: ${error.message}`));
    };
    socket.on('error', fail);
    socket.on('message', (bytes) => {
      if (!isClosed) onBytes(bytes);
    });
    socket.connect(target.port, target.host, (error?: Error) => {
      if (error) return fail(error);
      end = onEnd;
      const send = (text: string) => {
        for (const datagram of intoDatagrams(text)) if (!isClosed) socket.send(datagram, fail);
      };
      resolve({ send, close: () => closeAfterSends(socket, close) });
    });
  });
}

function closeAfterSends(socket: { getSendQueueCount?: () => number }, close: () => void): void {
  if (socket.getSendQueueCount?.()) setImmediate(() => closeAfterSends(socket, close));
  else close();
}

/** Trick would read more at once, but networks carry datagrams of this size safely. */
const DATAGRAM_BYTES = 8000;

/** Whole lines, as many as fit; a line that fits no datagram goes alone. */
export function intoDatagrams(text: string): Buffer[] {
  const datagrams: Buffer[] = [];
  let lines = '';
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (lines !== '' && Buffer.byteLength(lines + line) > DATAGRAM_BYTES) {
      datagrams.push(Buffer.from(lines));
      lines = '';
    }
    lines += line;
  }
  return lines === '' ? datagrams : [...datagrams, Buffer.from(lines)];
}
