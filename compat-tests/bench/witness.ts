// What a bystander of a server waits, and what the machine makes everybody wait.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Witnessed } from '../attacks/bystander.js';
import type { Dialled } from '../dial.js';

/** Without an attack a busy machine alone makes up to one frame in a hundred late. */
export const GOALS = { p99Millis: 50, worstMillis: 250, lateFrames: 0.02 };

/** The goals while so many attack. */
export const goalsWith = (attackers: number): typeof GOALS =>
  attackers > 1 ? { ...GOALS, p99Millis: 2 * GOALS.p99Millis, worstMillis: 2 * GOALS.worstMillis } : GOALS;

export const run = promisify(execFile);
export const program = (name: string): string => fileURLToPath(new URL(`../attacks/${name}.js`, import.meta.url));

/** A process that sends back what it gets. */
function echoing(): { readonly port: Promise<string>; close(): void } {
  const echo = spawn(process.execPath, [program('echo')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = once(echo.stdout, 'data').then(([text]) => `${text}`.trim());
  return { port, close: () => echo.kill() };
}

export interface Witness {
  /** Resolves once the server knows it: a client that comes during an attack waits longer for some seconds. */
  readonly begun: Promise<unknown>;
  readonly witnessed: Promise<Witnessed>;
  /** Ends it before its time: nothing is witnessed. */
  stop(): void;
}

/** A process that asks a server for a variable each 5 ms, and for so many seconds once it has begun. */
export function witness(seconds: number, { port, isSecure = false }: Dialled, variable: string): Witness {
  const echo = echoing();
  const asking = echo.port.then((echoPort) => {
    const told = [`${seconds}`, `${port}`, variable, echoPort, ...(isSecure ? ['tls'] : [])];
    return spawn(process.execPath, [program('bystander'), ...told], { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  const witnessed = asking.then(told).finally(() => echo.close());
  return {
    begun: asking.then(({ stdout }) => once(stdout, 'data')),
    witnessed,
    stop: () => {
      witnessed.catch(() => undefined);
      void asking.then((bystander) => bystander.kill());
    },
  };
}

async function told({ stdout }: ChildProcessByStdio<null, Readable, null>): Promise<Witnessed> {
  let text = '';
  stdout.on('data', (piece: Buffer) => {
    text += piece;
  });
  await once(stdout, 'end');
  return JSON.parse(text.slice(text.indexOf('\n'))) as Witnessed;
}
