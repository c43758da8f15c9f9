// Trick's web server over real sockets: each command and message of its WebSocket, and a page in a browser.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { type RunningServer, serve } from '../lib/index.js';
import { Chromium } from './chromium.js';
import { add, Dashboard, portOf } from './web-dashboard.js';

const SIMULATION = new URL('./fixture/web-values.js', import.meta.url);
const PAGE = `<!doctype html><title>cannon</title><pre id="out"></pre><script>
const socket = new WebSocket('ws://' + location.host + '/api/ws/VariableServer', 'myProtocol');
const tell = (message) => socket.send(JSON.stringify(message));
socket.onopen = () => {
  tell({ cmd: 'var_cycle', period: 100 });
  for (const name of ['w.count', 'w.list[0]', 'w.real', 'w.nosuch']) tell({ cmd: 'var_add', var_name: name });
  tell({ cmd: 'var_unpause' });
};
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.msg_type === 'values') document.getElementById('out').textContent = message.values.slice(1).join(' ');
};
</script>`;

describe("the WebSocket of Trick's web server", () => {
  let server: RunningServer;
  let port: number;
  let directory: string;
  const dashboards: Dashboard[] = [];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-www-'));
    writeFileSync(join(directory, 'index.html'), PAGE);
    server = await serve(SIMULATION, {
      port: 0,
      discovery: false,
      www: { port: 0, directory },
      wwwHandlers: {
        webSockets: {
          echo: (peer) => peer.listen({ data: (message) => void peer.write(message, 'text'), close: () => undefined }),
        },
      },
    });
    port = portOf(server);
  });
  afterEach(() => {
    for (const { socket } of dashboards.splice(0)) socket.terminate();
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  async function dashboard(): Promise<Dashboard> {
    const opened = await Dashboard.open(port);
    dashboards.push(opened);
    return opened;
  }

  it('takes any subprotocol', async () => {
    expect((await dashboard()).socket.protocol).to.equal('myProtocol');
  });

  it('sends values once, each as Trick writes it and always as JSON', async () => {
    const one = await dashboard();
    const names = 'letter bell byte long on off single real nan infinite color flag name nothing list grid null'.split(
      ' ',
    );
    one.tell(...names.map((name) => add(`w.${name}`)), { cmd: 'var_send' });
    const text = await one.next();
    expect(text).to.match(/^\{ "msg_type" : "values",\n {2}"time" : [\d.]+,\n {2}"values" : \[\n/);
    expect(text.slice(text.indexOf('[\n') + 2)).to.equal(
      `${[
        '"c"',
        '"\\\\x1b"',
        '200',
        '12',
        '"true"',
        '"false"',
        '0.1',
        '0.3333333333333333',
        '"NAN"',
        '"-inf"',
        '7',
        '"Error"',
        '"say \\"x\\"\\n"',
        '""',
        '5',
        '0',
        '"Error"',
      ].join(',\n')}]}\n`,
    );
    expect(JSON.parse(text).values).to.have.length(names.length);
  });

  it('keeps what it cannot show as "Error"', async () => {
    const one = await dashboard();
    one.tell(add('w.nosuch'), add('w.point'), add('w.steps'), add('w.point.x'), { cmd: 'var_send' });
    expect(await one.error()).to.equal('Variable Server could not find variable w.nosuch.\n');
    expect(await one.error()).to.equal(
      'Variable Server: var_add cant add "w.point" because its a composite variable.\n',
    );
    expect(await one.error()).to.equal('Variable Server: var_add cant add "w.steps" because its an STL variable.\n');
    expect((await one.values()).values).to.deep.equal(['Error', 'Error', 'Error', 0]);
    one.tell({ cmd: 'var_clear' }, { cmd: 'var_send' });
    expect((await one.values()).values).to.deep.equal([]);
  });

  it('sends on a cycle from the first unpause on, at multiples of the period', async () => {
    const one = await dashboard();
    one.tell(add('w.count'), { cmd: 'var_cycle', period: 40 }, { cmd: 'var_unpause' });
    const times = [];
    for (let k = 0; k < 5; k++) times.push(Math.round(1000 * (await one.values()).time));
    // The first may be late, as in Trick: what was due in the pause leaves at once.
    for (const millis of times.slice(1)) expect(millis % 40).to.equal(0);
    one.tell({ cmd: 'var_pause' }, { cmd: 'units', var_name: 'w.count' });
    while (!(await one.next()).includes('"units"'));
    // Nothing more comes, or it would come before the answer.
    one.tell({ cmd: 'python', pycode: 'w.list[2] = 1' }, { cmd: 'units', var_name: 'w.count' });
    expect(await one.next()).to.include('"units"');
  });

  it('sends in a freeze too', async () => {
    const one = await dashboard();
    one.tell({ cmd: 'python', pycode: 'trick.exec_freeze()' }, add('w.count'), { cmd: 'var_cycle', period: 20 });
    one.tell({ cmd: 'var_unpause' });
    let before = await one.values();
    for (let same = 0; same < 3; ) {
      const now = await one.values();
      same = now.time === before.time ? same + 1 : 0;
      before = now;
    }
    one.tell({ cmd: 'python', pycode: 'trick.exec_run()' });
    while ((await one.values()).time === before.time);
  });

  it('runs python, of which what comes next sees the effect', async () => {
    const one = await dashboard();
    one.tell({ cmd: 'python', pycode: 'w.list[1] = 41\r\nw.list[1] = w.list[1] + 1\r\n' }, add('w.list[1]'));
    one.tell({ cmd: 'var_send' });
    expect((await one.values()).values).to.deep.equal([42]);
    one.tell({ cmd: 'python', pycode: 'w.list[1] = undefined_name' });
    expect(await one.error()).to.match(/NameError: name 'undefined_name' is not defined/);
    one.tell({ cmd: 'python', pycode: 'import socket\nsocket.create_connection(1)' });
    expect(await one.error()).to.match(/Error/);
  });

  it("does what the dashboard's buttons ask for, as the operator's own tools show it", async () => {
    const one = await dashboard();
    const press = async (...texts: string[]): Promise<readonly unknown[]> => {
      one.tell(...texts.map((pycode) => ({ cmd: 'python', pycode })), { cmd: 'var_send' });
      return (await one.values()).values;
    };
    one.tell(add('trick_real_time.rt_sync.active'), add('trick_sys.sched.mode'));
    expect(await press('trick.real_time_disable()')).to.deep.equal(['false', 5]);
    expect(await press('trick.real_time_enable()')).to.deep.equal(['true', 5]);
    expect(await press('trick.exec_freeze()')).to.deep.equal(['true', 1]);
    expect(await press('trick.exec_run()', 'trick.dr_disable()', 'trick.dr_enable()')).to.deep.equal(['true', 5]);
    const own = await serve(SIMULATION, { port: 0, discovery: false, www: { port: 0 } });
    const last = await Dashboard.open(portOf(own));
    last.tell({ cmd: 'python', pycode: 'trick.stop()' });
    await own.ended;
    await own.close();
  });

  it('tells units of what is in the list', async () => {
    const one = await dashboard();
    one.tell(add('w.real'), add('w.count'), { cmd: 'units', var_name: 'w.real' });
    one.tell({ cmd: 'units', var_name: 'w.count' }, { cmd: 'units', var_name: 'w.list' });
    expect(await one.next()).to.equal('{ "msg_type": "units", "var_name": "w.real", "data": "m"}');
    expect(JSON.parse(await one.next()).data).to.equal('--');
    expect(await one.error()).to.equal(
      'Variable Server: var_units cannot get units for "w.list" because it must be added to the variable server first\n',
    );
  });

  it('sends the resource file as JSON', async () => {
    const one = await dashboard();
    one.tell({ cmd: 'sie' });
    const text = await one.next();
    expect(text).to.match(/^\{ "msg_type": "sie", "data": \{/);
    const { classes, enumerations, top_level_objects: objects } = JSON.parse(text).data;
    const object = objects.find(({ name }: { name: string }) => name === 'w');
    expect(object).to.deep.equal({ name: 'w', type: 'WSimObject', alloc_memory_init: '0' });
    const { members } = classes.find(({ name }: { name: string }) => name === 'WSimObject');
    const member = (wanted: string) => members.find(({ name }: { name: string }) => name === wanted);
    expect(member('real')).to.deep.equal({
      name: 'real',
      type: 'double',
      io_attributes: '15',
      units: 'm',
      description: 'é',
    });
    expect(member('grid').dimensions).to.deep.equal(['2', '2']);
    expect(member('null').dimensions).to.deep.equal(['0']);
    expect(member('point').type).to.equal('ns__Point');
    expect(enumerations.find(({ name }: { name: string }) => name === 'Color').pairs).to.deep.equal([
      { label: 'RED', value: '3' },
      { label: 'GREEN', value: '7' },
    ]);
  });

  it('knows no other command, and no end but that of the socket', async () => {
    const one = await dashboard();
    one.tell({ cmd: 'var_exit' }, { cmd: 'fly' }, { var_name: 'w.count', cmd: 'var_add' }, { cmd: 'var_send' });
    expect(await one.next()).to.equal(
      `{ "msg_type" : "error",\n  "error" : ${JSON.stringify('Unknown Command: "fly".\n')}}\n`,
    );
    expect((await one.values()).values).to.have.length(1);
  });

  it('is the only socket but those of the program', async () => {
    const other = new WebSocket(`ws://127.0.0.1:${port}/api/ws/Other`);
    const [error] = (await once(other, 'error')) as [Error];
    expect(error.message).to.include('404');
    const own = new WebSocket(`ws://127.0.0.1:${port}/api/ws/echo`);
    await once(own, 'open');
    own.send('hello');
    expect(String((await once(own, 'message'))[0])).to.equal('hello');
    own.terminate();
  });

  it('answers what is wrong with a sentence, and goes on', async () => {
    const one = await dashboard();
    const hostile: (object | string | Buffer)[] = [
      ...['', '{', '[]', 'null', '"x"', '5', '{"cmd":', '{"cmd":5}', '{"cmd":null}', `${'['.repeat(5000)}`],
      ...[
        '{"cmd":"__proto__"}',
        '{"cmd":"constructor"}',
        '{"__proto__":{"cmd":"sie"}}',
        `{"cmd":"${'x'.repeat(9000)}"}`,
      ],
      ...[add(''), add('w'), add('w.list[99]'), add('w..real'), add(`w.${'x'.repeat(5000)}`), { cmd: 'var_add' }],
      ...[
        { cmd: 'var_add', var_name: 5 },
        { cmd: 'var_add', var_name: ['w.real'] },
      ],
      ...[{ cmd: 'var_cycle' }, { cmd: 'var_cycle', period: -1 }, { cmd: 'var_cycle', period: 'x' }],
      ...[{ cmd: 'var_cycle', period: 1e300 }, { cmd: 'units' }, { cmd: 'units', var_name: {} }],
      ...[{ cmd: 'python' }, { cmd: 'python', pycode: 'x'.repeat(300_000) }, { cmd: 'python', pycode: 'a\0b' }],
      ...[
        { cmd: 'python', pycode: 'while True: pass' },
        { cmd: 'python', pycode: 'open("/etc/passwd")' },
      ],
      ...[Buffer.from([0xff, 0xfe]), Buffer.alloc(0)],
    ];
    expect(hostile).to.have.length.above(30);
    for (const message of hostile) {
      one.tell(message);
      expect(await one.error(), JSON.stringify(message).slice(0, 80)).to.match(/^.{5,}/);
    }
    one.tell({ cmd: 'var_clear' });
    one.tell(...Array.from({ length: 1001 }, () => add('w.real')), { cmd: 'var_send' });
    expect(await one.error()).to.match(/at most 1000 variables/);
    expect((await one.values()).values).to.have.length(1000);
    one.tell('x'.repeat(2_000_000));
    expect((await once(one.socket, 'close'))[0]).to.equal(1009);
    const other = await dashboard();
    other.tell(add('w.real'), { cmd: 'var_send' });
    expect((await other.values()).values).to.deep.equal([1 / 3]);
  });

  it('ends with frames that are none, and ends nobody else', async () => {
    const other = await dashboard();
    const frames = {
      'an opcode that there is not': [0x83, 0x80, 0, 0, 0, 0],
      'no mask': [0x81, 0x02, 0x68, 0x69],
      'a bit that nobody has agreed on': [0xc1, 0x80, 0, 0, 0, 0],
      'more of what has not begun': [0x80, 0x80, 0, 0, 0, 0],
      'a length of 10 MB': [0x81, 0xff, 0, 0, 0, 0, 0, 0x98, 0x96, 0x80, 0, 0, 0, 0],
      'a length beyond all numbers': [0x81, 0xff, ...Array(8).fill(0x7f), 0, 0, 0, 0],
      'a ping in pieces': [0x09, 0x80, 0, 0, 0, 0],
      'a long ping': [0x89, 0xfe, 1, 0, 0, 0, 0, 0],
      'a code of an end that there is not': [0x88, 0x82, 0, 0, 0, 0, 0, 1],
      'text that is no text': [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
    };
    for (const [what, bytes] of Object.entries(frames)) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws/VariableServer`).on('error', () => undefined);
      const [{ socket: wire }] = (await once(socket, 'upgrade')) as [{ socket: Socket }];
      wire.write(Buffer.from(bytes));
      await once(socket, 'close');
      other.tell({ cmd: 'fly' });
      expect(await other.error(), what).to.equal('Unknown Command: "fly".\n');
    }
  });

  it('serves a page written for Trick', async function () {
    const browser = await Chromium.openOrSkip(this);
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction("document.getElementById('out').textContent.startsWith('5 0.333')");
      expect(await page.textContent('#out')).to.match(/ Error$/);
      await page.close();
    } finally {
      await browser.close();
    }
  });
});
