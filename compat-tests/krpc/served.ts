// A server with kRPC for tests, and clients of both kinds.
import type { RunningServer, ServeOptions, serve } from '../../lib/index.js';
import { serveHere } from '../../lib/testing/aids/serve-here.js';
import { serveBridged } from '../serve-bridged.js';
import { serveEdged } from '../serve-edged.js';
import { KrpcClient, type Ports } from './client.js';
import { testService } from './test-service.js';

const TEST_SIMULATION = new URL('test-simulation.js', import.meta.url);

/** How a client is connected. */
export const KINDS = ['tcp', 'webSocket'] as const;
export type Kind = (typeof KINDS)[number];

/** In which ways a simulation is served; functions and null pointers do not pass a bridge, and do pass an edge. */
export const SERVED = [
  ...KINDS.map((kind) => ({ kind, how: `over ${kind}`, by: serveHere, hasAll: true })),
  { kind: KINDS[0], how: 'in front of a bridge', by: serveBridged, hasAll: false },
  { kind: KINDS[0], how: 'at an edge', by: serveEdged, hasAll: true },
] as const;

export class KrpcServed {
  private readonly clients: KrpcClient[] = [];

  private constructor(
    readonly server: RunningServer,
    /** Lines of the operator's log. */
    readonly logged: readonly string[],
  ) {}

  /** @param by how it is served: `serveHere`, or `serve` with a thread of the simulation. */
  static async start(
    simulation: string | URL,
    options: ServeOptions = {},
    by: typeof serve | typeof serveHere = serveHere,
  ): Promise<KrpcServed> {
    const lines: string[] = [];
    const server = await by(simulation, {
      port: 0,
      discovery: false,
      krpc: 0,
      log: (_, text) => lines.push(text),
      ...options,
    });
    return new KrpcServed(server, lines);
  }

  /** The service of kRPC's own tests, alone. */
  static testService(): Promise<KrpcServed> {
    return KrpcServed.start(TEST_SIMULATION, { krpcServices: { services: [testService()], isAlone: true } });
  }

  get ports(): Ports {
    return { rpc: this.portOf('krpc'), stream: this.portOf('krpc-stream') };
  }

  async client(kind: Kind = 'tcp', name?: string): Promise<KrpcClient> {
    const client = await KrpcClient[kind](this.ports, name);
    this.clients.push(client);
    return client;
  }

  closeClients(): void {
    for (const client of this.clients.splice(0)) client.close();
  }

  async stop(): Promise<void> {
    this.closeClients();
    await this.server.close();
  }

  private portOf(name: string): number {
    return this.server.endpoints.find((endpoint) => endpoint.name === name)?.port ?? 0;
  }
}
