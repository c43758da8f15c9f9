// Socket addresses as text.
import { isIPv6 } from 'node:net';

/** An IPv4 peer of a dual-stack socket under its IPv4 name: `::ffff:10.0.0.1` becomes `10.0.0.1`. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** `127.0.0.1:7000`, `[::1]:7000`; `unknown` when the peer was gone before it could be asked. */
export function formatAddress(address: string | undefined, port: number | undefined): string {
  if (address === undefined || port === undefined) return 'unknown';
  const plain = plainAddress(address);
  return isIPv6(plain) ? `[${plain}]:${port}` : `${plain}:${port}`;
}
