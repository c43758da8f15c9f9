// A command of varwire in this process, for tests that ask what it prints: it costs a tenth of a process of its own.
import { dispatch } from '../lib/clients/cli/dispatch.js';

/** How a command has ended, and what it has printed to standard output and to standard error. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly complaint: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The command of a test that has timed out goes on. */
let underWay: string | undefined;
/** The listeners to signals that are not the command's. */
let known: ReadonlySet<unknown> = new Set();

/**
 * Runs one command line, other than of `run` with a server. One at a time, as it has the streams of the process; rejects
 * while another one goes on.
 * @param directory the working directory; that of the tests by default.
 */
export async function commandHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  directory = process.cwd(),
): Promise<Ended> {
  if (underWay !== undefined) throw new Error(`this command has not ended: ${underWay}`);
  underWay = args.join(' ');
  const printed = [capture(process.stdout), capture(process.stderr)] as const;
  known = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
  const closed = process.stdout.listeners('error');
  const before = { exitCode: process.exitCode, env: { ...process.env }, directory: process.cwd() };
  process.exitCode = undefined;
  // Threads get a copy of this object, not of one in its place.
  Object.assign(process.env, environment);
  try {
    process.chdir(directory);
    await dispatch(args);
    return { code: Number(process.exitCode ?? 0), output: printed[0].text(), complaint: printed[1].text() };
  } finally {
    underWay = undefined;
    for (const one of printed) one.end();
    process.exitCode = before.exitCode;
    for (const name of Object.keys(environment)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    process.chdir(before.directory);
    // A process of its own would end with them.
    for (const signal of SIGNALS)
      for (const listener of process.listeners(signal)) if (!known.has(listener)) process.off(signal, listener);
    for (const listener of process.stdout.listeners('error'))
      if (!closed.includes(listener)) process.stdout.off('error', listener as () => void);
  }
}

/** Sends a signal to the command under way, and to nobody else in this process. */
export function signalHere(signal: (typeof SIGNALS)[number]): void {
  for (const listener of process.listeners(signal)) if (!known.has(listener)) listener(signal);
}

/** Keeps what is written to a stream, until the end. */
function capture(stream: NodeJS.WriteStream): { text(): string; end(): void } {
  const write = stream.write;
  const parts: Buffer[] = [];
  stream.write = (chunk: Uint8Array | string, encoding?: unknown, written?: () => void): boolean => {
    parts.push(Buffer.from(chunk as string));
    // Mocha ends the process when its last words are written.
    if (typeof encoding === 'function') encoding();
    else written?.();
    return true;
  };
  return {
    text: () => Buffer.concat(parts).toString(),
    end: () => {
      stream.write = write;
    },
  };
}
