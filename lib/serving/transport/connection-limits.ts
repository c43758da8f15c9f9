// Limits how many connections may be open: from one address and in all.

import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { LIMITS } from '../../model/bounds/limits.js';
import { networkOf } from '../network/network.js';
import { HeldBack } from './held-back.js';

export interface ConnectionLimitOptions {
  /** Default 20,000, or fewer where the process may not open that many files. */
  readonly mostInAll?: number;
  /** Default 2000. IPv6 addresses count by their first 64 bits, which all addresses of one network share. */
  readonly mostByAddress?: number;
  /** How many files this process may open. Default: what the operating system reports, if it does. */
  readonly descriptors?: number | undefined;
  readonly heldBack?: HeldBack;
  readonly nowMillis?: () => number;
}

/** The share of all connections that one address may have; the rest is for other addresses. */
const SHARE_OF_ADDRESS = 0.75;
/** Descriptors left for files, ports and refusals; half of all when there are few. */
const RESERVED_DESCRIPTORS = 256;
/** How long the first bytes of a new connection may be on their way. */
const SILENCE_MILLIS = 1000;
/** So long nothing must have come and gone over a connection before it is closed for a new one. */
const IDLE_MILLIS = 1000;
/** From this part of the room on, it is looked at which connections are idle. */
const CROWDED = 0.5;

/** What had come and gone over a connection, and since when it has been that much. */
interface Use {
  readonly bytes: number;
  readonly sinceMillis: number;
}

/** The connections of one address. */
interface NetworkConnections {
  /** The one over which nothing has come or gone for longest is the first. */
  readonly open: Map<Socket, Use>;
  /** When it was looked at last which are idle. */
  lookedMillis: number;
  /** Connections that have sent nothing, and since when; the oldest first. */
  readonly silent: Map<Socket, number>;
}

/**
 * Shared by all ports of a server. When there is no room for a new connection, one that has been silent for
 * a second is closed; or else, of the address with most connections, the one that has been silent for longest.
 */
export class ConnectionLimits {
  private readonly mostInAll: number;
  private readonly mostByAddress: number;
  private readonly heldBack: HeldBack;
  private readonly byAddress = new Map<string, NetworkConnections>();
  private readonly silent = new Map<Socket, number>();
  private readonly nowMillis: () => number;
  private openInAll = 0;

  constructor(options: ConnectionLimitOptions = {}) {
    const { descriptors = descriptorLimit() } = options;
    this.mostInAll = Math.min(options.mostInAll ?? LIMITS.connections.all, roomFor(descriptors));
    const mostByAddress = options.mostByAddress ?? LIMITS.connections.ofAddress;
    this.mostByAddress = Math.min(mostByAddress, Math.ceil(SHARE_OF_ADDRESS * this.mostInAll));
    this.heldBack = options.heldBack ?? new HeldBack();
    this.nowMillis = options.nowMillis ?? (() => performance.now());
  }

  get open(): number {
    return this.openInAll;
  }

  /** Counts a connection until it closes. Returns one sentence, and does not count it, when it may not stay. */
  admit(socket: Socket): string | undefined {
    const address = networkOf(socket.remoteAddress ?? '');
    const ofNetwork = this.byAddress.get(address) ?? { open: new Map(), lookedMillis: 0, silent: new Map() };
    if (ofNetwork.open.size >= CROWDED * this.mostByAddress) this.lookAt(ofNetwork);
    if (this.openInAll >= this.mostInAll && !this.makeRoom(this.silent, this.crowd())) {
      const sentence = `${this.mostInAll} connections are open, as many as this server takes; try again later`;
      this.heldBack.note('connections', `${address} was refused: ${sentence}`);
      return sentence;
    }
    if (ofNetwork.open.size >= this.mostByAddress && !this.makeRoom(ofNetwork.silent, ofNetwork)) {
      const sentence = `${this.mostByAddress} connections of this address are open; close some or try again later`;
      this.heldBack.note('connections_by_address', `${address} was refused: ${sentence}`);
      return sentence;
    }
    this.count(socket, address, ofNetwork);
    return undefined;
  }

