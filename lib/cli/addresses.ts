// Addresses and ports as they are written on a command line.
import type { Address } from '../index.js';
import { UsageError } from './usage.js';

export function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new UsageError(`--${option} takes a port from 0 to 65535, not ${text}`);
  return port;
}

/** `127.0.0.1:7001`, `[::1]:7001`. */
export function parseAddress(option: string, text: string): Address {
  const colon = text.lastIndexOf(':');
  if (colon < 1) throw new UsageError(`--${option} takes an address and a port like 127.0.0.1:7001, not ${text}`);
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: parsePort(option, text.slice(colon + 1)) };
}
