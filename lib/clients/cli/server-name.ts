// How a command line names a server: host:port, a port of this machine, or an address of the web.
import { type Address, parseAddress } from '../../serving/transport/address.js';
import { UsageError } from './usage.js';

/** Where a server is: by Trick's wire, or by JSON-RPC. */
export type ServerName =
  | { readonly kind: 'trick'; readonly at: Address }
  | { readonly kind: 'http'; readonly url: URL };

const WEB = /^https?:\/\//i;

/** Whether a word is meant as a server; no variable's name has a colon or begins with a digit. */
export const isServer = (word: string | undefined): boolean =>
  word !== undefined && (WEB.test(word) || /^:?\d+$/.test(word) || /^(\[[^\]]+\]|[\w.-]+):\d+$/.test(word));

/** `host:port`, `[::1]:7000`, a port of this machine, or `http://host:port`. */
export function parseServer(text: string): ServerName {
  if (WEB.test(text) && URL.canParse(text)) return { kind: 'http', url: new URL(text) };
  const at = parseAddress(/^:?\d+$/.test(text) ? `127.0.0.1:${text.replace(':', '')}` : text);
  if (!at?.port) throw new UsageError(`expected a server like localhost:7000, not ${text}`);
  return { kind: 'trick', at };
}

/** The server that the first word names, else the one of the environment; and the other words. */
export function splitServer(words: readonly string[], advice: string): readonly [server: string, ...others: string[]] {
  const usual = process.env.VARWIRE_SERVER;
  const [first, ...others] = words;
  if (usual && !isServer(first)) return [usual, ...words];
  if (first === undefined) throw new UsageError(advice);
  return [first, ...others];
}

/** The address for JSON-RPC: varwire's main port speaks it too. */
export function webAddressOf(server: string, isTls: boolean): URL {
  const name = parseServer(server);
  if (name.kind === 'http') return name.url;
  const { host, port } = name.at;
  return new URL(`${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

/** The address for Trick text. Throws a UsageError for an address of the web. */
export function trickAddressOf(command: string, server: string): Address {
  const name = parseServer(server);
  if (name.kind === 'trick') return name.at;
  throw new UsageError(`varwire ${command} speaks Trick text: name the server as host:port, not ${server}`);
}
