// Commands that send a message to the log and to readers of messages. Trick: message_proto.h, MessagePublisher.hh
import type { LogLevel } from '../../source/source.js';
import { answeringZero, type Command, command } from './command.js';

/** Trick: MessagePublisher::MSG_TYPE */
const LEVELS: readonly (readonly [constant: string, number: bigint, level: LogLevel])[] = [
  ['MSG_NORMAL', 0n, 'normal'],
  ['MSG_INFO', 1n, 'informational'],
  ['MSG_WARNING', 2n, 'warning'],
  ['MSG_ERROR', 3n, 'error'],
  ['MSG_DEBUG', 10n, 'debug'],
];

export const MESSAGE_CONSTANTS: ReadonlyMap<string, bigint> = new Map(
  LEVELS.map(([constant, number]) => [constant, number]),
);

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
          const [, , known = 'normal'] = LEVELS.find(([, number]) => number === level) ?? [];
          session.publish(text, known, false);
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
