// Messages as JSON, for many clients that ask for the same ones.
import type { NumberedMessage } from '../../serving/session/message-log.js';
import { AnswerText } from './answer-text.js';

/** So many messages that follow each other share a text; those of 1,000 of the longest take 24 MB. */
const GROUP = 8;

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
export async function addMessages(
  text: AnswerText,
  messages: readonly NumberedMessage[],
  turn: () => Promise<void>,
): Promise<void> {
  for (let at = 0; at < messages.length; ) {
    await turn();
    const first = messages[at] as NumberedMessage;
    if (at > 0 && first.number % GROUP === 0 && at + GROUP <= messages.length) {
      text.append(kept.get(first) ?? grouped(messages.slice(at, at + GROUP)));
      at += GROUP;
    } else {
      text.add(`${at > 0 ? ',' : ''}${textOf(first)}`);
      at++;
    }
  }
}

/** The text of a group, with a comma before each message. */
function grouped(messages: readonly NumberedMessage[]): AnswerText {
  const made = AnswerText.encoded(messages.map((message) => `,${textOf(message)}`).join(''));
  kept.set(messages[0] as NumberedMessage, made);
  return made;
}
