// Commands that send a message to the log and to readers of messages. Trick: message_proto.h, MessagePublisher.hh
import type { LogLevel } from '../../../source/source.js';
import { answeringZero, type Command, command } from './command.js';

/** Trick: MESSAGE_TYPE */
const LEVELS: ReadonlyMap<bigint, LogLevel> = new Map([
  [0n, 'normal'],
  [1n, 'informational'],
  [2n, 'warning'],
  [3n, 'error'],
  [10n, 'debug'],
]);

export const messageCommands: readonly Command[] = [
  ...answeringZero([
    ...['message_publish', 'message_publish_standalone'].map((name) =>
      command(
        name,
        [
          { name: 'level', type: 'integer' },
          { name: 'text', type: 'text' },
        ],
        'Logs a text and sends it to readers of messages: 0 normal, 1 informational, 2 warning, 3 error, 10 debug.',
        ({ session }, [level, text]) => {
          session.publish(text, LEVELS.get(level) ?? 'normal', false);
        },
      ),
    ),
  ]),
  command(
    'send_hs',
    [
      { name: 'fp', type: 'value' },
      { name: 'text', type: 'text' },
    ],
    'Logs a text; the file is not looked at.',
    ({ session }, [, text]) => session.publish(text, 'informational'),
  ),
];
