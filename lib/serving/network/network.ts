// What counts as one client's place in the network: an IPv4 address, or a whole network of IPv6.

/** The IPv4 address of an IPv4 peer of a dual-stack socket: `::ffff:10.0.0.1` becomes `10.0.0.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/**
 * The IPv4 address, or the first four groups of the IPv6 address, which one machine usually has for itself: every bound
 * of an address is one of these. `fe80::1` becomes `fe80:0:0:0::/64`; a network stays what it is.
 * @param address without a port, IPv6 without brackets or in them.
 */
export function networkOf(address: string): string {
  // Asked for with each request, of an IPv4 address as a rule.
  if (!address.includes(':') && !address.startsWith('[')) return address;
  const plain = plainAddress(address.replace(/^\[(.*)\]$/, '$1'));
  if (!plain.includes(':') || plain.endsWith('/64')) return plain;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined) while (groups.length + after.length < 8) groups.push('0');
  return `${[...groups, ...after].slice(0, 4).join(':')}::/64`;
}
