// Messages as JSON, for many clients that ask for the same ones.
import type { Slice, Sliced } from '../scheduling/slice.js';
import type { NumberedMessage } from '../session/message-log.js';
import { AnswerText } from './answer-text.js';

/** So many messages that follow each other share a text; those of 1,000 of the longest take 24 MB. */
const GROUP = 8;
/** Writing a message as text takes up to some ten microseconds. */
const STEPS_PER_MESSAGE = 16;

/** By the first message of the group, with which it goes. */
const kept = new WeakMap<NumberedMessage, AnswerText>();

export const shownMessage = ({ number, level, text, timeSeconds }: NumberedMessage) => ({
  number,
  level,
  text,
  elapsed_sec: timeSeconds,
});

const textOf = (message: NumberedMessage): string => JSON.stringify(shownMessage(message));

/** Adds the items of a list of messages that follow each other. Throws an RpcError when the text gets too long. */
export function* addMessages(text: AnswerText, messages: readonly NumberedMessage[], slice: Slice): Sliced<void> {
  for (let at = 0; at < messages.length; ) {
    const first = messages[at] as NumberedMessage;
    if (at > 0 && first.number % GROUP === 0 && at + GROUP <= messages.length) {
      const known = kept.get(first);
      text.append(known ?? grouped(messages.slice(at, at + GROUP)));
      at += GROUP;
      if (slice.isOver(known ? 1 : GROUP * STEPS_PER_MESSAGE)) yield;
    } else {
      text.add(`${at > 0 ? ',' : ''}${textOf(first)}`);
      at++;
      if (slice.isOver(STEPS_PER_MESSAGE)) yield;
    }
  }
}

/** The text of a group, with a comma before each message. */
function grouped(messages: readonly NumberedMessage[]): AnswerText {
  const made = AnswerText.encoded(messages.map((message) => `,${textOf(message)}`).join(''));
  kept.set(messages[0] as NumberedMessage, made);
  return made;
}
