// What a web page of any origin can send to the ports where HTTP is not spoken: nothing of it runs.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { RunningServer } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { ask } from './asking.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const AT = { host: '127.0.0.1', port: 0 };
const BODY = 'ball.velocity[0] = 7\ntrick.exec_freeze()\n';

describe('a web page of another origin', () => {
  let server: RunningServer;
  const lines: string[] = [];
  before(async () => {
    server = await serveHere(BALL, {
      port: 0,
      http: 0,
      tcp: [AT],
      krpc: AT,
      messages: 0,
      discovery: false,
      log: (level, text) => void lines.push(`${level}: ${text}`),
    });
    const [client] = [connect(server.port, AT.host)];
    client.write('trick.var_server_create_tcp_socket("127.0.0.1", 0)\ntrick.var_exists("ball")\n');
    await once(client, 'data');
    while (portsNamed('tcp').length < 2) await delay(5);
    client.destroy();
  });
  after(() => server.close());

  const portsNamed = (...names: string[]): number[] =>
    server.endpoints.filter(({ name }) => names.includes(name)).map(({ port }) => port);
  const textPorts = (): number[] => portsNamed('trick', 'tcp');
  const isUntouched = async (): Promise<void> => {
    expect(await server.get('ball.velocity[0]')).to.equal(0);
    expect(await server.get('trick_sys.sched.mode')).to.equal(5);
  };

  /** What comes back until the server closes. */
  async function answerTo(port: number, pieces: readonly string[]): Promise<string> {
    const socket = connect({ port, host: AT.host, noDelay: true }).on('error', () => undefined);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const piece of pieces) {
      if (!socket.destroyed) socket.write(piece, 'latin1');
      if (pieces.length > 1) await delay(2);
    }
    await closed;
    return text;
  }

  it('posts what would be Trick text, and is closed on every text port before anything of it runs', async () => {
    expect(textPorts()).to.have.length(3);
    for (const port of textPorts()) {
      const answer = await ask({ port, body: BODY, headers: { 'content-type': 'text/plain' } }).catch(
        ({ code }: NodeJS.ErrnoException) => code,
      );
      expect(answer).to.equal('ECONNRESET');
      await isUntouched();
    }
  });

  it('is closed whatever the method, and wherever its first line is cut', async () => {
    const [port] = portsNamed('tcp') as [number];
    const line = 'POST /a HTTP/1.1\r\n';
    const requests = [
      ...Array.from(line, (_, cut) => [line.slice(0, cut), `${line.slice(cut)}Host: x\r\n\r\n${BODY}`]),
      [`BREW /pot HTTP/1.1\r\n\r\n${BODY}`],
      [`GET /?${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n${BODY}`],
      [`GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n${BODY}`],
      ['\x16', `\x03\x01\x02\n${BODY}`],
    ];
    const answers = await Promise.all(requests.map((pieces) => answerTo(port, pieces)));
    expect(answers.join('')).to.equal('');
    await isUntouched();
    const warnings = lines.filter((line) => line.startsWith('warning'));
    expect(warnings.length, warnings.join('\n')).to.be.within(1, 4);
    expect(warnings[0]).to.match(
      /^warning: 127\.0\.0\.1:\d+ was disconnected: it began as a web browser does, with HTTP or TLS, where neither is spoken/,
    );
  });

  it("is closed on kRPC's ports and on that of messages", async () => {
    const ports = server.endpoints.filter(({ name }) => /krpc|messages/.test(name));
    expect(ports.length).to.be.above(1);
    // kRPC's WebSockets have these ports too, so HTTP is answered there.
    const request = `POST / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n${BODY}`;
    for (const { port } of ports) expect(await answerTo(port, [request])).to.match(/^$|^HTTP\/1\.1 40[034] /);
  });

  it('is no text of Trick that begins with a word of HTTP', async () => {
    for (const port of textPorts())
      for (const text of ['GET = 1\n', 'POST = 3\nPOST /= 2\n', 'HEAD = "/ HTTP/1.1"\n']) {
        const socket = connect(port, AT.host);
        socket.write(text);
        socket.write('trick.var_exists("ball.velocity[0]")\n');
        expect(String(await once(socket, 'data'))).to.equal('1\t1\n');
        socket.destroy();
      }
  });

  it('still speaks HTTP where it is spoken, and nothing else on the same port when both are', async () => {
    const both = await serveHere(BALL, { port: 0, discovery: false, messages: 'off', brp: 'off' });
    expect((await ask({ port: both.port, path: '/healthz' })).status).to.equal(200);
    expect(await answerTo(both.port, [`BREW /pot HTTP/1.1\r\n\r\n${BODY}`])).to.equal('');
    expect(await both.get('trick_sys.sched.mode')).to.equal(5);
    await both.close();
  });
});
