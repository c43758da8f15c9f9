// A simulation of `varwire run` in this process, up to its end, for tests that ask how it ends and what is said meanwhile.
import { parseServed } from '../lib/clients/cli/run.js';
import type { Log, serve } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';

/** The line of a server whose machine is busy. */
const LATE = /^the server is at its limit/;

/** How a run has ended. */
export interface RunEnd {
  /** The exit code that the command would end with. */
  readonly code: number;
  /** What the command would print to standard error: its log as text without how busy the machine is, and the sentence with which it fails. */
  readonly log: string;
}

/**
 * Runs a built simulation until it ends by itself.
 * @param args options of `varwire run`.
 * @param by how it is served: `serveHere`, or `serve` for what the simulation's thread does.
 * @param directory the working directory; it is that of the process, so one run at a time.
 */
export async function runHere(
  file: string,
  args: readonly string[],
  directory: string,
  by: typeof serve | typeof serveHere = serveHere,
): Promise<RunEnd> {
  const before = process.cwd();
  let said = '';
  const log: Log = (level, text) => {
    if (level !== 'informational' && level !== 'debug' && !LATE.test(text)) said += `${text}\n`;
  };
  process.chdir(directory);
  try {
    const server = await by(file, { ...parseServed([file, ...args]).options, log });
    let code = 0;
    server.source.onEnd((_, exitCode) => {
      code = exitCode;
    });
    await server.ended;
    await server.close();
    return { code, log: said };
  } catch (error) {
    return { code: 1, log: `${said}varwire: ${(error as Error).message}\n` };
  } finally {
    process.chdir(before);
  }
}
