// What all clients of the protocol share.
import type { MessageLog } from '../../serving/session/message-log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import type { FindAsset } from './assets.js';
import type { Channels } from './channels.js';
import type { ConnectionGraph } from './connection-graph.js';
import type { Services } from './services.js';

export interface ClientParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  readonly channels: Channels;
  readonly services: Services;
  readonly graph: ConnectionGraph;
  readonly calls: MethodCalls;
  readonly messages: MessageLog;
  readonly findAsset: FindAsset;
  /** Tells one run of the server from another. */
  readonly sessionId: string;
  /** The most messages of a channel in a second of wall time. */
  readonly hertz: number;
}
