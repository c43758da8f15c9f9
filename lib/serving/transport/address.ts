// Socket addresses as text.
import { plainAddress } from '../network/network.js';

export { type Address, hostOf, parseAddress } from '../network/address.js';

/** A host as it is written before a port: IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `127.0.0.1:7000`, `[::1]:7000`; `unknown` when the peer left before its address was read. */
export function formatAddress(address: string | undefined, port: number | undefined): string {
  if (address === undefined || port === undefined) return 'unknown';
  const plain = plainAddress(address);
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

/** Whether only programs on this machine can reach a host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether a text is the name of a machine, with or without its domain. */
export function isNameOf(machine: string, text: string): boolean {
  const [asked, known] = [text.toLowerCase(), machine.toLowerCase()];
  return asked !== '' && (asked === known || asked === known.split('.')[0]);
}
