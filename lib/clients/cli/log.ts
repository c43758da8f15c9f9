// Prints the server's log: lines for people, or JSON for programs (pino).
import { fstatSync, writeSync } from 'node:fs';
import type { Log, LogFacts, LogLevel } from '../../index.js';
import { escapedJson, printableLines } from './value-text.js';

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
  const output = new LineOutput(process.stderr, fstatSync(2).isFile());
  return Object.assign(await logOf(format, isVerbose, output), { backlog: output });
}

async function logOf(format: LogFormat, isVerbose: boolean, output: LineOutput): Promise<Log> {
  if (format === 'text') return textLog(isVerbose, output);
  const { pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      level: 'debug',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => output.write(escapedJson(line)) },
  );
  return (level, text, facts = {}) => logger[PINO_LEVELS[level]](facts, text);
}

const textLog =
  (isVerbose: boolean, output: LineOutput): Log =>
  (level, text, facts) => {
    if (isVerbose || !QUIET.has(level)) output.write(`${textLine(text, facts)}\n`);
  };

/** A line of the log as text; a stack follows in lines of its own. */
export function textLine(text: string, { err, stack }: LogFacts = {}): string {
  const lines = typeof stack === 'string' ? `${text}\n${stack}` : text;
  return indented(printableLines(err instanceof Error ? `${text}: ${err.stack}` : lines));
}

/** Its further lines are indented, so that no text of a client begins a line as the log's own do. */
const indented = (text: string): string => text.replace(/\n(?!$)/g, '\n  ');

/** A reader that goes away, or a full disk, costs lines of the log and nothing else. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Where lines go: a file, or a reader that may be slow. */
export class LineOutput {
  private leftOut = 0;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'writableLength' | 'write'> & { readonly fd: number },
    private readonly isFile: boolean,
  ) {}

  /** Bytes that wait for the reader. */
  get held(): number {
    return this.stream.writableLength;
  }

  /** How many lines were left out. */
  get refusals(): number {
    return this.leftOut;
  }

  write(line: string): void {
    try {
      // A stream would end with the first failure; a disk may have room again.
      if (this.isFile) writeSync(this.stream.fd, line);
      else if (this.held < LONGEST_BACKLOG_BYTES) this.stream.write(line);
      else this.leftOut++;
    } catch {
      // The log cannot be written, so nobody can be told there.
      this.leftOut++;
    }
  }
}
