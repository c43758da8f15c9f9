// Trick's web server over real sockets: its HTTP interface, the files, who is refused, and what an input file says.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { type RunningServer, serve } from '../lib/index.js';
import { type Answered, ask } from './asking.js';
import { add, Dashboard, portOf } from './web-dashboard.js';

const SIMULATION = new URL('./fixture/web-values.js', import.meta.url);

describe("Trick's web server", () => {
  let server: RunningServer;
  let port: number;
  let root: string;
  const dashboards: Dashboard[] = [];

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'varwire-www-'));
    const www = join(root, 'www');
    mkdirSync(join(www, 'apps'), { recursive: true });
    writeFileSync(join(www, 'index.html'), 'start');
    writeFileSync(join(www, 'style.css'), 'body { color: red }');
    writeFileSync(join(www, 'large.js'), `// ${'x'.repeat(1_000_000)}`);
    writeFileSync(join(www, '.secret'), 'hidden');
    writeFileSync(join(www, 'apps', 'a&b.html'), 'app');
    writeFileSync(join(root, 'outside.txt'), 'outside');
    symlinkSync(join(root, 'outside.txt'), join(www, 'link.txt'));
    symlinkSync(root, join(www, 'up'));
    execFileSync('mkfifo', [join(www, 'pipe')]);
    server = await serve(SIMULATION, {
      port: 0,
      discovery: false,
      www: { port: 0, directory: www },
      jsonvs: 0,
      wwwHandlers: {
        http: { hello: (exchange) => void exchange.respond(200, { 'content-type': 'text/plain' }, 'own answer') },
      },
    });
    port = portOf(server);
  });
  afterEach(() => {
    for (const { socket } of dashboards.splice(0)) socket.terminate();
  });
  after(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  const get = (path: string, options: object = {}): Promise<Answered> => ask({ port, path, ...options });
  async function dashboard(): Promise<Dashboard> {
    const opened = await Dashboard.open(port);
    dashboards.push(opened);
    return opened;
  }

  it('has a JSON variable server beside it, whose answers are JSON', async () => {
    const own = server.endpoints.find(({ name }) => name === 'jsonvs')?.port ?? 0;
    const found = async (path: string, method = 'GET') => {
      const { status, text } = await ask({ port: own, path, method });
      return [status, JSON.parse(text)] as const;
    };
    const at = `http://127.0.0.1:${own}`;
    expect(await found('/')).to.deep.equal([200, { commands: `${at}/commands`, vars: `${at}/vars` }]);
    expect((await found('/vars'))[1]).to.include({ w: 'WSimObject' });
    const real = { name: 'w.real', units: 'm', description: 'é', type_name: 'double', type: 11, io: 15 };
    expect((await found('/vars/w/real'))[1]).to.deep.include(real);
    expect((await ask({ port: own, path: '/vars/w/real' })).text).to.match(
      /^\{\n {4}"name" : "w.real" ,\n {4}"value" : /,
    );
    const list = { name: 'w.list', num_index: 1, index: [{ size: 3, start: 0 }], units: 's' };
    expect((await found('/vars/w/list'))[1]).to.deep.include(list);
    expect((await found('/vars/w.list[1]'))[1]).to.include({ name: 'w.list[1]', type_name: 'double' });
    expect((await found('/vars/w/point'))[1]).to.deep.include({ links: ['x'], type: 22 });
    expect(await found('/commands')).to.deep.equal([200, { exec_get_sim_time: 'exec_get_sim_time()' }]);
    expect(Number((await found('/commands/exec_get_sim_time'))[1].sim_time)).to.be.at.least(0);
    expect(await found('/vars/w/nosuch')).to.deep.equal([404, { name: '/vars/w/nosuch', message: 'Not Found' }]);
    for (const path of [
      '/x',
      '/vars/',
      '/vars/%',
      '/vars/w/%00',
      `/vars/${'a/'.repeat(3000)}`,
      '/commands/stop',
      '//',
      '/vars/__proto__',
    ])
      expect((await found(path))[0], path.slice(0, 30)).to.equal(404);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await found('/vars', method)).to.deep.equal([405, { message: 'Method not allowed' }]);
  });

  describe('over /api/http', () => {
    it('lists the sessions of Trick text as Trick spells them', async () => {
      const sockets = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const socket = connect(server.port, '127.0.0.1');
          await once(socket, 'connect');
          const last = `${index === 1 ? 'trick.var_binary()\n' : ''}trick.var_send()\n`;
          socket.write(
            index === 0
              ? `trick.var_set_client_tag("TAG")\ntrick.var_add("w.real")\ntrick.var_add("w.count")\n${last}`
              : `trick.var_add("w.count")\n${last}`,
          );
          await once(socket, 'data');
          return socket;
        }),
      );
      const { status, headers, text } = await get('/api/http/vs_connections');
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/plain']);
      const listed = JSON.parse(text).variable_server_connections as { connection: { format: string } }[];
      expect(listed).to.have.length(50);
      expect(listed.filter(({ connection }) => connection.format === 'BINARY')).to.have.length(1);
      const { localPort } = sockets[0] as { localPort?: number };
      expect(text.startsWith('{"variable_server_connections":[\n{\n  "connection":{\n    "client_tag":"')).to.equal(
        true,
      );
      expect(text).to.include(
        `    "client_tag":"TAG",\n    "client_IP_address":"127.0.0.1",\n    "client_port":"${localPort}",\n    "format":"ASCII",\n    "update_rate":0.1,\n    "variables":[\n      "w.real",\n      "w.count"\n    ]\n  }\n}`,
      );
      expect(text.endsWith('}\n]}\n')).to.equal(true);
      for (const socket of sockets) socket.destroy();
      let left = 50;
      while (left > 0)
        left = JSON.parse((await get('/api/http/vs_connections')).text).variable_server_connections.length;
    });

    it('lists the memory of the simulation', async () => {
      const { text, headers } = await get('/api/http/alloc_info?start=0&count=1');
      expect(headers['content-type']).to.equal('text/plain');
      expect(text).to.match(
        /^\{\n"alloc_total":\d+,\n"chunk_size":1,\n"chunk_start":0,\n"alloc_list":\[\n\{\n"name":"w",\n"start":"0x[0-9a-f]+",\n"end":"0x[0-9a-f]+",\n"num":"1",\n"size":"\d+",\n"type":"WSimObject",\n"stcl":"TRICK_EXTERN",\n"language":"Language_CPP",\n"index": \[\]\}\n\]\}\n$/,
      );
      const one = await dashboard();
      one.tell({ cmd: 'python', pycode: 'trick.TMM_declare_var_s("double extra[3]")' }, add('extra'));
      one.tell({ cmd: 'units', var_name: 'extra' });
      await one.next();
      const all = JSON.parse((await get('/api/http/alloc_info')).text);
      expect([all.chunk_size, all.chunk_start]).to.deep.equal([10, 0]);
      const last = JSON.parse((await get(`/api/http/alloc_info?start=${all.alloc_total - 1}&count=20`)).text);
      expect(last.chunk_size).to.equal(20);
      expect(last.alloc_list).to.have.length(1);
      expect(last.alloc_list[0]).to.include({
        name: 'extra',
        size: '24',
        num: '3',
        type: 'double',
        stcl: 'TRICK_LOCAL',
      });
      expect(last.alloc_list[0].index).to.deep.equal(['3']);
    });

    it('answers GET alone, and says so', async () => {
      expect(await get('/api/http/other')).to.include({
        status: 404,
        text: 'Error: http api other is not implemented.',
      });
      const none = 'No endpoint given.  To access the api use the /api/http/<endpoint>.';
      expect(await get('/api/http')).to.include({ status: 405, text: none });
      expect(await get('/api/http/')).to.include({ status: 405, text: none });
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect(await get('/api/http/alloc_info', { method })).to.include({
          status: 405,
          text: `${method} method not allowed`,
        });
      expect(await get('/api/http/hello')).to.include({ status: 200, text: 'own answer' });
    });
  });

  describe('the files', () => {
    it('are those of the document root', async () => {
      const start = await get('/');
      expect([start.status, start.headers['content-type'], start.text]).to.deep.equal([200, 'text/html', 'start']);
      expect((await get('/style.css')).headers['content-type']).to.equal('text/css');
      expect((await get('/large.js')).text).to.have.length(1_000_003);
      expect(await get('/apps')).to.include({ status: 301 });
      const listing = await get('/apps/');
      expect(listing.text).to.include('<a href="./a%26b.html">a&amp;b.html</a>');
      expect(await get('/apps/a%26b.html')).to.include({ status: 200, text: 'app' });
      expect(await get('/style.css', { method: 'HEAD' })).to.include({ status: 200, text: '' });
      expect(await get('/style.css', { method: 'POST' })).to.include({ status: 405 });
    });

    it('lie nowhere else', async () => {
      const paths = [
        ...['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/apps/../../outside.txt'],
        ...['/apps/%2e%2e/%2e%2e/outside.txt', '/..%5coutside.txt', '/%2e%2e%2foutside.txt', '//../outside.txt'],
        ...['/link.txt', '/up/outside.txt', '/up/', '/up', '/.secret', '/%2esecret', '/style.css%00.html', '/pipe'],
        ...['/%', '/%c0%ae%c0%ae/outside.txt', '/....//outside.txt', `/${'a/'.repeat(2000)}`, `/${'a'.repeat(5000)}`],
        ...['/.%2e/outside.txt', '/%252e%252e/outside.txt', '/apps/..%2f..%2foutside.txt', '/..;/outside.txt'],
        ...[
          '/%5c..%5coutside.txt',
          '/style.css/../../outside.txt',
          '/style.css/',
          '/link.txt/',
          '/~root',
          '/%u002e%u002e/',
        ],
        ...[
          `/${root}/outside.txt`,
          `/${encodeURIComponent(join(root, 'outside.txt'))}`,
          '/proc/self/environ',
          '/up/www/.secret',
        ],
        ...['/apps/%2e/%2e%2e/../outside.txt', '/outside.txt', '/%00', '/apps/a&b.html%2f..%2f..%2f..%2foutside.txt'],
      ];
      for (const path of paths) {
        const { status, text } = await get(path);
        expect([400, 404], path).to.include(status);
        expect(text, path).to.not.match(/^outside|hidden/);
        expect(text, path).to.match(/^.{10,200}\n?$/);
      }
      for (const path of ['/?/../outside.txt', '/?x=%2e%2e%2foutside.txt'])
        expect((await get(path)).text).to.equal('start');
    });
  });

  it('answers questions that make no sense with a list that does', async () => {
    for (const query of [
      'start=-1',
      'start=x',
      'start=1e99',
      'count=-5',
      'count=1e9',
      'count=%00',
      `start=${'9'.repeat(400)}`,
      'start&count',
      '&&&=',
      'start=1&start=2',
    ]) {
      const { status, text } = await get(`/api/http/alloc_info?${query}`);
      expect(status, query).to.equal(200);
      const { alloc_list, chunk_size, chunk_start } = JSON.parse(text);
      expect(chunk_size, query).to.be.within(0, 10_000);
      expect(chunk_start, query).to.be.at.least(0);
      expect(alloc_list.length, query).to.be.at.most(chunk_size);
    }
    for (const path of [
      '/api/http/__proto__',
      '/api/http/constructor',
      '/api/http/alloc_info/',
      '/api/http/../../outside.txt',
      '/api/http//',
      `/api/http/${'x'.repeat(5000)}`,
    ])
      expect((await get(path)).text, path).to.match(
        /^Error: http api .{0,100} is not implemented\.$|^there is nothing at/,
      );
    expect(await get('/api/http/hello')).to.include({ status: 200, text: 'own answer' });
  });

  it('refuses pages of others', async () => {
    const headers = { origin: 'https://evil.example' };
    expect(await get('/api/http/vs_connections', { headers })).to.include({ status: 403 });
    expect(await get('/', { headers: { host: 'evil.example' } })).to.include({ status: 403 });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws/VariableServer`, { headers });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).to.include('403');
    // Its own page is no other.
    const own = await Dashboard.open(port, { headers: { origin: `http://127.0.0.1:${port}` } });
    own.socket.terminate();
  });
});

