// The sources are written as they should be: `npm run lint`, beside the other tests instead of before them.
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Each tool, and what it looks for. */
const TOOLS: Readonly<Record<string, string>> = {
  biome: 'have the one style, and no faults that its rules know',
  knip: 'have no file, export or package that nobody uses',
};

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
// As npm would find the tools, without npm itself.
const env = { ...process.env, PATH: `${ROOT}node_modules/.bin${delimiter}${process.env.PATH}` };

/** What a script of package.json prints when it fails; empty when it passes. */
const complaintsOf = (script: string): Promise<string> =>
  new Promise((resolve) => {
    exec(scripts[script] as string, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve(error ? `${error.message}\n${stdout}${stderr}` : ''),
    );
  });

describe('the sources', () => {
  for (const [tool, about] of Object.entries(TOOLS)) {
    it(`${about}: npm run lint:${tool}`, async () => {
      expect(await complaintsOf(`lint:${tool}`)).to.equal('');
    });
  }
});
