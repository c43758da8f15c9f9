// Stops node's HTTP parser within a chunk. A closed socket alone does not: the rest of its chunk becomes requests.
import type { Socket } from 'node:net';

/** What node keeps of a parser; there is no public way to it. */
interface Parser {
  onIncoming: unknown;
}

/** What a parser hears of a request after which the bytes are no HTTP. */
const UPGRADED = 2;

/** For a socket that is destroyed next. */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as unknown as { parser?: Parser | null };
  // Node sets it anew when another socket gets the parser.
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => UPGRADED;
}
