// Datagrams that come from port 0, which only a raw socket can send: a program in C, compiled when it is needed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Attack } from './attack.js';

const SOURCE = fileURLToPath(new URL('../../../compat-tests/attacks/port-zero.c', import.meta.url));

/** Rejects where there is no compiler, or raw sockets are not allowed. */
export const fromPortZero =
  (text: string): Attack['run'] =>
  async ({ udpPort }, until) => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-port-zero-'));
    try {
      const program = join(directory, 'port-zero');
      execFileSync(process.env.CC ?? 'cc', ['-O2', '-o', program, SOURCE]);
      const sender = spawn(program, [`${udpPort}`, text], { stdio: ['ignore', 'ignore', 'pipe'] });
      const kill = (): unknown => sender.kill('SIGKILL');
      until.addEventListener('abort', kill);
      if (until.aborted) kill();
      const [code] = (await once(sender, 'exit')) as [number | null];
      if (code !== null) throw new Error(`datagrams cannot be sent from port 0 here: ${sender.stderr.read()}`);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };
