// The port that Trick's Sim Control reads messages from: everything the simulation and the server say. Trick: MessageTCDevice
import { onFreeze } from '../../../serving/session/changes.js';
import type { Address } from '../../../serving/transport/address.js';
import type { Connection } from '../../../serving/transport/connection.js';
import type { Endpoint, FrontEnd } from '../../../serving/transport/front-end.js';
import type { LogLevel, SimMessage, Source } from '../../../source/source.js';
import { PortReader, type ReaderParts } from './port-reader.js';
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
  debug: { number: 10, colour: '36' },
};

export interface MessageFacts {
  readonly hostname: string;
  readonly simulation: string;
  /** Wall time in milliseconds, with as many digits as there are. */
  readonly nowMillis: () => number;
  /** The source whose freezes are reported to readers. Default: none. */
  readonly source?: Pick<Source, 'frame' | 'onFrame'>;
}

/** Readers send nothing: they connect, and get the messages from then on. */
export class MessageFrontEnd implements FrontEnd {
  readonly name = 'messages';
  private readonly readers = new Set<PortReader>();
  /** Ends what tells readers of freezes. */
  private unfollow: (() => void) | undefined;
  private announced: Promise<void> | undefined;
  private leftOut = 0;

  /**
   * @param at where readers connect; nowhere by default.
   * @param announce gets that address once it is open; resolves when clients can read it.
   */
  constructor(
    private readonly parts: ReaderParts,
    private readonly facts: MessageFacts,
    private readonly at: Address | 'off' = 'off',
    private readonly announce: (at: Address) => Promise<void> = async () => undefined,
  ) {
    const { readers } = this;
    const refusals = (): number => this.leftOut;
    parts.registry.ledger.show('messageReaders', {
      get held() {
        return readers.size;
      },
      get refusals() {
        return refusals();
      },
    });
  }

  endpoints(): readonly Endpoint[] {
    const { at } = this;
    if (at === 'off') return [];
    const { name, speaks } = MESSAGE_PORTS.messages;
    const accept = (connection: Connection): void => this.accept(connection);
    const opened = (address: Address): void => {
      this.announced = this.announce(address);
    };
    return [{ name, speaks, kind: 'stream', trust: 'address', at, accept, opened }];
  }

  /** Sim Control asks for the port once, as soon as it can. */
  started(): Promise<void> | undefined {
    return this.announced;
  }

  /** Its readers' connections end with the port, after what the readers have not had a turn for: why the run ends. */
  close(): void {
    for (const reader of this.readers) reader.send();
  }

  /**
   * Keeps a connection until its reader leaves, because Sim Control spins when the server closes it; one that takes
   * nothing for long is let go.
   */
  accept(connection: Connection): void {
    const reader = new PortReader(connection, this.parts, () => {
      this.leftOut++;
    });
    this.readers.add(reader);
    this.unfollow ??= this.followFreezes();
    const close = (): void => {
      reader.close();
      this.readers.delete(reader);
      if (this.readers.size > 0) return;
      this.unfollow?.();
      this.unfollow = undefined;
    };
    connection.listen({ data: () => undefined, drain: () => reader.drained(), close });
  }

  /** Tells readers when the simulation freezes and when it continues. Trick: Executive::loop_multi_thread */
  private followFreezes(): (() => void) | undefined {
    const { source } = this.facts;
    return (
      source &&
      onFreeze(source, ({ timeSeconds }, isFrozen) => {
        const held = `Freeze ON. Simulation time holding at ${timeSeconds.toFixed(6)} seconds.`;
        this.say({ level: 'informational', text: isFrozen ? held : 'Freeze OFF.', timeSeconds });
      })
    );
  }

  /** Sends a message to every reader that keeps up, each in its turn. */
  say(message: SimMessage): void {
    if (this.readers.size === 0) return;
    const bytes = encodeMessage(message, this.facts);
    for (const reader of this.readers) reader.offer(bytes);
  }
}

/**
 * `|L   2|2026/08/01,12:00:00.000000|host|ball|T 0|1.500000| ESC[33mtext`, a newline and `ESC[00m`, in ISO-8859-1. A header
 * comes before the first escape, or Sim Control's pane stops. A line inside that would begin as
 * messages do gets a blank, so that no client can make one up. Trick: MessagePublisher::publish, MessageTCDevice::update
 */
export function encodeMessage({ level, text, timeSeconds }: SimMessage, facts: MessageFacts): Uint8Array {
  const { number, colour } = LEVELS[level];
  const names = [facts.hostname, facts.simulation].map((name) => name.replaceAll('|', '/'));
  const fields = [
    `L ${String(number).padStart(3)}`,
    dateText(facts.nowMillis()),
    ...names,
    'T 0',
    timeSeconds.toFixed(6),
  ];
  const head = `|${fields.join('|')}| `;
  const lines = printable(text.trimEnd()).replaceAll('\n|', '\n |');
  return Buffer.from(`${printable(head)}\x1b[${colour}m${lines}\n\x1b[00m`, 'latin1');
}

function dateText(millis: number): string {
  const date = new Date(millis);
  const micros = String(Math.floor(1000 * (millis % 1000))).padStart(6, '0');
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('/');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
  return `${day},${time}.${micros}`;
}

/** Replaces escapes and characters that ISO-8859-1 does not have. */
const printable = (text: string): string => text.replace(/[^\t\n\x20-\x7e\xa0-\xff]/gu, '?');
