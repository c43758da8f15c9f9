// A kRPC client for tests: its own framing, over TCP or WebSocket; only the schema is shared with the server.

import type { Socket } from 'node:net';
import { create, fromBinary, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import WebSocket from 'ws';
import { type MessageOf, Schema } from '../../lib/protocols/krpc/schema/messages.js';
import { dial } from '../dial.js';
import { readBlob, readVarint, varint } from './values.js';

type ProcedureResult = MessageOf<'ProcedureResult'>;
type StreamResult = MessageOf<'StreamResult'>;
type Response = MessageOf<'Response'>;

const encode = <M extends Message>(schema: GenMessage<M>, fields: MessageInitShape<GenMessage<M>>): Uint8Array =>
  toBinary(schema, create(schema, fields));

export interface CallOptions {
  /** Arguments by position; undefined leaves one out, null sends null as 0.7 does. */
  readonly given?: readonly (Uint8Array | null | undefined)[];
}

/** The fields of a ProcedureCall. */
export function call(service: string | number, procedure: string | number, ...given: CallOptions['given'] & object) {
  const named = {
    ...(typeof service === 'number' ? { serviceId: service } : { service }),
    ...(typeof procedure === 'number' ? { procedureId: procedure } : { procedure }),
  };
  const all = given.map((value, position) =>
    value === null ? { position, isNull: true } : { position, value: value ?? new Uint8Array() },
  );
  return { ...named, arguments: all.filter((_, position) => given[position] !== undefined) };
}

export type Call = ReturnType<typeof call>;
export const callBytes = (one: Call): Uint8Array => encode(Schema.ProcedureCall, one);

/** An error that a call was answered with. */
export class KrpcError extends Error {
  constructor(
    readonly service: string,
    readonly exception: string,
    readonly description: string,
    readonly stackTrace: string,
  ) {
    super(description);
  }
}

/** Whole messages over a socket of either kind. */
abstract class Channel {
  private readonly messages: Buffer[] = [];
  private readonly waiting: ((message: Buffer | undefined) => void)[] = [];
  /** Set once it has closed: `closed`, or the code of a WebSocket. */
  ended: string | undefined;

  abstract send(body: Uint8Array): void;
  abstract close(): void;

  /** The next message; undefined when the connection has closed. */
  next(): Promise<Buffer | undefined> {
    const message = this.messages.shift();
    if (message) return Promise.resolve(message);
    if (this.ended !== undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  protected take(message: Buffer): void {
    const waiting = this.waiting.shift();
    if (waiting) waiting(message);
    else this.messages.push(message);
  }

  protected end(how: string): void {
    this.ended ??= how;
    for (const resolve of this.waiting.splice(0)) resolve(undefined);
  }
}

export class TcpChannel extends Channel {
  readonly socket: Socket;
  private rest: Buffer = Buffer.alloc(0);

  /** @param isSecure whether it speaks TLS, with whoever answers. */
  constructor(port: number, isSecure = false) {
    super();
    this.socket = dial({ port, isSecure });
    this.socket.on('error', () => this.end('error'));
    this.socket.on('close', () => this.end('closed'));
    this.socket.on('data', (chunk) => {
      this.rest = Buffer.concat([this.rest, chunk]);
      this.cut();
    });
  }

  send(body: Uint8Array): void {
    this.write(Buffer.concat([varint(body.length), body]));
  }

  /** Writes bytes as they are. */
  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  close(): void {
    this.socket.destroy();
  }

  private cut(): void {
    for (;;) {
      if (this.rest.length === 0 || this.rest.every((byte) => byte >= 0x80)) return;
      const { value, end } = readVarint(this.rest);
      if (this.rest.length < end + Number(value)) return;
      this.take(this.rest.subarray(end, end + Number(value)));
      this.rest = this.rest.subarray(end + Number(value));
    }
  }
}

export class SocketChannel extends Channel {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;

  constructor(url: string, options: WebSocket.ClientOptions = {}) {
    super();
    this.socket = new WebSocket(url, options);
    this.opened = new Promise((resolve, reject) => {
      this.socket.on('open', resolve);
      this.socket.on('error', reject);
    });
    this.socket.on('error', () => this.end('error'));
    this.socket.on('close', (code) => this.end(`${code}`));
    this.socket.on('message', (message) => this.take(message as Buffer));
  }

  send(body: Uint8Array): void {
    this.socket.send(body);
  }

  close(): void {
    this.socket.terminate();
  }
}

export interface Ports {
  readonly rpc: number;
  readonly stream: number;
  /** Whether they speak TLS. Default false. */
  readonly isSecure?: boolean;
}

/** One client with its calls, and its streams when they are connected. */
export class KrpcClient {
  streams: Channel | undefined;

  private constructor(
    readonly rpc: Channel,
    readonly identifier: Uint8Array,
  ) {}

  static async tcp({ rpc, stream, isSecure }: Ports, name = 'test'): Promise<KrpcClient> {
    const channel = new TcpChannel(rpc, isSecure);
    const client = new KrpcClient(channel, (await handshake(channel, { clientName: name })).clientIdentifier);
    const streams = new TcpChannel(stream, isSecure);
    await handshake(streams, { type: 1, clientIdentifier: client.identifier });
    client.streams = streams;
    return client;
  }

  static async webSocket({ rpc, stream }: Ports, name = 'test'): Promise<KrpcClient> {
    const channel = new SocketChannel(`ws://127.0.0.1:${rpc}/?name=${name}`);
    await channel.opened;
    const asking = new KrpcClient(channel, new Uint8Array());
    const client = new KrpcClient(channel, readBlob(await asking.call(call('KRPC', 'GetClientID'))));
    // Unescaped, as kRPC's clients send it.
    const streams = new SocketChannel(
      `ws://127.0.0.1:${stream}/?id=${Buffer.from(client.identifier).toString('base64')}`,
    );
    await streams.opened;
    client.streams = streams;
    return client;
  }

  async request(...calls: readonly Call[]): Promise<Response> {
    this.rpc.send(encode(Schema.Request, { calls: [...calls] }));
    return this.response();
  }

  async response(): Promise<Response> {
    const message = await this.rpc.next();
    if (!message) throw new Error('the server has closed the connection');
    return fromBinary(Schema.Response, message);
  }

  async result(one: Call): Promise<ProcedureResult> {
    const { error, results } = await this.request(one);
    const [result] = results;
    const failed = error ?? result?.error;
    if (failed) throw new KrpcError(failed.service, failed.name, failed.description, failed.stackTrace);
    if (!result) throw new Error('there is no result');
    return result;
  }

  /** The value's bytes. Throws a KrpcError. */
  async call(one: Call): Promise<Uint8Array> {
    return (await this.result(one)).value;
  }

  /** The error of a call. Throws when there is none. */
  async failure(one: Call): Promise<KrpcError> {
    try {
      await this.call(one);
    } catch (error) {
      if (error instanceof KrpcError) return error;
      throw error;
    }
    throw new Error('the call has succeeded');
  }

  async addStream(one: Call, start = true): Promise<bigint> {
    const bytes = await this.call(call('KRPC', 'AddStream', callBytes(one), varint(start ? 1 : 0)));
    return fromBinary(Schema.Stream, bytes).id;
  }

  async startStream(id: bigint): Promise<void> {
    await this.call(call('KRPC', 'StartStream', varint(id)));
  }

  /** The next update of the streams. */
  async update(): Promise<StreamResult[]> {
    const message = await this.streams?.next();
    if (!message) throw new Error('the server has closed the stream connection');
    return fromBinary(Schema.StreamUpdate, message).results;
  }

  /** Updates until one has a stream that fits; its result. */
  async until(id: bigint, fits: (result: ProcedureResult) => boolean = () => true): Promise<ProcedureResult> {
    for (;;) {
      const found = (await this.update()).find((one) => one.id === id)?.result;
      if (found && fits(found)) return found;
    }
  }

  close(): void {
    this.rpc.close();
    this.streams?.close();
  }
}

/** Sends a ConnectionRequest and reads the answer. Throws when the server closes without one. */
export async function handshake(channel: TcpChannel, fields: MessageInitShape<typeof Schema.ConnectionRequest>) {
  channel.send(encode(Schema.ConnectionRequest, fields));
  const message = await channel.next();
  if (!message) throw new Error('closed without an answer');
  return fromBinary(Schema.ConnectionResponse, message);
}

export const connectionRequest = (fields: MessageInitShape<typeof Schema.ConnectionRequest>): Uint8Array =>
  encode(Schema.ConnectionRequest, fields);
export const requestBytes = (...calls: readonly Call[]): Uint8Array => encode(Schema.Request, { calls: [...calls] });
export const readServices = (bytes: Uint8Array) => fromBinary(Schema.Services, bytes).services;
export const readStatus = (bytes: Uint8Array) => fromBinary(Schema.Status, bytes);
export const readStream = (bytes: Uint8Array) => fromBinary(Schema.Stream, bytes).id;
export const readEvent = (bytes: Uint8Array) => fromBinary(Schema.Event, bytes).stream?.id ?? 0n;
