// Prints the server's log: lines for people, or JSON for programs (pino).
import type { Log } from '../index.js';

const FORMATS = ['text', 'json'] as const;
type LogFormat = (typeof FORMATS)[number];

export const isLogFormat = (text: string): text is LogFormat => FORMATS.some((format) => format === text);

const PINO_LEVELS = { error: 'error', warning: 'warn', normal: 'info', informational: 'info' } as const;

/** Writes to standard error. Text leaves out sessions and refusals unless `isVerbose`. */
export async function openLog(format: LogFormat, isVerbose: boolean): Promise<Log> {
  if (format === 'text') return textLog(isVerbose);
  const { pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ fd: process.stderr.fd, sync: true }),
  );
  return (level, text, facts = {}) => logger[PINO_LEVELS[level]](facts, text);
}

const textLog =
  (isVerbose: boolean): Log =>
  (level, text, { err } = {}) => {
    if (isVerbose || level !== 'informational') console.error(err instanceof Error ? `${text}: ${err.stack}` : text);
  };
