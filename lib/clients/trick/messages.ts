// What a simulation says, as it sends it to Sim Control: to read, for a program that passes it on. Trick: MessageTCDevice
import { openLink } from './link.js';

/** Trick: MessagePublisher::MSG_... */
const LEVELS = { 0: 'normal', 1: 'informational', 2: 'warning', 3: 'error', 10: 'debug' } as const;

export interface SaidMessage {
  readonly level: (typeof LEVELS)[keyof typeof LEVELS];
  readonly text: string;
  readonly timeSeconds: number;
}

/** `|L   1|date,time|host|simulation|T 0|1.040000| `, then a colour and the text, but for plain text, whose colour is END. */
const BEGINNING = /\|L +(\d+)\|[^|]*\|[^|]*\|[^|]*\|T +-?\d+\|(-?\d+\.\d+)\| (?:\x1b\[\d+m([\s\S]*))?$/;
/** The colour in which nothing has one. */
const END = '\x1b[00m';
/** More than this is no message. */
const MOST_CHARACTERS = 1024 * 1024;

export class MessageReader {
  private unread = '';
  /** What is known of a plain message, of which the text comes next. */
  private plain: Omit<SaidMessage, 'text'> | undefined;

  /** The messages that are complete now. @param text characters of one byte. */
  take(text: string): SaidMessage[] {
    const pieces = (this.unread + text).split(END);
    this.unread = (pieces.pop() as string).slice(-MOST_CHARACTERS);
    return pieces.flatMap((piece) => this.messageOf(piece) ?? []);
  }

  private messageOf(piece: string): SaidMessage | undefined {
    const { plain } = this;
    this.plain = undefined;
    if (plain) return { ...plain, text: piece.replace(/\n$/, '') };
    const [, level, seconds, said] = BEGINNING.exec(piece) ?? [];
    if (level === undefined) return undefined;
    const known = { level: levelOf(Number(level)), timeSeconds: Number(seconds) };
    if (said !== undefined) return { ...known, text: said.replace(/\n$/, '') };
    this.plain = known;
    return undefined;
  }
}

const levelOf = (number: number): SaidMessage['level'] =>
  Object.hasOwn(LEVELS, number) ? LEVELS[number as keyof typeof LEVELS] : 'normal';

/**
 * Hears messages from the port that `trick_message.mdevice.port` tells, until what it resolves to is closed.
 * @param lost hears why no more messages come. Rejects with a ConnectionLostError.
 */
export function hearMessages(
  { host, port, timeoutMillis }: { readonly host: string; readonly port: number; readonly timeoutMillis: number },
  said: (message: SaidMessage) => void,
  lost: (error: Error) => void,
): Promise<{ close(): void }> {
  const reader = new MessageReader();
  const onBytes = (bytes: Buffer): void => {
    for (const message of reader.take(bytes.toString('latin1'))) said(message);
  };
  return openLink({ host, port, transport: 'tcp' }, timeoutMillis, { onBytes, onEnd: lost });
}
