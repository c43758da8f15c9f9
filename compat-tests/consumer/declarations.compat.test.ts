// The declarations of the package, as compilers from TypeScript 5.4 on read them, with every library checked.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAMS = ['program', 'page'];
const OPTIONS =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --module nodenext --target es2022 --types node';

/** What a compiler says of the programs; empty when it is content. */
function errorsOf(compiler: string, options: string, programs: readonly string[]): Promise<string> {
  const args = [`node_modules/${compiler}/bin/tsc`, ...options.split(' '), ...programs];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) => resolve(stdout || (error?.message ?? '')));
  });
}

describe('the declarations', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'consumer-'));
    for (const name of PROGRAMS)
      copyFileSync(join(ROOT, `compat-tests/consumer/${name}.ts`), join(directory, `${name}.mts`));
  });
  after(() => rmSync(directory, { recursive: true }));

  for (const [compiler, options] of [
    // Its own libraries are not checked, which takes the longest; those of TypeScript 7 are.
    ['typescript-5-4', `${OPTIONS} --skipDefaultLibCheck true`],
    // TypeScript 7 does not take a program beside the settings of a project without this.
    ['typescript', `${OPTIONS} --ignoreConfig`],
  ] as const) {
    it(`compile with ${compiler}, without skipLibCheck`, async () => {
      const programs = PROGRAMS.map((name) => join(directory, `${name}.mts`));
      expect(await errorsOf(compiler, options, programs)).to.equal('');
    });
  }
});
