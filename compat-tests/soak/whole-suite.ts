// The test suite with all of its random and long inputs, of which `npm test` draws a sample.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SEED_VARIABLE } from '../../lib/testing/aids/fuzz-seed.js';
import { SHARE_VARIABLE } from '../../lib/testing/aids/run-counts.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One sentence when a test has failed; the reporter has shown which. */
export async function passWholeSuite(seed: number): Promise<readonly string[]> {
  const env = { ...process.env, [SHARE_VARIABLE]: '1', [SEED_VARIABLE]: `${seed}` };
  const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot'];
  const suite = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = await once(suite, 'exit');
  return code === 0 ? [] : [`the test suite fails with all of its inputs, again with ${SEED_VARIABLE}=${seed}`];
}
