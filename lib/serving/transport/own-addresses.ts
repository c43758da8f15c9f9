// The IPv4 addresses of this machine, and the addresses that its names stand for.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from './address.js';
import { listenError } from './listen-error.js';

const ANY = '0.0.0.0';

/** The address that a name of this machine stands for. Rejects with a ListenError. */
export async function numericHost(host: string, port: number): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host, 4)).address;
  } catch (error) {
    throw listenError(error as Error, host, port);
  }
}

/**
 * The addresses at which datagrams for a host arrive: all of this machine for `0.0.0.0`; else the host, and where that is
 * loopback also the loopback address that this machine's own name may stand for.
 */
export async function servedAddresses(host: string): Promise<ReadonlySet<string>> {
  const { address: own } = await lookup(hostname(), 4).catch(() => ({ address: host }));
  if (host === ANY) return new Set([...interfaceAddresses(), ...(isLoopback(own) ? [own] : [])]);
  return new Set(isLoopback(host) && isLoopback(own) ? [host, own] : [host]);
}

function interfaceAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
