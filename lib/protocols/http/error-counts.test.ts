// The errors that clients got, in /metrics.
import { expect } from 'chai';
import { TestExchange, TestServer, turn } from '../../testing/aids/http-exchange.js';

describe('counts of errors', () => {
  it('are those that clients got, by code', async () => {
    const server = new TestServer();
    for (const [method, aliases] of [
      ['var/get', ['no.such']],
      ['var/get', 7],
      ['no/such', []],
      ['no/such', []],
    ] as const)
      await server.call(method, { aliases }).catch(() => undefined);
    const { body } = await server.ask({ path: '/metrics' });
    for (const line of ['{code="-23402"} 1', '{code="-32602"} 1', '{code="-32601"} 2'])
      expect(body).to.include(`varwire_errors_total${line}\n`);
  });

  it('are none for those who have gone, nor for notifications', async () => {
    const server = new TestServer();
    const params = { condition: 'ball.position[0] > 1e9', timeout_ms: 60_000 };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/wait', params });
    const waiting = new TestExchange({ method: 'POST', path: '/jsonrpc', body });
    const handled = server.router.handle(waiting);
    for (let k = 0; k < 5; k++) await turn();
    waiting.cut();
    await handled;
    await server.post('{"jsonrpc":"2.0","method":"no/such"}');
    expect((await server.ask({ path: '/metrics' })).body).not.to.match(/^varwire_errors_total\{/m);
  });
});
