// The channel of the simulation's messages, as foxglove.Log, which the app's log panel shows.
import type { MessageLog, NumberedMessage } from '../../serving/session/message-log.js';
import type { LogLevel } from '../../source/source.js';
import { nanosecondsOf, timeOf } from './binary.js';
import type { Channel } from './json-schema.js';

/** How many earlier messages a new subscription gets. */
const EARLIER = 100;

const LEVELS = ['UNKNOWN', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL'];
const LEVEL_OF: Readonly<Record<LogLevel, number>> = { debug: 1, informational: 2, normal: 2, warning: 3, error: 4 };

const INTEGER = { type: 'integer', minimum: 0 };
const SCHEMA = {
  title: 'foxglove.Log',
  type: 'object',
  properties: {
    timestamp: { type: 'object', title: 'time', properties: { sec: INTEGER, nsec: INTEGER } },
    level: { type: 'integer', oneOf: LEVELS.map((title, value) => ({ title, const: value })) },
    message: { type: 'string' },
    name: { type: 'string' },
    file: { type: 'string' },
    line: INTEGER,
  },
};

/** Objects' names contain no slash, so that no object has this topic. */
export const LOG_CHANNEL: Channel = {
  id: 0,
  topic: '/varwire/log',
  encoding: 'json',
  schemaName: 'foxglove.Log',
  schema: JSON.stringify(SCHEMA),
  schemaEncoding: 'jsonschema',
};

/**
 * Tells the latest messages, and each further one, until the returned function is called.
 * @param tell gets the time in nanoseconds and the JSON text of a message.
 */
export function followLog(
  log: MessageLog,
  name: string,
  tell: (nanoseconds: bigint, payload: Uint8Array) => void,
): () => void {
  let told = Math.max(0, log.latestNumber - EARLIER);
  const goOn = (): void => {
    for (let next = log.from(told + 1); next; next = log.from(told + 1)) {
      told = next.number;
      tell(nanosecondsOf(next.timeSeconds), Buffer.from(logText(next, name)));
    }
  };
  goOn();
  return log.follow(goOn);
}

function logText({ level, text, timeSeconds }: NumberedMessage, name: string): string {
  const timestamp = timeOf(nanosecondsOf(timeSeconds));
  return JSON.stringify({ timestamp, level: LEVEL_OF[level], message: text, name, file: '', line: 0 });
}
