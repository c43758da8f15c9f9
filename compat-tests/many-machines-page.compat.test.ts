// The commands and the program of docs/many-machines.md.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { commandHere } from './command-here.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';

const PAGE = readFileSync(new URL('../../docs/many-machines.md', import.meta.url), 'utf8');
const block = (language: string): string => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(PAGE)?.[1] ?? '';
const INDEX = new URL('../lib/index.js', import.meta.url);

describe('docs/many-machines.md', () => {
  let simulation: LaunchedServer;
  let second: LaunchedServer | undefined;
  before(async () => {
    simulation = await LaunchedServer.start('sims/ball.js', { options: ['--no-discovery'] });
  });
  afterEach(async function () {
    showOutputOfFailure(this, simulation);
    await second?.kill();
  });
  after(() => simulation.kill());

  it('has commands that serve a simulation elsewhere, and read it there', async () => {
    const [runLine, edgeLine = '', getLine = ''] = block('sh').trim().split('\n');
    expect(runLine).to.equal('varwire run sims/ball --port 7000');
    const [, ...words] = edgeLine.replace(' --port 8000', '').replace('7000', `${simulation.port}`).split(' ');
    second = await LaunchedServer.command(...words);
    const [, ...get] = getLine.replace('localhost:8000', `127.0.0.1:${second.port}`).split(' ');
    expect((await commandHere(get)).output).to.match(/^ball\.position\t/);
  });

  it('has a program that does the same', async () => {
    const [, program] = block('js')
      .replace('7000', `${simulation.port}`)
      .replace('{ port: 8000 }', "{ port: 0, udp: 'off', messages: 'off', discovery: false }")
      .replace("'varwire'", `'${INDEX}'`)
      .split(/^import (?=.*\n)/m);
    const text = `import ${program}\nexport const height = await server.get('ball.position');\nawait server.close();`;
    const { height } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { height: number[] };
    expect(height).to.have.length(2);
  });

  it('has a command that says in one sentence why it does not start', async () => {
    const { code, complaint } = await commandHere(['edge', '127.0.0.1:1', '--port', '0']);
    expect(code).to.equal(1);
    expect(complaint).to.match(/^varwire: 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\n$/);
    expect((await commandHere(['edge'])).code).to.equal(2);
    expect((await commandHere(['edge', '127.0.0.1:1', '--run-dir', 'x'])).complaint).to.equal(
      'varwire: --run-dir is for simulations that run here; varwire edge --help shows how\n',
    );
  });
});
