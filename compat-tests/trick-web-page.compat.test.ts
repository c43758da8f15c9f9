// What docs/trick-web.md shows, as it stands: the command line, the input file, the messages, the program.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseServed } from '../lib/clients/cli/run.js';
import { type RunningServer, serve } from '../lib/index.js';
import { ask } from './asking.js';
import { Dashboard, portOf } from './web-dashboard.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const PAGE = readFileSync(new URL('../../docs/trick-web.md', import.meta.url), 'utf8');

const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, block = '']) => block);

describe('docs/trick-web.md', () => {
  let directory: string;
  let server: RunningServer | undefined;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-www-page-'));
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has a command line that asks for the port and the directory', () => {
    const [line = ''] = blocks('sh');
    const args = line.replace(':www', `:${directory}`).trim().split(' ').slice(3);
    expect(parseServed(args).options.www).to.deep.equal({ port: 8888, directory });
    for (const wrong of ['www', '70000', '8888:/no/such/directory', '-1'])
      expect(() => parseServed(['sims/ball.ts', `--www=${wrong}`])).to.throw(/--www takes/);
  });

  it('has an input file that asks for the same', async () => {
    const inputFile = join(directory, 'input.py');
    const [text = ''] = blocks('python');
    writeFileSync(inputFile, `trick.real_time_enable()\n${text.replace('8888', '0')}`);
    server = await serve(BALL, { port: 0, discovery: false, inputFile });
    expect((await ask({ port: portOf(server), path: '/' })).status).to.equal(200);
  });

  it('has messages that are understood, and their answers', async () => {
    server = await serve(BALL, { port: 0, discovery: false, www: { port: 0 } });
    const one = await Dashboard.open(portOf(server));
    const messages = [...PAGE.matchAll(/`(\{"cmd":.*?\})`/g)].map(([, message = '']) => JSON.parse(message));
    expect(messages).to.have.length(10);
    one.tell({ cmd: 'var_add', var_name: 'ball.nosuch' });
    for (const message of messages) one.tell(message);
    one.tell({ cmd: 'python', pycode: 'trick.exec_run()' }, { cmd: 'units', var_name: 'nosuch' });
    const told = new Map<string, object>();
    for (let text = ''; !text.includes('cannot get units'); ) {
      text = await one.next();
      const message = JSON.parse(text);
      if (!told.has(message.msg_type)) told.set(message.msg_type, message);
    }
    for (const block of blocks('json')) {
      const shown = JSON.parse(block);
      const found = told.get(shown.msg_type) ?? {};
      expect(Object.keys(found)).to.deep.equal(Object.keys(shown));
      if (shown.msg_type !== 'values') expect(found).to.deep.equal(shown);
    }
    expect([...told.keys()]).to.have.members(['values', 'error', 'units', 'sie']);
    one.socket.terminate();
  });

  it('has a program with answers of its own', async () => {
    const [text = ''] = blocks('ts');
    const body = text
      .replace(/^import.*$/m, '')
      .replace('8888', '0')
      .replace("'sims/ball.ts', {", 'BALL, { port: 0, discovery: false,')
      .replace('await server.ended;', 'return server;');
    const program = new Function('serve', 'BALL', `return (async () => {${body}})();`);
    const running: RunningServer = await program(serve, BALL);
    server = running;
    expect((await ask({ port: portOf(running), path: '/api/http/hello' })).text).to.equal('hello');
  });

  it('speaks of parts that no server has that was not asked', async () => {
    server = await serve(BALL, { port: 0, discovery: false });
    expect(portOf(server)).to.equal(0);
    expect((await ask({ port: server.port, path: '/api/http/vs_connections' })).status).to.equal(404);
    const entry = readFileSync(new URL('../lib/protocols/trick-web/front-end.js', import.meta.url), 'utf8');
    const imports = [...entry.matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name);
    expect(imports.filter((name) => name?.startsWith('./'))).to.deep.equal(['./ports.js']);
  });
});
