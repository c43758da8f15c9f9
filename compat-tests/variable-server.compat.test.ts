// What NASA's own suite asks of a variable server, as far as it is known, on every transport that it uses.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { endAfterFailure, ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const GROUP = '224.10.10.10';
const FIRST_PORT = 12_000 + (process.pid % 20_000);
const PORTS = { tcp: FIRST_PORT, udp: FIRST_PORT + 1, group: FIRST_PORT + 2 };

const INPUT = `
trick.var_server_set_user_tag("VAR_SERVER_TEST")
trick.var_server_create_tcp_socket("localhost", ${PORTS.tcp})
trick.var_server_create_udp_socket(trick.var_server_get_hostname(), ${PORTS.udp})
trick.var_server_create_multicast_socket("${GROUP}", "localhost", ${PORTS.group})
trick.exec_set_terminate_time(10000)
`;

/** A UDP port and a group have one session, which goes on. */
const BEFORE = 'trick.var_pause()\ntrick.var_clear()\ntrick.var_set_send_stdio(False)\n';

const NO_PORT = "clients open no port 15702: there clients of Bevy's protocol look for a server";

/** What a client sends, and all that it gets. */
const EXCHANGES: readonly (readonly [what: string, send: string, answer: string])[] = [
  ['a value', 'trick.var_send_once("vsx.vst.c")', '5\t-1234\n'],
  ['units that do not convert', 'trick.var_add("vsx.vst.c", "ft"); trick.var_send(); trick.var_clear()', '0\t-1234\n'],
  ['units of its own', 'trick.var_add("vsx.vst.e", "m"); trick.var_send(); trick.var_clear()', '0\t-123456 {m}\n'],
  ['other units', 'trick.var_add("vsx.vst.e", "ft"); trick.var_send(); trick.var_clear()', '0\t-405039 {ft}\n'],
  ['units of one', 'trick.var_add("vsx.vst.c", "1"); trick.var_send(); trick.var_clear()', '0\t-1234 {1}\n'],
  ['an array', 'trick.var_send_once("vsx.vst.n")', '5\t0,1,2,3,4\n'],
  [
    'a list with a comma at its end',
    'trick.var_send_once("vsx.vst.c, vsx.vst.m, vsx.vst.n[2],", 3)',
    '5\t-1234\t1\t2\n',
  ],
  [
    'bit fields',
    `trick.var_send_once("${['var1', 'var2', 'var3', 'var4'].map((name) => `vsx.vst.my_bitfield.${name}`)}", 4)`,
    '5\t3\t-128\t0\t2112\n',
  ],
  [
    'a text printed',
    'trick.var_set_send_stdio(True)\nsys.stdout.write("You will rejoice to hear that no disaster")',
    '4 1 41\nYou will rejoice to hear that no disaster',
  ],
  [
    'a port where another protocol is usual',
    'trick.var_set_send_stdio(True)\ntrick.var_server_create_tcp_socket("localhost", 15702)',
    `4 2 ${NO_PORT.length + 1}\n${NO_PORT}\n`,
  ],
  [
    'what may not be written',
    'trick.var_set("vsx.vst.blocked_from_input", 0)\ntrick.var_send_once("vsx.vst.blocked_from_input")',
    '5\t500\n',
  ],
  [
    'what may not be saved',
    'trick.var_set("vsx.vst.blocked_from_output", 1000)\ntrick.var_send_once("vsx.vst.blocked_from_output")',
    '5\t1000\n',
  ],
  [
    'the size of the list',
    'trick.var_add("vsx.vst.c")\ntrick.var_add("vsx.vst.e")\ntrick.var_send_list_size()',
    '3\t2\n',
  ],
  ['what exists', 'trick.var_exists("vsx.vst.c"); trick.var_exists("vsx.vst.nosuch")', '1\t1\n1\t0\n'],
];

describe("NASA's suite for variable servers", () => {
  let server: ServerHere;
  let directory: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-suite-'));
    mkdirSync(join(directory, 'RUN_test'));
    writeFileSync(join(directory, 'RUN_test/unit_test.py'), INPUT);
    const options = ['--udp', 'off', '--input', 'RUN_test/unit_test.py'];
    server = await ServerHere.start('compat-tests/fixture/variable-server.js', { options, directory });
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const connections: readonly (readonly [name: string, connect: () => Promise<WireClient>])[] = [
    ['the main port', () => WireClient.tcp(server.port)],
    ['a further port', () => WireClient.tcp(PORTS.tcp)],
    ['UDP', () => WireClient.udp(PORTS.udp)],
  ];
  for (const [name, connect] of connections) {
    it(`gets its answers on ${name}`, async () => {
      for (const [what, send, answer] of EXCHANGES) {
        const client = await connect();
        client.send(`${BEFORE}${send}\n`);
        expect((await client.bytes(answer.length)).toString('latin1'), what).to.equal(answer);
        client.drop();
      }
    });
  }

  it('gets its answers on the group when it sends to the host', async function () {
    const member = createSocket({ type: 'udp4', reuseAddr: true });
    try {
      member.bind(PORTS.group, GROUP);
      await once(member, 'listening');
      member.addMembership(GROUP, '127.0.0.1');
    } catch {
      member.close();
      this.skip();
    }
    const sender = createSocket('udp4');
    try {
      await exchangeOn(member, (text) => sender.send(text, PORTS.group, '127.0.0.1'));
    } finally {
      sender.close();
      member.close();
    }
  });

  async function exchangeOn(member: Socket, send: (text: string) => void): Promise<void> {
    for (const [what, text, answer] of EXCHANGES) {
      const messages: string[] = [];
      const enough = new Promise<void>((resolve, reject) => {
        setTimeout(reject, PATIENCE_MILLIS, new Error(`no answer on the group: ${what}`)).unref();
        member.removeAllListeners('message').on('message', (bytes) => {
          messages.push(bytes.toString('latin1'));
          if (messages.join('').length >= answer.length) resolve();
        });
      });
      send(`${BEFORE}${text}\n`);
      await enough;
      expect(messages.join(''), what).to.equal(answer);
    }
  }

  it('goes on after an exception of the simulation', async () => {
    const client = await WireClient.tcp(server.port);
    client.send('trick.var_pause()\ntrick.var_set_send_stdio(True)\nvsx.vst.throw_exception()\n');
    await client.through((text) => /throw_exception failed: that was asked for\n4 2 0\n$/.test(text), 'the error');
    client.send('trick.var_send_once("trick_sys.sched.mode")\n');
    expect(await client.line()).to.equal('5\t5');
    client.close();
  });

  it('ends the run with the code that a client gives', async () => {
    const own = await ServerHere.start('compat-tests/fixture/variable-server.js', {
      options: ['--udp', 'off', '--no-discovery'],
    });
    const client = await WireClient.tcp(own.port);
    client.send('trick.exec_terminate_with_return(1, "test.cpp", 7, "failed")\n');
    await own.ended;
    await own.stop();
    client.drop();
    expect(own.output).to.match(/terminated with code 1: failed \(test\.cpp, line 7\)(.|\n)*\[exit 1\]/);
  });
});
