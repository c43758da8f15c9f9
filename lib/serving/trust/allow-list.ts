// Which addresses may connect: the operator's ranges, narrowed by ranges that clients add later.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { hostOf, isNameOf } from '../transport/address.js';

/** A range as text, and the list that checks it. */
interface Range {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly list: BlockList;
}

export class AllowList {
  private readonly operator: readonly Range[];
  /** One list for each call of `add`: the name of a machine stands for several ranges. */
  private readonly added: (readonly Range[])[] = [];
  private isTaking = true;

  /**
   * @param operatorRanges addresses, CIDR ranges, `localhost` or this machine's own name; none allows every address.
   * Throws a RangeError for other text.
   */
  constructor(operatorRanges: readonly string[] = []) {
    this.operator = operatorRanges.flatMap(parseRanges);
  }

  /**
   * Narrows the list to this and other added ranges. Throws a RangeError for text that is not a range. Trick:
   * var_add_ip
   */
  add(cidr: string): void {
    this.added.push(parseRanges(cidr));
  }

  /** Removes an added range; false when it was not added. Trick: var_remove_ip */
  remove(cidr: string): boolean {
    const index = this.added.findIndex(([range]) => range?.text === cidr.trim());
    if (index >= 0) this.added.splice(index, 1);
    return index >= 0;
  }

  /** Allows or refuses all connections. Trick: var_allow_connections, var_disable_connections */
  setOpen(isOpen: boolean): void {
    this.isTaking = isOpen;
  }

  /** Whether connections are taken at all. Trick: var_get_allow_connections */
  get isOpen(): boolean {
    return this.isTaking;
  }

  /** Whether there are added ranges. Trick: var_get_ip_check_bypass says the opposite */
  get isNarrowed(): boolean {
    return this.added.length > 0;
  }

  /** Removes all added ranges but not the operator's. Trick: var_set_ip_check_bypass */
  forgetAdded(): void {
    this.added.length = 0;
  }

  /** Removes all added ranges, and allows connections. Trick: var_allow_all_connections */
  allowAll(): void {
    this.forgetAdded();
    this.isTaking = true;
  }

  /**
   * Whether the operator's ranges hold a peer, whatever clients have added. @param peer `127.0.0.1:53412`, IPv6 in
   * brackets.
   */
  isWithin(peer: string): boolean {
    return isIn(this.operator, addressOf(peer));
  }

  /** Whether the operator's ranges and the ranges that clients have added hold a peer. */
  allows(peer: string): boolean {
    return this.isTaking && this.isWithin(peer) && isIn(this.added.flat(), addressOf(peer));
  }
}

const addressOf = (peer: string): string => hostOf(peer).replace(MAPPED, '$1');

/** An IPv4 address in IPv6 spelling. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Bits of the prefix that marks an IPv6 address as a mapped IPv4 address. */
const MAPPED_BITS = 96;

/** An empty list of ranges holds every address; `::/0` holds only IPv6 addresses. */
function isIn(ranges: readonly Range[], address: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return ranges.length === 0 || ranges.some((range) => range.family === family && range.list.check(address, family));
}

const LOCALHOST = 'localhost';
const LOCAL_RANGES = ['127.0.0.0/8', '::1'];

/** The addresses that a name of this machine stands for; undefined for other text. */
function ownRanges(name: string): readonly string[] | undefined {
  if (name === LOCALHOST) return LOCAL_RANGES;
  if (!isNameOf(hostname(), name)) return undefined;
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...LOCAL_RANGES, ...interfaces.map(({ address }) => address)];
}

/** A name of this machine is the machine by either family. */
function parseRanges(cidr: string): Range[] {
  const text = cidr.trim();
  return (ownRanges(text) ?? [cidr]).map((range) => ({ ...parseRange(range), text }));
}

function parseRange(cidr: string): Omit<Range, 'text'> {
  const [address = '', prefix] = cidr.trim().split('/');
  const bits = isIPv6(address) ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (isIP(address) === 0 || !Number.isInteger(length) || length < 0 || length > bits || prefix === '') {
    throw new RangeError(`${JSON.stringify(cidr)} is no address or range like 192.168.0.0/16`);
  }
  const list = new BlockList();
  const isMapped = MAPPED.test(address) && length >= MAPPED_BITS;
  list.addSubnet(address, length, isIPv6(address) ? 'ipv6' : 'ipv4');
  return { family: isIPv6(address) && !isMapped ? 'ipv6' : 'ipv4', list };
}
