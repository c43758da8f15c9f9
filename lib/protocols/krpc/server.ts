// The kRPC server behind the ports: handshakes become clients, and streams find the client that they belong to.
import { randomBytes } from 'node:crypto';
import { LIMITS } from '../../model/bounds/limits.js';
import { SharedRoom } from '../../serving/network/shared-room.js';
import { FrameFollowers } from '../../serving/session/frame-followers.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { type Session, tagOf } from '../../serving/session/session.js';
import { SparseLog } from '../../serving/session/sparse-log.js';
import type { Connection, WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import {
  awaitRequest,
  type ConnectRequest,
  IDENTIFIER_BYTES,
  type Port,
  responseBytes,
  Status,
} from './client/handshake.js';
import { type ClientFacts, type ClientParts, RpcClient } from './client/rpc-client.js';
import { type Clients, identifierIn } from './clients.js';
import type { AddedServices } from './service/procedure.js';
import { Services } from './services.js';
import { StatusMeter } from './status.js';

/** WebSocket closing code for a message that is no request. */
const MALFORMED = 1007;

export interface KrpcServerOptions {
  readonly registry: SessionRegistry;
  readonly log: Log;
  readonly version: string;
  readonly added: AddedServices;
  readonly clients: Clients;
}

export class KrpcServer {
  private readonly registry: SessionRegistry;
  private readonly clients: Clients;
  private readonly meter: StatusMeter;
  private readonly services: Services;
  private readonly parts: ClientParts;
  private lastStream = 0;

  constructor({ registry, log, version, added, clients }: KrpcServerOptions) {
    this.registry = registry;
    this.clients = clients;
    this.meter = new StatusMeter(registry.clock, () => clients.streams);
    this.services = new Services(registry.source, version, added);
    const faults = new SparseLog(registry.clock, log);
    const heldBack = new SparseLog(registry.clock, log);
    const onFault = (err: unknown): void => faults.say('error', 'a kRPC procedure failed', { err: err as Error });
    this.parts = {
      registry,
      server: {
        get clients() {
          return clients.all;
        },
        status: () => this.meter.bytes(),
      },
      counted: this.meter.request,
      unfinished: new SharedRoom(LIMITS.unfinishedMessages.all),
      crowdedOut: (sentence) => {
        registry.metBound('unfinished_messages');
        heldBack.say('warning', sentence);
      },
      streams: {
        registry,
        nextId: () => this.lastStream++,
        services: this.services,
        eventFollowers: new FrameFollowers(registry, true),
        onFault,
        onError: () => registry.errors.note('krpc'),
        counted: this.meter.update,
      },
    };
  }

  /** A TCP connection on the port for calls. */
  acceptCalls(connection: Connection): void {
    this.greet(connection, 'rpc', ({ name, rest, bytes }) => {
      this.meter.greeted(bytes);
      const client = this.welcome(connection, {
        name: tagOf(name),
        mayChange: true,
        mayAsk: () => true,
        endMalformed: () => connection.destroy(),
      });
      client.session.outbound.reply(responseBytes({ status: Status.ok, clientIdentifier: client.id }), 'binary');
      client.listen(rest);
    });
  }

  /** A WebSocket on the port for calls; its query may hold a name. */
  openCalls(peer: WebSocketPeer, { mayChange, mayAsk }: Admission): void {
    const { query, headers } = peer.request;
    peer.takeOnly('binary');
    const name = query.get('name') ?? headers.origin ?? '';
    this.welcome(peer, {
      name: tagOf(name),
      mayChange,
      mayAsk,
      endMalformed: () => peer.end(MALFORMED),
    }).listen(new Uint8Array());
  }

  /** A TCP connection on the port for streams. */
  acceptStreams(connection: Connection): void {
    this.greet(connection, 'stream', ({ identifier }) => {
      // kRPC tells an unknown client nothing.
      if (!this.clients.find(identifier)) return connection.destroy();
      const bytes = responseBytes({ status: Status.ok, clientIdentifier: identifier });
      this.connectStreams(connection, identifier, bytes);
    });
  }

  /** A WebSocket on the port for streams. */
  openStreams(peer: WebSocketPeer): void {
    peer.takeOnly('binary');
    this.connectStreams(peer, identifierIn(peer.request.query));
  }

  close(): void {
    for (const client of this.clients.all) client.end();
    this.parts.streams.eventFollowers.close();
  }

  private greet(connection: Connection, port: Port, asked: (asked: ConnectRequest) => void): void {
    const { clock, errors } = this.registry;
    awaitRequest(connection, port, { clock, asked, refused: () => errors.note('krpc') });
  }

  private welcome(connection: Connection, facts: Omit<ClientFacts, 'id'>): RpcClient {
    const session = this.sessionOf(connection);
    session.tag = facts.name;
    const client = new RpcClient(this.parts, { id: randomBytes(IDENTIFIER_BYTES), ...facts }, session, connection);
    this.clients.add(client);
    client.closed = () => this.clients.delete(client);
    return client;
  }

  private connectStreams(connection: Connection, identifier: Uint8Array, greeting?: Uint8Array): void {
    const client = this.clients.find(identifier);
    if (!client) {
      connection.destroy();
      return;
    }
    const session = this.sessionOf(connection);
    const { outbound } = session;
    connection.listen({
      // What a client says here means nothing.
      data: () => undefined,
      drain: () => outbound.release(),
      close: () => {
        client.streams.disconnect(outbound);
        session.close();
      },
    });
    if (greeting) outbound.reply(greeting, 'binary');
    client.connectStreams(connection, outbound);
  }

  private sessionOf(connection: Connection): Session {
    return this.registry.create({ frontEnd: 'krpc', peer: connection.peer, transport: connection.kind }, connection);
  }
}
