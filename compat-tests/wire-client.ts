// A raw client for tests: sends bytes, waits for the exact bytes that it expects, and fails on all others.
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';

interface Link {
  readonly send: (bytes: Buffer) => void;
  readonly destroy: () => void;
}

export class WireClient {
  private unread: Buffer = Buffer.alloc(0);
  private hasLeft = false;
  private isEnded = false;
  private wake: () => void = () => undefined;

  private constructor(private readonly link: Link) {}

  static tcp(port: number, host = '127.0.0.1'): Promise<WireClient> {
    return WireClient.over(connect({ port, host, noDelay: true }), 'connect');
  }

  /** Inside TLS, with whatever certificate. */
  static tls(port: number, host = '127.0.0.1'): Promise<WireClient> {
    return WireClient.over(connectSecurely({ port, host, rejectUnauthorized: false }).setNoDelay(), 'secureConnect');
  }

  private static over(socket: Socket, ready: 'connect' | 'secureConnect'): Promise<WireClient> {
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once(ready, () => {
        const client = new WireClient({ send: (bytes) => socket.write(bytes), destroy: () => socket.destroy() });
        socket.off('error', reject);
        // A reset ends the connection like any other end: whoever waits for bytes reports that they are missing.
        socket.on('error', () => undefined);
        socket.on('data', (bytes) => client.take(bytes));
        socket.on('close', () => client.end());
        resolve(client);
      });
    });
  }

  static udp(port: number, host = '127.0.0.1'): Promise<WireClient> {
    return new Promise((resolve, reject) => {
      const socket = createSocket('udp4');
      socket.once('error', reject);
      socket.bind(0, host, () => {
        const client = new WireClient({
          send: (bytes) => socket.send(bytes, port, host),
          destroy: () => socket.close(),
        });
        socket.on('message', (bytes) => client.take(bytes));
        resolve(client);
      });
    });
  }

  /** Sends text as latin1, one byte per character. */
  send(text: string | Buffer): void {
    this.link.send(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** The next bytes, exactly that many. */
  async bytes(count: number): Promise<Buffer> {
    await this.until(() => this.unread.length >= count, `${count} bytes`);
    return this.read(count);
  }

  /** The next line without its newline, as latin1. */
  async line(): Promise<string> {
    await this.until(() => this.unread.includes(10), 'a line');
    return this.read(this.unread.indexOf(10) + 1)
      .toString('latin1')
      .slice(0, -1);
  }

  /** All bytes that have come, once `isEnd` returns true for them, as latin1. */
  async through(isEnd: (received: string) => boolean, expected: string): Promise<string> {
    await this.until(() => isEnd(this.unread.toString('latin1')), expected);
    return this.read(this.unread.length).toString('latin1');
  }

  /** Resolves when the server has closed the connection. */
  async ended(): Promise<void> {
    await this.until(() => this.isEnded, 'the connection to close');
  }

  /** Received bytes that no caller has read. */
  get leftovers(): string {
    return this.unread.toString('latin1');
  }

  /** Closes at once, even with unread bytes. */
  drop(): void {
    if (!this.hasLeft) this.link.destroy();
    this.hasLeft = true;
  }

  /** Closes, and throws when bytes came that no test step has read. */
  close(): void {
    this.drop();
    if (this.unread.length > 0) throw new Error(`unread at close: ${this.excerpt()}`);
  }

  private take(bytes: Buffer): void {
    this.unread = this.unread.length === 0 ? bytes : Buffer.concat([this.unread, bytes]);
    this.wake();
  }

  private end(): void {
    this.isEnded = true;
    this.wake();
  }

  private read(count: number): Buffer {
    const taken = this.unread.subarray(0, count);
    this.unread = this.unread.subarray(count);
    return taken;
  }

  private until(isMet: () => boolean, expected: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`expected ${expected}, ${why}; unread: ${this.excerpt()}`));
      const timer = setTimeout(() => fail(`waited ${PATIENCE_MILLIS} ms`), PATIENCE_MILLIS);
      const check = () => {
        const isDone = isMet();
        if (!isDone && !this.isEnded) return;
        clearTimeout(timer);
        this.wake = () => undefined;
        if (isDone) resolve();
        else fail('the connection closed');
      };
      this.wake = check;
      check();
    });
  }

  private excerpt(): string {
    const text = JSON.stringify(this.leftovers);
    return text.length > 300 ? `${text.slice(0, 300)}... (${this.unread.length} bytes)` : text;
  }
}
