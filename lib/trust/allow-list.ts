// Which addresses may connect: what the operator allows, narrowed by ranges that are added later.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostOf } from '../transport/address.js';

/** A range as text and as what checks it. */
interface Range {
  readonly text: string;
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

  /** @param peer `127.0.0.1:53412`, IPv6 in brackets. */
  allows(peer: string): boolean {
    const address = hostOf(peer);
    return this.isOpen && isIn(this.operator, address) && isIn(this.added, address);
  }
}

/** An empty list of ranges holds every address. */
const isIn = (ranges: readonly Range[], address: string): boolean =>
  ranges.length === 0 || ranges.some(({ list }) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));

function parseRange(cidr: string): Range {
  const text = cidr.trim();
  const [address = '', prefix] = text.split('/');
  const bits = isIPv6(address) ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  if (isIP(address) === 0 || !Number.isInteger(length) || length < 0 || length > bits || prefix === '') {
    throw new RangeError(`${JSON.stringify(cidr)} is no address or range like 192.168.0.0/16`);
  }
  const list = new BlockList();
  list.addSubnet(address, length, isIPv6(address) ? 'ipv6' : 'ipv4');
  return { text, list };
}
