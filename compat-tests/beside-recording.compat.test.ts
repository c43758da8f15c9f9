// Recordings of a program that keeps its thread: no row is lost when it is killed, without a line of its own for that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { WireClient } from './wire-client.js';

const PROGRAM = fileURLToPath(new URL('fixture/beside-recorder.js', import.meta.url));
const CYCLE_SECONDS = 0.01;

/** What no program handles, and what one handles that gives way; a program that never does must not try to. */
const ENDS = [
  ['timers', 'SIGTERM'],
  ['timers', 'SIGKILL'],
  ['caller', 'SIGINT'],
] as const;

describe('a recording of serveBeside', () => {
  for (const [drive, signal] of ENDS)
    it(`driven by ${drive} has every row up to ${signal}, whenever it comes`, async () => {
      const moment = randomOf(`${drive} ${signal}`).uniform(50, 350);
      const directory = mkdtempSync(join(tmpdir(), 'varwire-beside-'));
      const child = spawn(process.execPath, [PROGRAM, drive, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
      const client = await WireClient.tcp(Number(port));
      client.send(`trick.var_cycle(${CYCLE_SECONDS})\ntrick.var_add("time")\n`);
      await client.line();
      await new Promise((resolve) => setTimeout(resolve, moment));
      child.kill(signal);
      await once(child, 'close');
      const [, seen = '0'] = /^0\t([\d.]+)/.exec(client.leftovers.trimEnd().split('\n').at(-2) ?? '') ?? [];
      client.drop();
      const file = join(directory, 'log_beside.csv');
      // A program that was killed in its first frame has recorded nothing.
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '\n';
      rmSync(directory, { recursive: true });
      expect(text.at(-1)).to.equal('\n');
      const times = text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((row) => Math.round(Number(row.split(',')[0]) / CYCLE_SECONDS));
      expect(times).to.deep.equal(times.map((_, index) => index));
      // The row of the frame that was running is not there yet.
      expect(times.length).to.be.at.least(Math.floor(Number(seen) / CYCLE_SECONDS) - 1);
    });
});
