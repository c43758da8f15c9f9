// Runs every x.bench.ts beside the code that it measures, each in a process of its own.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../', import.meta.url));

export function printMicroBenches(): void {
  for (const folder of ['grammar', 'lib', 'compat-tests']) {
    const files = readdirSync(`${BUILD}${folder}`, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.bench.js')).sort()) {
      console.log(`\n${folder}/${file}`);
      spawnSync(process.execPath, [`${BUILD}${folder}/${file}`], { stdio: 'inherit' });
    }
  }
}
