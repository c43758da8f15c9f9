// The declarations, as TypeScript 5.4 reads them, with every library checked; package.compat.test.ts has TypeScript 7.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAMS = ['program', 'page'];
// The compiler's own libraries are not checked, which takes the longest; package.compat.test.ts checks those of TypeScript 7.
const OPTIONS =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --skipDefaultLibCheck true --module nodenext ' +
  '--target es2022 --types node';
/** With more memory for young objects, the compiler needs a quarter less processor time. */
const YOUNG = '--max-semi-space-size=64';

describe('the declarations', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'consumer-'));
    for (const name of PROGRAMS)
      copyFileSync(join(ROOT, `compat-tests/consumer/${name}.ts`), join(directory, `${name}.mts`));
  });
  after(() => rmSync(directory, { recursive: true }));

  it('compile with typescript-5-4, without skipLibCheck', async () => {
    const programs = PROGRAMS.map((name) => join(directory, `${name}.mts`));
    const args = [YOUNG, 'node_modules/typescript-5-4/bin/tsc', ...OPTIONS.split(' '), ...programs];
    const said = await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) => resolve(stdout || (error?.message ?? '')));
    });
    expect(said).to.equal('');
  });
});
