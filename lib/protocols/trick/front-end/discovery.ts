// Announces the simulation to the network, every two seconds. Trick: VariableServerListenThread::thread_body
import { lookup } from 'node:dns/promises';
import { hostname, userInfo } from 'node:os';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import { isLoopback } from '../../../serving/transport/address.js';
import type { Endpoint, FrontEnd } from '../../../serving/transport/front-end.js';
import { TRICK_VERSION } from '../catalog/version.js';
import type { TrickServer } from '../session/server-settings.js';

/** Both groups carry the same message: Java clients join the first, Python ones the second. */
export const DISCOVERY_GROUPS = ['239.3.14.15', '224.3.14.15'] as const;
export const DISCOVERY_PORT = 9265;
const PERIOD_SECONDS = 2;

export interface DiscoveryFacts {
  readonly server: Pick<TrickServer, 'hostname' | 'port' | 'userTag' | 'isEnabled'>;
  readonly user: string;
  readonly processId: number;
  readonly directory: string;
  readonly program: string;
  readonly inputFile: string;
  readonly mode: number;
}

/** Sends datagrams to multicast groups. */
export interface Sender {
  send(group: string, port: number, message: string): void;
  close(): Promise<void>;
}

/** How far datagrams go: 0 keeps them on this machine. */
export interface Reach {
  readonly ttl?: number;
  /** Address of the network interface that sends. */
  readonly interface?: string;
}

export interface DiscoveryParts {
  readonly registry: SessionRegistry;
  readonly server: TrickServer;
  /** The main address that is bound. */
  readonly host: string;
  /** The version of varwire. */
  readonly version: string;
  /** Rejects where there is no multicast. */
  readonly openSender: (reach: Reach) => Promise<Sender>;
}

/** It has no endpoint, because nobody can answer. */
export class Discovery implements FrontEnd {
  readonly name = 'discovery';
  private senders: readonly Sender[] = [];
  private stopClock: () => void = () => undefined;
  private isStopped = false;

  constructor(private readonly parts: DiscoveryParts) {}

  endpoints(): readonly Endpoint[] {
    return [];
  }

  /** The first message goes out at once. Where none can be sent, the log says so. */
  async started(): Promise<void> {
    const { registry } = this.parts;
    this.senders = await this.openSenders();
    const announcedName = await this.reachableName();
    if (this.isStopped) await this.closeSenders();
    else this.stopClock = registry.timetable.every(PERIOD_SECONDS, () => this.announce(announcedName));
  }

  async close(): Promise<void> {
    this.isStopped = true;
    this.stopClock();
    await this.closeSenders();
  }

  private announce(announcedName: string): void {
    const { registry, server, version } = this.parts;
    const { frame, info } = registry.source;
    const message = discoveryMessage({
      server: { hostname: announcedName, port: server.port, userTag: server.userTag, isEnabled: server.isEnabled },
      user: userInfo().username,
      processId: process.pid,
      directory: info.directory,
      program: `varwire-${version}`,
      inputFile: info.inputFile ?? info.file,
      mode: frame.header.mode,
    });
    for (const sender of this.senders)
      for (const group of DISCOVERY_GROUPS) sender.send(group, DISCOVERY_PORT, message);
  }

  /** An announcement for this machine alone goes out where clients join groups by default, and on loopback. */
  private async openSenders(): Promise<Sender[]> {
    const { host, openSender, server } = this.parts;
    const local: readonly Reach[] = [{ ttl: 0 }, { ttl: 0, interface: '127.0.0.1' }];
    const opened = (isLoopback(host) ? local : [{}]).map((reach) =>
      openSender(reach).catch((error: Error) => {
        server.log(`the simulation is not announced everywhere: ${error.message}`, 'warning');
        return undefined;
      }),
    );
    return (await Promise.all(opened)).filter((sender) => sender !== undefined);
  }

  private async closeSenders(): Promise<void> {
    await Promise.all(this.senders.map((sender) => sender.close()));
  }

  /** The name that clients connect to: the host's own, unless that leads to an address which is not served. */
  private async reachableName(): Promise<string> {
    const { host } = this.parts;
    if (!isLoopback(host)) return hostname();
    const { address } = await lookup(hostname(), 4).catch(() => ({ address: '' }));
    return address === host ? hostname() : 'localhost';
  }
}

/** One datagram of twelve tab-separated fields. */
export function discoveryMessage({
  server,
  user,
  processId,
  directory,
  program,
  inputFile,
  mode,
}: DiscoveryFacts): string {
  const fields = [
    server.hostname,
    server.port,
    user,
    processId,
    directory,
    program,
    inputFile,
    TRICK_VERSION,
    server.userTag,
    server.port,
    server.isEnabled ? 1 : 0,
    mode,
  ];
  return `${fields.join('\t')}\n`;
}
