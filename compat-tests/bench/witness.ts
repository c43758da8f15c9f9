// What a bystander of a server waits, and what the machine makes everybody wait.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Witnessed } from '../attacks/bystander.js';

export const run = promisify(execFile);
export const program = (name: string): string => fileURLToPath(new URL(`../attacks/${name}.js`, import.meta.url));

/** A process that sends back what it gets. */
function echoing(): { readonly port: Promise<string>; close(): void } {
  const echo = spawn(process.execPath, [program('echo')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = once(echo.stdout, 'data').then(([text]) => `${text}`.trim());
  return { port, close: () => echo.kill() };
}

/** A process that asks a server for a variable each 5 ms, for so long. */
export async function witness(seconds: number, port: number, variable: string): Promise<Witnessed> {
  const echo = echoing();
  try {
    const told = [`${seconds}`, `${port}`, variable, await echo.port];
    const { stdout } = await run(process.execPath, [program('bystander'), ...told]);
    return JSON.parse(stdout) as Witnessed;
  } finally {
    echo.close();
  }
}
