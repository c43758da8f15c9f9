// SIGTERM while clients of every protocol have reads, waits, polls and streams open that never end by themselves.
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { millisToEnd, mostMillisToEnd } from './end-in-time.js';
import { call, KrpcClient } from './krpc/client.js';
import { text } from './krpc/values.js';
import { endAfterFailure, LaunchedServer } from './launch.js';

const TARGET = new URL('./attacks/target.js', import.meta.url);
const EACH = 10;
/** What never changes. */
const LABEL = 'target::target::label';
const POLL = { data: { components: [LABEL] }, filter: { changed: [LABEL] } };

describe('the end of a server', () => {
  let server: LaunchedServer;
  let mostMillis: number;
  before(async () => {
    const options = ['--no-discovery', '--brp', '127.0.0.1:0', '--krpc', '127.0.0.1:0'];
    mostMillis = await mostMillisToEnd(TARGET, { options });
    server = await LaunchedServer.start(TARGET, { options });
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });

  const ended: Promise<void>[] = [];
  /** Resolves when the client has got something; its end is waited for later. */
  const opened = (begin: (heard: () => void, over: () => void) => void): Promise<void> =>
    new Promise((heard) => {
      ended.push(new Promise((over) => begin(heard, over)));
    });

  const reads = (): Promise<void> =>
    opened((heard, over) => {
      const socket = connect(server.port, '127.0.0.1');
      socket
        .on('data', () => socket.pause() && heard())
        .on('error', over)
        .on('close', over);
      socket.on('end', over);
      socket.write('trick.var_add("target.position")\ntrick.var_cycle(0.001)\n');
    });

  function post(port: number, path: string, method: string, params: object): Promise<void> {
    return opened((heard, over) => {
      const headers = { accept: 'application/json, text/event-stream' };
      const asked = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent: false });
      asked.on('response', (answer) => answer.resume().on('data', heard).on('error', over).on('close', over));
      asked.on('error', over);
      asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      // A wait says nothing before its end.
      setTimeout(heard, 1000);
    });
  }

  async function krpcStream(): Promise<void> {
    const client = await KrpcClient.tcp(server.krpcPorts);
    await client.addStream(call('VarServer', 'Get', text('target.position[0]'), text('')));
    await client.update();
    ended.push(client.rpc.next().then(() => undefined));
  }

  it('comes after SIGTERM, with sixty clients of every protocol open', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'brp.poll', params: POLL });
    const polled = await fetch(`http://127.0.0.1:${server.brpPort}/`, { method: 'POST', body });
    const { result } = (await polled.json()) as { result: { watermark: string; entities: { entity: number }[] } };
    const { watermark, entities } = result;
    let over = 0;
    const all = Array.from({ length: EACH }, () => [
      reads(),
      post(server.port, '/jsonrpc', 'var/wait', { condition: 'target.position[0] < 0', timeout_ms: 600_000 }),
      post(server.port, '/jsonrpc', 'var/subscribe', { aliases: ['target.position'] }),
      post(server.brpPort, '/', 'brp.poll', { ...POLL, watermark, timeout_ms: 600_000 }),
      post(server.brpPort, '/', 'world.get_components+watch', { entity: entities[0]?.entity, components: [LABEL] }),
      krpcStream(),
    ]);
    await Promise.all(all.flat());
    for (const one of ended) void one.then(() => over++);
    await new Promise(setImmediate);
    expect([ended.length, over]).to.deep.equal([6 * EACH, 0]);
    expect(await millisToEnd(server)).to.be.below(mostMillis);
    expect(server.output).to.include('[exit 0]');
  });
});