  /** Counts the status with which a connection was refused. */
  answered(status: number): void {
    this.heldBack.answered(status);
  }

  /** Counts a connection whose TLS handshake was not done, or one too many. */
  handshakeFailed(): void {
    this.heldBack.note('handshakes');
  }

  /**
   * Notes that a connection has sent nothing and may be closed for a new one, until the returned function is called.
   */
  silentUntil(socket: Socket): () => void {
    const ofNetwork = this.byAddress.get(networkOf(socket.remoteAddress ?? ''));
    const nowMillis = this.nowMillis();
    ofNetwork?.silent.set(socket, nowMillis);
    this.silent.set(socket, nowMillis);
    const heard = () => {
      ofNetwork?.silent.delete(socket);
      this.silent.delete(socket);
    };
    socket.once('close', heard);
    return heard;
  }

  private count(socket: Socket, address: string, ofNetwork: NetworkConnections): void {
    this.byAddress.set(address, ofNetwork);
    this.used(ofNetwork, socket);
    this.openInAll++;
    socket.once('close', () => {
      this.openInAll--;
      ofNetwork.open.delete(socket);
      if (ofNetwork.open.size === 0) this.byAddress.delete(address);
    });
  }

  /** The connections of the address with most. */
  private crowd(): NetworkConnections | undefined {
    let most: NetworkConnections | undefined;
    for (const one of this.byAddress.values()) if (one.open.size > (most?.open.size ?? 0)) most = one;
    if (most) this.lookAt(most);
    return most;
  }

  /** Notes, once in a while, over which connections something has come or gone. */
  private lookAt(ofNetwork: NetworkConnections): void {
    const nowMillis = this.nowMillis();
    if (nowMillis - ofNetwork.lookedMillis < IDLE_MILLIS / 2) return;
    ofNetwork.lookedMillis = nowMillis;
    for (const [socket, use] of [...ofNetwork.open]) if (isUsed(socket, use)) this.used(ofNetwork, socket);
  }

  private used({ open }: NetworkConnections, socket: Socket): void {
    open.delete(socket);
    open.set(socket, { bytes: usedBytes(socket), sinceMillis: this.nowMillis() });
  }

  /** Ends the connection that has been silent longest, or the one that has been idle longest; false when there is none. */
  private makeRoom(silent: Map<Socket, number>, crowd: NetworkConnections | undefined): boolean {
    return this.endSilent(silent) || (crowd !== undefined && this.endIdle(crowd));
  }

  private endSilent(silent: Map<Socket, number>): boolean {
    const [first] = silent;
    if (first === undefined) return false;
    const [oldest, sinceMillis] = first;
    if (this.nowMillis() - sinceMillis < SILENCE_MILLIS) return false;
    silent.delete(oldest);
    this.silent.delete(oldest);
    oldest.destroy();
    this.heldBack.note('connections', 'connections that had sent nothing were closed to make room for others');
    return true;
  }

  private endIdle(ofNetwork: NetworkConnections): boolean {
    const { open } = ofNetwork;
    for (const [socket, use] of open) {
      if (this.nowMillis() - use.sinceMillis < IDLE_MILLIS) return false;
      if (isUsed(socket, use)) {
        this.used(ofNetwork, socket);
        continue;
      }
      open.delete(socket);
      socket.destroy();
      this.heldBack.note('connections', 'idle connections were closed to make room for others');
      return true;
    }
    return false;
  }
}

/** Bytes that have come and gone over a connection. */
const usedBytes = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten;

const isUsed = (socket: Socket, { bytes }: Use): boolean => usedBytes(socket) !== bytes;

const roomFor = (descriptors: number | undefined): number =>
  descriptors === undefined
    ? Number.POSITIVE_INFINITY
    : Math.ceil(Math.max(descriptors / 2, descriptors - RESERVED_DESCRIPTORS));

/** How many files node may open; undefined where the system is not Linux. */
function descriptorLimit(): number | undefined {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
    return line ? Number(line[1]) : undefined;
  } catch {
    return undefined;
  }
}