describe("a server's input file", () => {
  const CASES = [
    [
      'web.server.enable = True\nweb.server.port = 0\nweb.server.debug = True\nweb.server.time_homogeneous = 1\n' +
        'web.server.ssl_enable = True\nweb.server.path_to_ssl_cert = "x.pem"\nweb.server.error_log_file = "x.log"\n',
      true,
    ],
    ['web.server.port = 0\nweb.server.document_root = "files"\n', false],
  ] as const;
  for (const [text, isOn] of CASES)
    it(`${isOn ? 'switches the web server on' : 'leaves the web server off'}`, async () => {
      const runDirectory = mkdtempSync(join(tmpdir(), 'varwire-www-input-'));
      const inputFile = join(runDirectory, 'input.py');
      writeFileSync(inputFile, `trick.real_time_enable()\n${text}`);
      const said: string[] = [];
      const log = (_: string, text: string): void => void said.push(text);
      const server = await serve(SIMULATION, { port: 0, discovery: false, inputFile, log });
      try {
        const port = portOf(server);
        expect(port > 0).to.equal(isOn);
        expect(said.filter((text) => text.includes('ssl_enable has no effect'))).to.have.length(isOn ? 1 : 0);
        if (!isOn) return;
        const { headers, text: page } = await ask({ port, path: '/' });
        expect(headers['content-type']).to.equal('text/html');
        expect(page).to.include('/api/http/vs_connections');
        const one = await Dashboard.open(port);
        one.tell(add('w.real'), { cmd: 'var_send' });
        expect((await one.values()).values).to.deep.equal([1 / 3]);
        one.socket.terminate();
      } finally {
        await server.close();
        rmSync(runDirectory, { recursive: true });
      }
    });

  it('is told of a value that does not fit', async () => {
    const runDirectory = mkdtempSync(join(tmpdir(), 'varwire-www-input-'));
    const inputFile = join(runDirectory, 'input.py');
    writeFileSync(inputFile, 'web.server.port = 70000\n');
    try {
      const refused = await serve(SIMULATION, { port: 0, discovery: false, inputFile }).catch((error: Error) => error);
      expect((refused as Error).message).to.include('web.server.port is a number from 0 to 65535, not 70000');
    } finally {
      rmSync(runDirectory, { recursive: true });
    }
  });
});

describe('a token that may only read', () => {
  it('reads, and runs no python', async () => {
    const tokens = new Map([['look', 'read-only']] as const);
    const server = await serve(SIMULATION, { port: 0, discovery: false, www: { port: 0 }, tokens });
    try {
      const headers = { authorization: 'Bearer look' };
      expect(await ask({ port: portOf(server), path: '/' })).to.include({ status: 401 });
      const one = await Dashboard.open(portOf(server), { headers });
      one.tell({ cmd: 'python', pycode: 'w.real = 1' }, add('w.real'), { cmd: 'var_send' });
      expect(await one.error()).to.equal('python: the token allows reading only\n');
      expect((await one.values()).values).to.deep.equal([1 / 3]);
      one.socket.terminate();
    } finally {
      await server.close();
    }
  });
});
