// The simulation's messages as a panel keeps them: in order, without repeats, not more than it shows.

export type MessageLevel = 'normal' | 'informational' | 'warning' | 'error' | 'debug';

export interface SimMessage {
  readonly number: number;
  readonly level: MessageLevel;
  readonly text: string;
  readonly elapsed_sec: number;
}

export const MOST_MESSAGES = 1000;

/** The messages with later ones; numbers that start again are those of a server that was started again. */
export function withMessages(known: readonly SimMessage[], later: readonly SimMessage[]): readonly SimMessage[] {
  const first = later[0];
  if (!first) return known;
  const last = known.at(-1)?.number ?? -1;
  const isNewServer =
    later.every(({ number }) => number <= last) && !known.some(({ number }) => number === first.number);
  if (isNewServer) return later.slice(-MOST_MESSAGES);
  const added = later.filter(({ number }) => number > last);
  return added.length === 0 ? known : [...known, ...added].slice(-MOST_MESSAGES);
}

const RANKS: Readonly<Record<MessageLevel, number>> = { debug: 0, normal: 1, informational: 1, warning: 2, error: 3 };

/** Messages of this level or above that contain a text, in any case. */
export function matching(messages: readonly SimMessage[], least: MessageLevel, text: string): readonly SimMessage[] {
  const wanted = text.trim().toLowerCase();
  return messages.filter(
    (message) => RANKS[message.level] >= RANKS[least] && message.text.toLowerCase().includes(wanted),
  );
}
