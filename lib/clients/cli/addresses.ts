// Parses addresses and ports on a command line.
import type { ServeOptions } from '../../index.js';
import { type Address, parseAddress } from '../../serving/transport/address.js';
import type { PortOption } from '../../serving/transport/front-end.js';
import { UsageError } from './usage.js';

/** An option's value as `parseArgs` returns it. */
type Given = string | readonly string[] | undefined;

/** The options for where something listens, as `ServeOptions` takes them. */
export function parsePorts(
  options: readonly PortOption[],
  given: Readonly<Record<string, Given | boolean>>,
): ServeOptions {
  return Object.fromEntries(
    options.flatMap((row) => {
      const value = given[row.option];
      if (typeof value === 'boolean' || value === undefined) return [];
      return [
        [row.option, typeof value === 'string' ? parseOne(row, value) : value.map((text) => parseOne(row, text))],
      ];
    }),
  );
}

function parseOne({ option, takes }: PortOption, text: string): unknown {
  if (text === 'off' && takes.endsWith('off')) return 'off';
  switch (takes) {
    case 'N':
    case 'PORT|off':
      return parsePort(option, text);
    case '[ADDR:]PORT|off':
      return /^-?\d+$/.test(text)
        ? parsePort(option, text)
        : requireAddress(option, text, 'a port, an address and a port like 127.0.0.1:7001, or off');
    case 'ADDR:PORT':
    case 'ADDR:PORT|off':
      return requireAddress(option, text);
    case 'GROUP:PORT': {
      const { host: group, port } = requireAddress(option, text);
      return { group, port };
    }
  }
}

/** Throws a UsageError. */
export function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new UsageError(`--${option} takes a port from 0 to 65535, not ${text}`);
  return port;
}

function requireAddress(option: string, text: string, what = 'an address and a port like 127.0.0.1:7001'): Address {
  const address = parseAddress(text);
  if (!address) throw new UsageError(`--${option} takes ${what}, not ${text}`);
  return address;
}
