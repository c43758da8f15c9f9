// Loading a simulation: what is refused says the file, and the line where it went wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { run } from '../../run/headless/run.js';
import { loadSimulation, told } from './load-simulation.js';

const IMPORTS = `import { simulation } from ${JSON.stringify(new URL('./simulation.js', import.meta.url).href)};
import { array, double, struct } from ${JSON.stringify(new URL('../../model/state/declare.js', import.meta.url).href)};
`;

describe('a simulation file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-load-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** The sentence with which loading and building such a file fails; the first line of the text is line 3. */
  async function refusalOf(text: string): Promise<string> {
    const path = join(directory, 'sim.mjs');
    writeFileSync(path, IMPORTS + text);
    try {
      const definition = await loadSimulation(pathToFileURL(path).href);
      await told(path, 'built', () => run(definition, { untilSeconds: 1 }));
    } catch (error) {
      return (error as Error).message.replaceAll(directory, '');
    }
    return '';
  }
  const built = (lines: string): Promise<string> =>
    refusalOf(
      `export default simulation({ name: 'a', frameSeconds: 0.1 }, (sim) => {\n  const o = sim.object('o');\n${lines}\n});`,
    );

  it('is loaded', async () => expect(await built("o.component('x', double());")).to.equal(''));

  const REFUSED: readonly (readonly [what: string, lines: string, why: string, line: number])[] = [
    [
      'a name twice',
      "o.component('x', double());\no.component('x', double());",
      'object o has a component x already',
      6,
    ],
    [
      'a function twice',
      "sim.function('f', () => 1);\nsim.function('f', { takes: {} }, () => {});",
      'there is a function f already',
      6,
    ],
    ['a list too long', "o.component('x', double(2), [1, 2, 3]);", 'o.x takes 2 elements, not 3', 5],
    ['a range', "\n\no.component('x', double({ max: 1 }), NaN);", 'o.x is a number up to 1, not NaN', 7],
    ['an array of none', "o.component('x', array(double(), 0));", 'an array needs a length of at least 1, not 0', 5],
    ['a bad period', 'sim.job(0, () => {});', 'job without a name needs a period in seconds from 1e-6 up, not 0', 5],
    ['a throw', "const f = () => {\nthrow new Error('no table');\n};\nf();", 'no table', 6],
  ];
  for (const [what, lines, why, line] of REFUSED) {
    it(`with ${what} is refused with its line`, async () => {
      expect(await built(lines)).to.equal(`/sim.mjs cannot be built: ${why} (/sim.mjs, line ${line})`);
    });
  }

  const BROKEN: readonly (readonly [what: string, text: string, expected: RegExp])[] = [
    [
      'imports a name that is not there',
      "import { simulator } from 'node:fs';",
      /^\/sim\.mjs cannot be loaded: The requested module 'node:fs' .*'simulator' \(\/sim\.mjs, line 3\)$/,
    ],
    [
      'imports a file that is not there',
      "import './nothing.mjs';",
      /^\/sim\.mjs cannot be loaded: Cannot find module .*nothing\.mjs/,
    ],
    [
      'has no proper frame',
      "export default simulation({ name: 'a', frameSeconds: 0 }, () => {});",
      /cannot be loaded: frameSeconds is a time/,
    ],
    [
      'rejects when it is built',
      "export default simulation({ name: 'a', frameSeconds: 0.01 }, async () => { throw 'no model\\nat all'; });",
      /^\/sim\.mjs cannot be built: no model$/,
    ],
  ];
  for (const [what, text, expected] of BROKEN) {
    it(`is refused with one sentence when it ${what}`, async () => {
      expect(await refusalOf(text)).to.match(expected);
    });
  }

  const UNITS: readonly (readonly [what: string, lines: string, where: string, line: number])[] = [
    ['a variable', "\no.component('x', double({ units: 'mq' }));", 'o.x', 6],
    ['a parameter', "\n\nsim.function('kick', { takes: { v: double({ units: 'mq' }) } }, () => {});", 'kick(): v', 7],
    [
      'a result',
      "sim.function('kick', { takes: {}, gives: double({ units: 'mq' }) }, () => 1);",
      'what kick() gives',
      5,
    ],
  ];
  for (const [what, lines, where, line] of UNITS) {
    it(`with units of ${what} that do not exist is refused with its line`, async () => {
      const refusal = await built(lines);
      expect(refusal).to.include(`/sim.mjs cannot be built: ${where} has units "mq": `);
      expect(refusal).to.include(` (/sim.mjs, line ${line})`);
    });
  }

  it('with a declaration that cannot be is refused when it is loaded, with its line', async () => {
    const text = "struct('A', {});\nexport const B = struct('B', { 'a-b': double() });";
    expect(await refusalOf(text)).to.equal(
      '/sim.mjs cannot be loaded: B.a-b: a member is named with letters, digits and _ (/sim.mjs, line 4)',
    );
  });

  it('without a simulation says so', async () => {
    expect(await refusalOf('export default 3;')).to.include('/sim.mjs has no simulation: it must `export default');
  });

  it('that cannot be parsed says how to find the place', async () => {
    expect(await refusalOf('export default simulation(')).to.match(
      /sim.mjs cannot be loaded: .*\(node --check .*shows where\)$/,
    );
  });

  it('in a package of CommonJS, as npm init makes it, says what to do', async () => {
    writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
    const path = join(directory, 'sim.js');
    writeFileSync(path, `${IMPORTS}export default simulation({ name: 'a', frameSeconds: 0.1 }, () => undefined);`);
    const error = await loadSimulation(pathToFileURL(path).href).catch((thrown: Error) => thrown.message);
    expect(error).to.equal(
      `${path} cannot be loaded: its package is of CommonJS: run \`npm pkg set type=module\`, or name the file .mjs or .mts`,
    );
  });

  it('in a package of CommonJS is told the same of an export that comes first', async () => {
    writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
    const path = join(directory, 'sim.js');
    writeFileSync(path, 'export default 5;\n');
    const error = await loadSimulation(pathToFileURL(path).href).catch((thrown: Error) => thrown.message);
    expect(error).to.match(/cannot be loaded: its package is of CommonJS: run/);
  });

  it('in a folder with a blank in its name is named as a shell and a person know it', async () => {
    const folder = join(directory, "my sim's");
    mkdirSync(folder);
    const said = async (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return loadSimulation(pathToFileURL(join(folder, name)).href).catch((thrown: Error) => thrown.message);
    };
    expect(await said('throws.mjs', "throw new Error('boo');")).to.include(`(${folder}/throws.mjs, line 1)`);
    const open = await said('open.mjs', 'export default simulation(');
    expect(open).to.include(`(node --check '${directory}/my sim'\\''s/open.mjs' shows where)`);
  });

  it('that is not there says so', async () => {
    const missing = loadSimulation(pathToFileURL(join(directory, 'no.mjs')).href);
    expect(await missing.catch((error: Error) => error.message)).to.match(
      /no.mjs cannot be loaded: Cannot find module/,
    );
  });
});
