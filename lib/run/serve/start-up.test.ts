// What a start loads: the static imports of an entry, and theirs. Loading takes most of the start-up time.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const STATIC_IMPORT = /^(?:import|export)\b[^'"`;(]*?(?:\bfrom\s*)?['"]([^'"]+)['"]/gm;

/** Built files by their path below build/, packages by their name. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!file.endsWith('.js')) return;
    for (const [, specifier = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(STATIC_IMPORT)) {
      visit(specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier);
    }
  };
  visit(entry);
  return loaded;
}

describe('a start', () => {
  it('of the command loads a handful of files before it knows what is wanted', () => {
    expect(loadedBy('lib/clients/cli/main.js').size).to.be.below(8);
  });

  it('of a simulation, which imports varwire, loads no server', () => {
    for (const entry of ['lib/index.js', 'lib/run/serve/simulation-worker.js']) {
      const loaded = loadedBy(entry);
      expect(loaded).to.include('lib/model/state/catalog.js').and.include('lib/simulation/executive/simulation.js');
      for (const unneeded of [
        'lib/run/serve/server.js',
        'lib/serving/session/session.js',
        'node:net',
        'zod',
        'ws',
        'pino',
      ]) {
        expect(loaded, entry).not.to.include(unneeded);
      }
    }
  });

  it('of a server loads no schemas, no log for programs and no language of Trick before somebody asks for them', () => {
    const loaded = loadedBy('lib/run/serve/server.js');
    expect(loaded).to.include('lib/protocols/http/front-end.js');
    for (const unneeded of [
      'zod',
      'ws',
      'pino',
      'lib/simulation/executive/running-simulation.js',
      'lib/clients/trick/index.js',
      'lib/run/serve/trick.js',
      'lib/protocols/python/index.js',
    ]) {
      expect(loaded).not.to.include(unneeded);
    }
  });

  it('of a program that embeds varwire loads the executive when it serves a simulation of its own', () => {
    expect(loadedBy('lib/index.js')).not.to.include('lib/simulation/executive/running-simulation.js');
    expect(readFileSync(join(ROOT, 'lib/run/serve/serve-beside.js'), 'utf8')).to.include(
      "import('../../source/simulation-host.js')",
    );
  });
});
