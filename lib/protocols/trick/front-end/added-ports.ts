// Ports that Trick's clients open while the server runs: var_server_create_*.
import { LIMITS } from '../../../model/bounds/limits.js';
import { NetworkCounts } from '../../../serving/network/network-counts.js';
import { type Address, isLoopback, isNameOf } from '../../../serving/transport/address.js';
import type { Endpoint, OpenPort } from '../../../serving/transport/front-end.js';
import type { PortOpener, PortOwner } from '../session/server-settings.js';
import { DISCOVERY_GROUPS, DISCOVERY_PORT } from './discovery.js';
import type { TrickFrontEnd } from './front-end.js';

const MOST_ADDED = LIMITS.openedPorts.all;
/** The most ports of one address: they stay for a while when their client goes, so some are left for others. */
const MOST_BY_ADDRESS = LIMITS.openedPorts.ofAddress;
/** The port of a client that has gone is closed when nobody has used it for so many looks, one each minute. */
const LOOK_SECONDS = 60;
const MOST_UNUSED_LOOKS = 10;

export interface AddedPortsParts {
  /** The main address. */
  readonly host: string;
  /** The name of this machine, which stands for the main address. */
  readonly hostname: string;
  readonly hasTls: boolean;
  /** Whether an address is a number, and no name. */
  readonly isNumber: (address: string) => boolean;
  /** Whether nobody may speak Trick text. */
  readonly isOff?: boolean;
  /** By port: whose clients look for a server there. */
  readonly usual: ReadonlyMap<number, string>;
  readonly open: (endpoint: Endpoint) => Promise<OpenPort | undefined>;
  /** Calls every so many seconds until the returned function is called. */
  readonly every: (seconds: number, call: () => void) => () => void;
  readonly log: (sentence: string) => void;
  /** Makes the endpoints. */
  readonly trick: () => Pick<TrickFrontEnd, 'tcp' | 'udp' | 'multicast'>;
}

/** A port whose client has gone. */
interface Left {
  readonly port: OpenPort;
  readonly network: string;
  unusedLooks: number;
}

export class AddedPorts implements PortOpener {
  readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= MOST_BY_ADDRESS && ofAll <= MOST_ADDED);
  private readonly left = new Set<Left>();
  private stopLooking: (() => void) | undefined;

  constructor(private readonly parts: AddedPortsParts) {}

  /** Trick: var_server_create_tcp_socket */
  async tcp(address: string, port: number, by?: PortOwner): Promise<void> {
    await this.add({ address, port }, by, (at) => this.parts.trick().tcp(at));
  }

  /** Trick: var_server_create_udp_socket */
  async udp(address: string, port: number, by?: PortOwner): Promise<void> {
    if (this.parts.hasTls) throw new Error('only TLS is spoken here, and UDP cannot; no UDP session is opened');
    await this.add({ address, port }, by, (at) => this.parts.trick().udp(at));
  }

  /** Trick: var_server_create_multicast_socket */
  async multicast(group: string, address: string, port: number, by?: PortOwner): Promise<void> {
    if (by && DISCOVERY_GROUPS.some((one) => one === group))
      throw new Error(`clients join no group ${group}: simulations announce themselves there`);
    await this.add({ address, port }, by, (at) => this.parts.trick().multicast(group, at, by?.network));
  }

  private async add(
    { address, port: number }: { readonly address: string; readonly port: number },
    by: PortOwner | undefined,
    endpointAt: (at: Address) => Endpoint,
  ): Promise<void> {
    const endpoint = endpointAt({ host: this.hostFor(address), port: number });
    if (by) this.requireOpenToClients(number);
    if (by) this.count(by.network);
    try {
      const port = await this.parts.open(endpoint);
      if (by && port) this.closeAfter(by, port);
    } catch (error) {
      if (by) this.counts.give(by.network);
      throw error;
    }
  }

  /** A client may open a port only where the operator has allowed clients already. Throws an Error. */
  private hostFor(address: string): string {
    const { host, hostname, isOff } = this.parts;
    if (isOff) throw new Error('Trick text is switched off here, no port for it is opened');
    const isMain = address === '' || isWildcard(address) || isNameOf(hostname, address);
    const wanted = isMain ? host : address;
    if (isLoopback(host) && !isLoopback(wanted)) throw new Error(`only loopback is served, ${wanted} is not opened`);
    if (wanted !== host && !isWildcard(host) && !isLoopback(wanted)) {
      throw new Error(`only ${host} is served, ${wanted} is not opened`);
    }
    // Names are not looked up for clients, who could have the server ask any name.
    if (wanted === host || wanted === 'localhost' || this.parts.isNumber(wanted)) return wanted;
    throw new Error(`an address of this machine is a number or localhost, not ${wanted}`);
  }

  /** A client could otherwise stand where others look for servers, or keep them from listening. Throws an Error. */
  private requireOpenToClients(port: number): void {
    if (port === DISCOVERY_PORT) throw new Error(`clients open no port ${port}: simulations announce themselves there`);
    const whose = this.parts.usual.get(port);
    if (whose !== undefined)
      throw new Error(`clients open no port ${port}: there clients of ${whose} look for a server`);
  }

  /** Counts a port of a client. */
  private count(network: string): void {
    if (this.counts.take(network)) return;
    if (this.counts.held >= MOST_ADDED) throw new Error(`clients may open at most ${MOST_ADDED} ports`);
    throw new Error(`a client may open at most ${MOST_BY_ADDRESS} ports`);
  }

  /** Others may use the port when its client has gone; it is closed when nobody does. */
  private closeAfter(by: PortOwner, port: OpenPort): void {
    const leave = (): void => {
      this.left.add({ port, network: by.network, unusedLooks: 0 });
      this.stopLooking ??= this.parts.every(LOOK_SECONDS, () => this.look());
    };
    if (by.isClosed) leave();
    else by.onClose(leave);
  }

  private look(): void {
    for (const one of this.left) {
      one.unusedLooks = one.port.wasUsed() ? 0 : one.unusedLooks + 1;
      if (one.unusedLooks >= MOST_UNUSED_LOOKS) this.close(one);
    }
    if (this.left.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }

  private close(one: Left): void {
    this.left.delete(one);
    this.counts.give(one.network);
    const { port } = one.port;
    this.parts.log(
      `port ${port} is closed: its client has gone, and nobody has used it for ${MOST_UNUSED_LOOKS} minutes`,
    );
    void one.port.close();
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
