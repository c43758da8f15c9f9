// Ports that Trick's clients open while the server runs: var_server_create_*.
import { NetworkCounts } from '../../network/network-counts.js';
import { hostOf, isLoopback, isNameOf } from '../../transport/address.js';
import type { Endpoint } from '../../transport/front-end.js';
import type { PortOpener } from '../session/server-settings.js';
import type { TrickFrontEnd } from './front-end.js';

const MOST_ADDED = 16;
/** The most ports of one address: ports stay when their client goes, so some are left for others. */
const MOST_BY_ADDRESS = 8;

export interface AddedPortsParts {
  /** The main address. */
  readonly host: string;
  /** The name of this machine, which stands for the main address. */
  readonly hostname: string;
  readonly hasTls: boolean;
  /** Whether nobody may speak Trick text. */
  readonly isOff?: boolean;
  readonly open: (endpoint: Endpoint) => Promise<void>;
  /** Makes the endpoints. */
  readonly trick: () => Pick<TrickFrontEnd, 'tcp' | 'udp' | 'multicast'>;
}

export class AddedPorts implements PortOpener {
  readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= MOST_BY_ADDRESS && ofAll <= MOST_ADDED);

  constructor(private readonly parts: AddedPortsParts) {}

  /** Trick: var_server_create_tcp_socket */
  async tcp(address: string, port: number, by?: string): Promise<void> {
    await this.add(address, by, (host) => this.parts.trick().tcp({ host, port }));
  }

  /** Trick: var_server_create_udp_socket */
  async udp(address: string, port: number, by?: string): Promise<void> {
    if (this.parts.hasTls) throw new Error('only TLS is spoken here, and UDP cannot; no UDP session is opened');
    await this.add(address, by, (host) => this.parts.trick().udp({ host, port }));
  }

  /** Trick: var_server_create_multicast_socket */
  async multicast(group: string, address: string, port: number, by?: string): Promise<void> {
    await this.add(address, by, (host) => this.parts.trick().multicast(group, { host, port }));
  }

  /** A client may open a port only where the operator has allowed clients already. */
  private async add(address: string, by: string | undefined, endpointAt: (host: string) => Endpoint): Promise<void> {
    const { host, hostname, open, isOff } = this.parts;
    if (isOff) throw new Error('Trick text is switched off here, no port for it is opened');
    const isMain = address === '' || isWildcard(address) || isNameOf(hostname, address);
    const wanted = isMain ? host : address;
    if (isLoopback(host) && !isLoopback(wanted)) throw new Error(`only loopback is served, ${wanted} is not opened`);
    if (wanted !== host && !isWildcard(host) && !isLoopback(wanted)) {
      throw new Error(`only ${host} is served, ${wanted} is not opened`);
    }
    if (by !== undefined) this.count(hostOf(by));
    try {
      await open(endpointAt(wanted));
    } catch (error) {
      if (by !== undefined) this.counts.give(hostOf(by));
      throw error;
    }
  }

  /** Counts a port of a client, which stays when the client goes. */
  private count(client: string): void {
    if (this.counts.take(client)) return;
    if (this.counts.held >= MOST_ADDED) throw new Error(`clients may open at most ${MOST_ADDED} ports`);
    throw new Error(`a client may open at most ${MOST_BY_ADDRESS} ports`);
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
