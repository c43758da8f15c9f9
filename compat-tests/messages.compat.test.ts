// What readers of the message port, members of a multicast group and clients that close their side get of a real server.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { endAfterFailure, ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const GROUP = '224.10.10.10';

describe('a running server', () => {
  let server: ServerHere;
  let directory: string;
  let groupPort: number;

  before(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'varwire-messages-')));
    groupPort = 11_000 + (process.pid % 20_000);
    const options = ['--udp', 'off', '--multicast', `${GROUP}:${groupPort}`, '--host', 'localhost'];
    server = await ServerHere.start('sims/ball.js', { options, directory });
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  /** What a client gets that sends a text and closes its side at once. */
  async function halfClosed(text: string): Promise<string> {
    const socket = connect(server.port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.end(text);
    await once(socket, 'close');
    return heard;
  }

  async function read(name: string): Promise<string> {
    return (await halfClosed(`trick.var_send_once("${name}")\n`)).slice(2).trimEnd();
  }

  /** It is 0 until the simulation has been told of it, between two frames. */
  async function messagePort(client: WireClient): Promise<number> {
    for (;;) {
      client.send('trick.var_send_once("trick_message.mdevice.port")\n');
      const port = Number((await client.line()).slice(2));
      if (port > 0) return port;
    }
  }

  it('tells readers of messages what Trick tells them, in its words', async () => {
    const client = await WireClient.tcp(server.port);
    const reader = await WireClient.tcp(await messagePort(client));
    // The server has taken both connections when it has answered.
    await read('time');
    const awaited: readonly (readonly [command: string, level: number, text: RegExp])[] = [
      ['trick.exec_freeze()', 1, /\x1b\[32mFreeze ON\. Simulation time holding at \d+\.\d{6} seconds\.\n\x1b\[00m/],
      ['trick.exec_run()', 1, /\x1b\[32mFreeze OFF\.\n\x1b\[00m/],
      ['trick.var_add("nope.x")', 3, /\x1b\[31mVariable Server could not find variable nope\.x \(.*\)\.\n\x1b\[00m/],
      ['trick.checkpoint("m.chk")', 1, /\x1b\[32mDumped ASCII Checkpoint m\.chk\.\n\x1b\[00m/],
      ['trick.message_publish(trick.MSG_DEBUG, "deep")', 10, /\x1b\[36mdeep\n\x1b\[00m/],
      ['trick.message_publish(0, "plain\\n")', 0, /\x1b\[00mplain\n\x1b\[00m/],
    ];
    for (const [command, level, text] of awaited) {
      client.send(`${command}\n`);
      const heard = await reader.through((received) => text.test(received), String(text));
      expect(heard).to.match(new RegExp(`\\|L ${String(level).padStart(3)}\\|[^\\x1b]*${text.source}$`));
    }
    client.drop();
    reader.drop();
  });

  it('answers a client that closes its side at once: values, refusals of the simulation, a long file', async () => {
    expect(await halfClosed('trick.var_exists("ball")\n')).to.equal('1\t1\n');
    expect(await halfClosed('trick.var_set_send_stdio(True)\ntrick.load_checkpoint("none")\n')).to.match(
      /^4 2 \d+\nnone cannot be read: .*\n$/,
    );
    expect(await halfClosed('trick.var_set_send_stdio(True)\ntrick.exec_set_software_frame(-1)\n')).to.match(
      /^4 2 \d+\na software frame is a time/,
    );
    expect((await halfClosed('trick.send_sie_resource()\n')).endsWith('</sie>\n')).to.equal(true);
  });

  it('says in its variables that it runs in the working directory', async () => {
    expect(await read('trick_cmd_args.cmd_args.default_dir')).to.equal(directory);
  });

  it('takes a datagram to the host as one to the group, and answers the group', async function () {
    const member = createSocket({ type: 'udp4', reuseAddr: true });
    try {
      member.bind(groupPort, GROUP);
      await once(member, 'listening');
      member.addMembership(GROUP, '127.0.0.1');
    } catch {
      member.close();
      this.skip();
    }
    const sender = createSocket('udp4');
    try {
      const answer = once(member, 'message', { signal: AbortSignal.timeout(PATIENCE_MILLIS) });
      sender.send('trick.var_exists("ball")\n', groupPort, 'localhost');
      expect(String((await answer)[0])).to.equal('1\t1\n');
    } finally {
      sender.close();
      member.close();
    }
  });

  it('opens ports at localhost and at its own name', async () => {
    const at = groupPort + 1;
    const asked = [`tcp_socket("localhost", ${at})`, `tcp_socket("${hostname()}", ${at + 1})`];
    asked.push(`udp_socket("${hostname()}", ${at + 2})`, `multicast_socket("${GROUP}", "localhost", ${at + 3})`);
    const text = asked.map((call) => `trick.var_server_create_${call}\n`).join('');
    expect(await halfClosed(`trick.var_set_send_stdio(True)\n${text}`)).to.equal('');
    for (const port of [at, at + 1]) {
      const client = await onceListening(port);
      client.send('trick.var_exists("ball")\n');
      expect(await client.line()).to.equal('1\t1');
      client.close();
    }
  });
  /** A port is opened once its name has been looked up, which may take longer than the answer. */
  async function onceListening(port: number): Promise<WireClient> {
    for (;;) {
      const client = await WireClient.tcp(port).catch(() => undefined);
      if (client) return client;
    }
  }

  it('tells readers of messages why the run ends', async () => {
    const own = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'], directory });
    const client = await WireClient.tcp(own.port);
    const reader = await WireClient.tcp(await messagePort(client));
    // The server has taken the reader's connection when it has answered.
    client.send('trick.var_exists("ball")\n');
    await client.line();
    client.send('trick.exec_terminate_with_return(0, "main.py", 7, "enough")\n');
    await reader.through((received) => /the simulation has ended: .*enough/.test(received), 'the reason');
    await own.ended;
    await own.stop();
    for (const wire of [client, reader]) wire.drop();
  });

  it('leaves nc with its answer', (done) => {
    const command = `printf 'trick.var_exists("ball")\\n' | nc -q3 127.0.0.1 ${server.port}`;
    execFile('sh', ['-c', command], (_, answer, complaint) => {
      if (/not found|invalid option/.test(complaint)) return done();
      done(answer === '1\t1\n' ? undefined : new Error(`${answer}${complaint}`));
    });
  });
});
