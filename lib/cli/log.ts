// Prints the server's log: lines for people, or JSON for programs (pino).
import { fstatSync, writeSync } from 'node:fs';
import type { Log, LogFacts, LogLevel } from '../index.js';

const FORMATS = ['text', 'json'] as const;
type LogFormat = (typeof FORMATS)[number];

export const isLogFormat = (text: string): text is LogFormat => FORMATS.some((format) => format === text);

const PINO_LEVELS = { error: 'error', warning: 'warn', normal: 'info', informational: 'info', debug: 'debug' } as const;

/** Levels that the text shows only when it is asked for. */
const QUIET: ReadonlySet<LogLevel> = new Set(['informational', 'debug']);

/** Bytes that wait for a slow reader of the log; lines beyond them are left out. */
const LONGEST_BACKLOG_BYTES = 1_000_000;

/** Writes to standard error. Text leaves out sessions and refusals unless `isVerbose`. */
export async function openLog(format: LogFormat, isVerbose: boolean): Promise<Log> {
  outliveReaders();
  if (format === 'text') return textLog(isVerbose);
  const { pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      level: 'debug',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: writeLine },
  );
  return (level, text, facts = {}) => logger[PINO_LEVELS[level]](facts, text);
}

const textLog =
  (isVerbose: boolean): Log =>
  (level, text, facts) => {
    if (isVerbose || !QUIET.has(level)) writeLine(`${textLine(text, facts)}\n`);
  };

/** A line of the log as text; a stack follows in lines of its own. */
export function textLine(text: string, { err, stack }: LogFacts = {}): string {
  const lines = typeof stack === 'string' ? `${text}\n${stack}` : text;
  return indented(withoutControls(err instanceof Error ? `${text}: ${err.stack}` : lines));
}

/** Clients say some of the text: nothing of it may move the cursor of a terminal, or clear it. */
const withoutControls = (text: string): string =>
  text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\x${(sign.codePointAt(0) as number).toString(16).padStart(2, '0')}`,
  );

/** Its further lines are indented, so that no text of a client begins a line as the log's own do. */
const indented = (text: string): string => text.replace(/\n(?!$)/g, '\n  ');

/** A reader that goes away, or a full disk, costs lines of the log and nothing else. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

const isFile = fstatSync(2).isFile();

function writeLine(line: string): void {
  const { stderr } = process;
  try {
    // A stream would end with the first failure; a disk may have room again.
    if (isFile) writeSync(stderr.fd, line);
    else if (stderr.writableLength < LONGEST_BACKLOG_BYTES) stderr.write(line);
  } catch {
    // The log cannot be written, so nobody can be told.
  }
}
