// What a simulation says, as it sends it to Sim Control: to read, for a program that passes it on. Trick: MessageTCDevice
import { openLink } from './link.js';

/** Trick: MessagePublisher::MSG_... */
const LEVELS = { 0: 'normal', 1: 'informational', 2: 'warning', 3: 'error', 10: 'debug' } as const;

export interface SaidMessage {
  readonly level: (typeof LEVELS)[keyof typeof LEVELS];
  readonly text: string;
  readonly timeSeconds: number;
}

/** `|L   1|date,time|host|simulation|T 0|1.040000| `, a colour, the text, a newline, and the end of the colour. */
const MESSAGE = /\|L +(\d+)\|[^\x1b]*?\|T +-?\d+\|(-?\d+\.\d+)\| \x1b\[\d+m([\s\S]*?)\n?\x1b\[00m/g;
/** More than this is no message. */
const MOST_CHARACTERS = 1024 * 1024;

export class MessageReader {
  private unread = '';

  /** The messages that are complete now. @param text characters of one byte. */
  take(text: string): SaidMessage[] {
    this.unread += text;
    let end = 0;
    const messages = [...this.unread.matchAll(MESSAGE)].map(
      ({ 0: whole, 1: level, 2: seconds, 3: said = '', index }) => {
        end = index + whole.length;
        return { level: levelOf(Number(level)), text: said, timeSeconds: Number(seconds) };
      },
    );
    this.unread = this.unread.slice(Math.max(end, this.unread.length - MOST_CHARACTERS));
    return messages;
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
