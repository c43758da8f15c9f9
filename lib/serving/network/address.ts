// The host and the port in the text of an address.

/** A host, and a port of it. */
export interface Address {
  /** A host name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The address in a text; undefined for any other text. */
export function parseAddress(text: string): Address | undefined {
  const [, inBrackets, name, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = inBrackets ?? name;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** The host of a peer; the text itself when it is not an address. */
export const hostOf = (peer: string): string => parseAddress(peer)?.host ?? peer;
