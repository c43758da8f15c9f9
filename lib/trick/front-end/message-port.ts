// The port that Trick's Sim Control reads messages from: everything the simulation and the server say. Trick: MessageTCDevice
import { Outbound } from '../../session/outbound.js';
import type { LogLevel, SimMessage } from '../../source/source.js';
import type { Address } from '../../transport/address.js';
import type { Connection } from '../../transport/connection.js';
import type { Endpoint, FrontEnd } from '../../transport/front-end.js';
import { MESSAGE_PORTS } from './ports.js';

interface Level {
  /** Trick: MessagePublisher::MSG_... */
  readonly number: number;
  /** The colour in which a terminal shows it, as an escape code. */
  readonly colour: string;
}

const LEVELS: Readonly<Record<LogLevel, Level>> = {
  normal: { number: 0, colour: '00' },
  informational: { number: 1, colour: '32' },
  warning: { number: 2, colour: '33' },
  error: { number: 3, colour: '31' },
};

export interface MessageFacts {
  readonly hostname: string;
  readonly simulation: string;
  readonly nowMillis: () => number;
}

/** Readers never ask: they connect, and take what comes from then on. */
export class MessageFrontEnd implements FrontEnd {
  readonly name = 'messages';
  private readonly readers = new Map<Connection, Outbound>();

  /**
   * @param at where readers connect; nowhere by default.
   * @param opened hears where that is, once it is open.
   */
  constructor(
    private readonly facts: MessageFacts,
    private readonly at: Address | 'off' = 'off',
    private readonly opened: (at: Address) => void = () => undefined,
  ) {}

  endpoints(): readonly Endpoint[] {
    const { at, opened } = this;
    if (at === 'off') return [];
    const { name, speaks } = MESSAGE_PORTS.messages;
    const accept = (connection: Connection): void => this.accept(connection);
    return [{ name, speaks, kind: 'stream', trust: 'address', at, accept, opened }];
  }

  /** Its readers' connections end with the port. */
  close(): void {}

  /** Keeps a connection until its reader leaves, because Sim Control spins when the server closes it. */
  accept(connection: Connection): void {
    this.readers.set(connection, new Outbound(connection));
    connection.listen({ data: () => undefined, close: () => this.readers.delete(connection) });
  }

  /** Sends a message to everybody who keeps up with reading. */
  say(message: SimMessage): void {
    if (this.readers.size === 0) return;
    const bytes = encodeMessage(message, this.facts);
    for (const outbound of this.readers.values()) outbound.offer(bytes);
  }
}

/**
 * `|L 2|2026/08/01,12:00:00|host|ball|T 0|1.500000| ESC[33mtext ESC[00m` and a newline, in ISO-8859-1. A header comes before the
 * first escape, or Sim Control's pane stops. Trick: MessagePublisher::publish, MessageTCDevice::update
 */
export function encodeMessage({ level, text, timeSeconds }: SimMessage, facts: MessageFacts): Uint8Array {
  const { number, colour } = LEVELS[level];
  const names = [facts.hostname, facts.simulation].map((name) => name.replaceAll('|', '/'));
  const fields = [`L ${number}`, dateText(new Date(facts.nowMillis())), ...names, 'T 0', timeSeconds.toFixed(6)];
  const head = `|${fields.join('|')}| `;
  return Buffer.from(`${printable(head)}\x1b[${colour}m${printable(text)}\x1b[00m\n`, 'latin1');
}

function dateText(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('/');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
  return `${day},${time}`;
}

/** Replaces escapes and characters that ISO-8859-1 does not have. */
const printable = (text: string): string => text.replace(/[^\t\n\x20-\x7e\xa0-\xff]/gu, '?');
