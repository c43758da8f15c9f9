// The front-end for edges that a NATS server leads to: it listens nowhere, and connects. It is loaded where it is asked for.
import type { Endpoint, FrontEnd } from '../../serving/transport/front-end.js';
import type { NatsEdges, NatsOptions } from './nats-edges.js';

export class NatsFrontEnd implements FrontEnd {
  readonly name = 'nats';
  private edges: NatsEdges | undefined;

  constructor(private readonly options: NatsOptions) {}

  endpoints(): readonly Endpoint[] {
    return [];
  }

  /** Rejects with one sentence when the server cannot be reached, or has a simulation of that name. */
  async started(): Promise<void> {
    const { NatsEdges } = await import('./nats-edges.js');
    this.edges = new NatsEdges(this.options);
    await this.edges.start();
  }

  async close(): Promise<void> {
    await this.edges?.close();
  }
}
