// The front-end for edges: a WebSocket at /edge for each. What serves one is loaded by the first.
import { randomInt } from 'node:crypto';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission, Endpoint, FrontEnd } from '../../serving/transport/front-end.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';

const MOST_EPOCH = 2 ** 47;

/** A random number for each run of a source. */
export const newEpoch = (): number => randomInt(1, MOST_EPOCH);

export class EdgeFrontEnd implements FrontEnd {
  readonly name = 'edge';
  private loading: Promise<(peer: WebSocketPeer, admission: Admission) => void> | undefined;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly epoch: number,
    private readonly calls: MethodCalls,
  ) {}

  endpoints(): readonly Endpoint[] {
    const webSockets = [{ path: '/edge', open: (...opened: [WebSocketPeer, Admission]) => void this.open(...opened) }];
    return [{ kind: 'http', trust: 'request', at: 'main', name: 'edge', speaks: ['edges'], routes: [], webSockets }];
  }

  close(): void {
    // Its WebSockets end with the port.
  }

  private async open(peer: WebSocketPeer, admission: Admission): Promise<void> {
    const { registry, epoch, calls } = this;
    this.loading ??= import('./edge-sockets.js').then(({ edgeSockets }) => edgeSockets(registry, epoch, calls));
    (await this.loading)(peer, admission);
  }
}
