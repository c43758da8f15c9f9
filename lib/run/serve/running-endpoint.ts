// Where a server can be reached, which protocols it speaks there, and lines to paste that try them.
import { networkInterfaces } from 'node:os';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import type { Address } from '../../serving/transport/address.js';
import type { Endpoint, Example, ExamplePlace } from '../../serving/transport/front-end.js';
import type { Source } from '../../source/source.js';

/** An open endpoint. Plain data, so that it can be sent to another thread. */
export interface RunningEndpoint extends Address {
  /** `trick`, `udp`, `tcp`, `multicast`, `messages`, `http`, or the name that another front-end gives. */
  readonly name: string;
  readonly protocol: 'tcp' | 'udp';
  /** Such as `Trick text`, `JSON-RPC`. */
  readonly speaks: readonly string[];
  /** The bound address; for multicast the group. */
  readonly host: string;
  readonly port: number;
  readonly examples: readonly Example[];
}

export type ExampleFacts = Omit<ExamplePlace, keyof Address>;

export function runningEndpoint(endpoint: Endpoint, at: Address, facts: ExampleFacts): RunningEndpoint {
  const { name, speaks, kind } = endpoint;
  const { port } = at;
  return {
    name,
    protocol: kind === 'datagram' || kind === 'multicast' ? 'udp' : 'tcp',
    speaks: [...speaks],
    host: kind === 'multicast' ? endpoint.group : at.host,
    port,
    examples: endpoint.examples?.({ ...facts, host: reachableHost(at.host), port }) ?? [],
  };
}

/** The first variable of the simulation itself. */
export function exampleVariable({ catalog }: Source): string {
  for (const { name } of catalog.objects) {
    if (isOverlayObject(name)) continue;
    const object = catalog.find(name);
    const first = object && catalog.within(object).next().value;
    if (first) return first.path;
  }
  return 'trick_sys.sched.time_tics';
}

/** An address to connect to; the bound address may stand for all addresses. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return others.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
