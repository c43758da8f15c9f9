// The declarations of the package, as compilers from TypeScript 5.4 on read them, with every library checked.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OPTIONS =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --module nodenext --target es2022 --types node';

/** What a compiler says of the program; empty when it is content. */
function errorsOf(compiler: string, options: string, program: string): Promise<string> {
  const args = [`node_modules/${compiler}/bin/tsc`, ...options.split(' '), program];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) => resolve(stdout || (error?.message ?? '')));
  });
}

describe('the declarations', () => {
  let directory: string;
  let program: string;
  before(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'consumer-'));
    program = join(directory, 'program.mts');
    copyFileSync(join(ROOT, 'compat-tests/consumer/program.ts'), program);
  });
  after(() => rmSync(directory, { recursive: true }));

  for (const [compiler, options] of [
    ['typescript-5-4', OPTIONS],
    // TypeScript 7 does not take a program beside the settings of a project without this.
    ['typescript', `${OPTIONS} --ignoreConfig`],
  ] as const) {
    it(`compile with ${compiler}, without skipLibCheck`, async () => {
      expect(await errorsOf(compiler, options, program)).to.equal('');
    });
  }
});
