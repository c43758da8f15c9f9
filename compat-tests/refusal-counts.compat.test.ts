// What the server refuses on its port is counted in /metrics, whatever spoke there.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { LIMITS } from '../lib/model/bounds/limits.js';
import { post } from './http-client.js';
import { ServerHere } from './launch.js';

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

describe('refusals', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--krpc', '127.0.0.1:0'],
    });
  });
  after(() => server.stop());

  /** What comes until the server closes, or until it is enough. */
  async function ask(text: string, isEnough: (heard: string) => boolean = () => false): Promise<string> {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    const closed = once(socket, 'close');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
      if (isEnough(heard)) socket.destroy();
    });
    socket.write(Buffer.from(text, 'latin1'));
    await closed;
    return heard;
  }

  const get = (path: string, more = ''): Promise<string> =>
    ask(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more || 'Connection: close\r\n'}\r\n`);

  it('and what is held have a metric for each row of the table of limits', async () => {
    // Protocols that nobody speaks are not loaded.
    const call = { jsonrpc: '2.0', id: 1, method: 'world.list_components', params: {} };
    await post(server.port, JSON.stringify(call));
    const metrics = await get('/metrics');
    const lacking = Object.values(LIMITS).filter(({ metric = '' }) => {
      // A code is shown once there was an error with it, and a status once there was such an answer.
      const sample = /code|status/.test(metric) ? metric.replace(/\{.*/, '') : metric;
      return !metrics.includes(sample);
    });
    expect(lacking).to.deep.equal([]);
  });

  it('of HTTP count by their status', async () => {
    await get('/nowhere');
    await get('/nowhere');
    await get('/healthz');
    await get('/nowhere', UPGRADE);
    expect(await get('/ws', UPGRADE.replace('Key: dG', 'Key: '))).to.match(
      /^HTTP\/1.1 400[\s\S]*no handshake of a WebSocket/,
    );
    expect(await get('/ws', UPGRADE.replace('Version: 13', 'Version: 12'))).to.match(
      /^HTTP\/1.1 426[\s\S]*Sec-WebSocket-Version: 13, 8/,
    );
    await get('/healthz', `x-long: ${'x'.repeat(20_000)}\r\n`);
    await ask('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    await post(server.port, Buffer.alloc(1_100_000, ' '));
    const metrics = await get('/metrics');
    const counted = [...metrics.matchAll(/^varwire_http_refusals_total\{status="(\d+)"\} (\d+)$/gm)];
    expect(counted.map(([, status, count]) => `${status}: ${count}`).sort()).to.deep.equal([
      '400: 1',
      '404: 3',
      '413: 1',
      '426: 1',
      '431: 1',
      '505: 1',
    ]);
  });

  it('of a message of a WebSocket that is too long count as held back', async () => {
    // A frame that announces 2 MB.
    const frame = '\x81\xff\0\0\0\0\0\x20\0\0';
    await ask(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n${UPGRADE}\r\n${frame}\0\0\0\0`);
    expect(await get('/metrics')).to.match(/^varwire_held_back_total\{bound="message_bytes"\} 1$/m);
    expect(server.output).to.match(/sent a WebSocket message that is too long, and was closed/);
  });

  it('of a request of kRPC that is too long, and of TLS on a plain port, count as held back', async () => {
    const counted = async (bound: string): Promise<number> =>
      Number(
        new RegExp(`^varwire_held_back_total\\{bound="${bound}"\\} (\\d+)$`, 'm').exec(await get('/metrics'))?.[1],
      );
    const before = [await counted('message_bytes'), await counted('handshakes')] as const;
    const socket = connect(server.krpcPorts.rpc, '127.0.0.1').on('error', () => undefined);
    // The request for a connection, and the length of a message of 2 MB.
    socket.resume().write(Buffer.from([2, 8, 0, 0x80, 0x80, 0x80, 1]));
    await once(socket, 'close');
    expect(await ask('\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03')).to.have.length(7);
    expect([await counted('message_bytes'), await counted('handshakes')]).to.deep.equal(before.map((one) => one + 1));
  });

  it('of a handshake of kRPC count as its errors', async () => {
    const socket = connect(server.krpcPorts.rpc, '127.0.0.1').on('error', () => undefined);
    socket.resume().write('\x02no');
    await once(socket, 'close');
    expect(await get('/metrics')).to.match(/^varwire_errors_total\{code="krpc"\} 1$/m);
  });

  it('of Trick count as exceptions of blocks and as warnings in the log', async () => {
    const bad = connect(server.port, '127.0.0.1').on('error', () => undefined);
    bad.write('nonsense(\n');
    await ask('trick.var_add("ball.nothing")\ntrick.var_exists("ball.position")\n', (heard) => heard.includes('\t1'));
    let metrics = '';
    while (!metrics.includes('varwire_errors_total{code="exception"} 1\n')) metrics = await get('/metrics');
    expect(metrics).to.match(/^varwire_errors_total\{code="warning"\} 1$/m);
    bad.destroy();
  });
});
