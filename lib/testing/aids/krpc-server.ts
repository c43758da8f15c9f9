// A kRPC server of a simulation on a clock of its own, and its clients, with connections in memory.

import { Clients } from '../../protocols/krpc/clients.js';
import { FrameSplitter, framed } from '../../protocols/krpc/schema/frame-splitter.js';
import { decodeMessage, encodeMessage, Schema } from '../../protocols/krpc/schema/messages.js';
import { KrpcServer } from '../../protocols/krpc/server.js';
import { encodeValue } from '../../protocols/krpc/values/encode.js';
import { type KrpcType, type KrpcValue, SINT32, STRING } from '../../protocols/krpc/values/type.js';
import { type Bounds, DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { ComputingClock } from './computing.js';
import { turn } from './http-exchange.js';
import { type LocalSource, startLocalSource } from './local-source.js';
import { MemoryConnection } from './memory-connection.js';

export interface CallFields {
  readonly service: string;
  readonly procedure: string;
  readonly arguments: { readonly position: number; readonly value: Uint8Array }[];
}
const NO_OBJECTS = { numberOf: () => 0, objectOf: () => undefined };
export const bytesOf = (type: KrpcType, value: KrpcValue): Uint8Array => encodeValue(type, value, NO_OBJECTS);
export const call = (service: string, procedure: string, ...values: Uint8Array[]): CallFields => ({
  service,
  procedure,
  arguments: values.map((value, position) => ({ position, value })),
});
export const list = (path: string, first: number, count: number): CallFields =>
  call(
    'VarServer',
    'GetList',
    bytesOf(STRING, path),
    bytesOf(STRING, ''),
    bytesOf(SINT32, first),
    bytesOf(SINT32, count),
  );
export const streamOf = (one: CallFields): CallFields =>
  call('KRPC', 'AddStream', encodeMessage(Schema.ProcedureCall, one));

export function messagesOf(connection: MemoryConnection): Uint8Array[] {
  const splitter = new FrameSplitter(2 ** 26);
  splitter.push(Buffer.concat(connection.written.splice(0)));
  const messages: Uint8Array[] = [];
  for (let next = splitter.next(); next; next = splitter.next()) messages.push(next);
  return messages;
}

const hello = (fields: { type?: number; clientIdentifier?: Uint8Array }): Buffer =>
  Buffer.from(framed(encodeMessage(Schema.ConnectionRequest, fields)));

export class KrpcTestClient {
  readonly calls = new MemoryConnection();
  readonly streams = new MemoryConnection();

  constructor(server: KrpcServer) {
    server.acceptCalls(this.calls);
    this.calls.send(hello({}));
    const [answer] = messagesOf(this.calls);
    const { clientIdentifier } = decodeMessage(Schema.ConnectionResponse, answer as Uint8Array);
    server.acceptStreams(this.streams);
    this.streams.send(hello({ type: 1, clientIdentifier }));
    messagesOf(this.streams);
  }

  send(...calls: CallFields[]): void {
    this.calls.send(Buffer.from(framed(encodeMessage(Schema.Request, { calls }))));
  }

  async ask(...calls: CallFields[]) {
    this.send(...calls);
    return this.answer();
  }

  async answer() {
    for (let k = 0; k < 20_000; k++) {
      const [message] = messagesOf(this.calls);
      if (message) return decodeMessage(Schema.Response, message);
      await turn();
    }
    throw new Error('there is no answer');
  }

  /** The error of one call, or nothing. */
  async refusal(one: CallFields): Promise<string | undefined> {
    const { error, results } = await this.ask(one);
    return (error ?? results[0]?.error)?.description;
  }

  updates() {
    return messagesOf(this.streams).map((message) => decodeMessage(Schema.StreamUpdate, message).results);
  }
}

export class KrpcFixture {
  readonly logged: string[] = [];
  /** Bounds that clients have met and that are counted. */
  readonly met: string[] = [];
  readonly clock = new ComputingClock();
  readonly registry: SessionRegistry;
  readonly server: KrpcServer;

  private constructor(
    readonly local: LocalSource,
    bounds: Bounds,
    private readonly now: { millis: number },
  ) {
    const nothing = (): void => undefined;
    const listener = { opened: nothing, closed: nothing, metBound: (bound: string) => void this.met.push(bound) };
    const letGo = (_: Session, reason: string): void => void this.logged.push(`was let go: ${reason}`);
    this.registry = new SessionRegistry(local.source, this.clock, { ...listener, letGo }, bounds);
    const log = (_: string, text: string): void => void this.logged.push(text);
    const added = { services: [] };
    this.server = new KrpcServer({ registry: this.registry, log, version: '1.2.3', added, clients: new Clients() });
  }

  static async start(definition: SimulationDefinition, bounds: Bounds = DEFAULT_BOUNDS): Promise<KrpcFixture> {
    const now = { millis: 0 };
    const local = await startLocalSource(definition, {
      arguments: [],
      directory: '/sims',
      file: 'box.js',
      runDirectory: 'RUN',
      nowMillis: () => now.millis,
    });
    return new KrpcFixture(local, bounds, now);
  }

  connect(): KrpcTestClient {
    return new KrpcTestClient(this.server);
  }

  /** Ticks of the simulation of 10 ms; those of the clock may take longer. */
  async ticks(count: number, clockMillis = 10): Promise<void> {
    for (let k = 0; k < count; k++) {
      this.clock.advance(clockMillis);
      this.turn();
      await turn();
    }
  }

  /** A turn of the simulation alone. */
  turn(): void {
    this.now.millis += 10;
    this.local.host.running.turn();
  }

  async close(): Promise<void> {
    this.server.close();
    this.registry.close();
    await this.local.source.close();
  }
}
