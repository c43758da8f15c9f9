// The package as npm makes it: what is in it, and what CommonJS gets.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

describe('the package', () => {
  let paths: readonly string[];
  before(function () {
    this.timeout(60_000);
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })) as [Packed];
    paths = packed.files.map(({ path }) => path);
  });

  it('has what its exports and its command name, and is built before it is packed', () => {
    const { exports, bin, scripts } = JSON.parse(readFileSync(new URL('package.json', `file://${ROOT}`), 'utf8'));
    const named = Object.values(exports as Record<string, string | Record<string, string>>).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    );
    for (const path of [...named, ...Object.values(bin as Record<string, string>)])
      expect(paths).to.include(path.replace('./', ''));
    expect(paths).to.include('build/sims/ball.js');
    expect(scripts.prepack).to.equal('npm run build');
  });

  it('has no tests, no aids of tests, and no maps to sources that are not there', () => {
    expect(
      paths.filter((path) => /\.test\.|\.bench\.|\/aids\/|\.map$|^compat-tests|^build\/compat/.test(path)),
    ).to.deep.equal([]);
  });

  it('tells a program of CommonJS in one sentence what to do', () => {
    const { stderr, status } = spawnSync(process.execPath, ['-e', "require('varwire')"], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.include('Error: varwire is made of ES modules: use import, or in CommonJS');
  });
});
