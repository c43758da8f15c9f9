// Which addresses may connect: what the operator allows, narrowed by ranges that are added later.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostOf } from '../transport/address.js';

/** A range as text and as what checks it. */
interface Range {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly list: BlockList;
}

export class AllowList {
  private readonly operator: readonly Range[];
  private readonly added: Range[] = [];
  private isOpen = true;

  /** @param operatorRanges addresses or CIDR ranges; none allows every address. Throws a RangeError for other text. */
  constructor(operatorRanges: readonly string[] = []) {
    this.operator = operatorRanges.map(parseRange);
  }

  /** Narrows to this and other added ranges. Throws a RangeError for text that is no range. Trick: var_add_ip */
  add(cidr: string): void {
    this.added.push(parseRange(cidr));
  }

  /** Takes an added range away; false when it was not added. Trick: var_remove_ip */
  remove(cidr: string): boolean {
    const index = this.added.findIndex(({ text }) => text === cidr.trim());
    if (index >= 0) this.added.splice(index, 1);
    return index >= 0;
  }

  /** Trick: var_allow_connections, var_disable_connections */
  setOpen(isOpen: boolean): void {
    this.isOpen = isOpen;
  }

  /** Forgets added ranges; the operator's stay. Trick: var_allow_all_connections */
  allowAll(): void {
    this.added.length = 0;
    this.isOpen = true;
  }

  /** What the operator allows, whatever clients have narrowed. @param peer `127.0.0.1:53412`, IPv6 in brackets. */
  isWithin(peer: string): boolean {
    return isIn(this.operator, addressOf(peer));
  }

  /** Narrowed by what clients have added. */
  allows(peer: string): boolean {
    return this.isOpen && this.isWithin(peer) && isIn(this.added, addressOf(peer));
  }
}

const addressOf = (peer: string): string => hostOf(peer).replace(MAPPED, '$1');

/** An IPv4 address as IPv6 spells it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Bits of such an address that say that it is one. */
const MAPPED_BITS = 96;

/** An empty list of ranges holds every address; `::/0` holds those of IPv6 alone. */
function isIn(ranges: readonly Range[], address: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return ranges.length === 0 || ranges.some((range) => range.family === family && range.list.check(address, family));
}

function parseRange(cidr: string): Range {
  const text = cidr.trim();
  const [address = '', prefix] = text.split('/');
  const bits = isIPv6(address) ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (isIP(address) === 0 || !Number.isInteger(length) || length < 0 || length > bits || prefix === '') {
    throw new RangeError(`${JSON.stringify(cidr)} is no address or range like 192.168.0.0/16`);
  }
  const list = new BlockList();
  const isMapped = MAPPED.test(address) && length >= MAPPED_BITS;
  list.addSubnet(address, length, isIPv6(address) ? 'ipv6' : 'ipv4');
  return { text, family: isIPv6(address) && !isMapped ? 'ipv6' : 'ipv4', list };
}
