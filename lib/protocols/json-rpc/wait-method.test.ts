// var/wait: what is parked is counted, and ends with its client.
import { expect } from 'chai';
import { TestExchange, TestServer, turn } from '../../testing/aids/http-exchange.js';

const parkedAt = async (server: TestServer): Promise<string | undefined> =>
  /varwire_held\{what="parked"\} (\d+)/.exec((await server.ask({ path: '/metrics' })).body)?.[1];

const WAIT = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'var/wait',
  params: { condition: 'ball.position[1] > 1e9', timeout_ms: 600_000 },
});

describe('var/wait', () => {
  /** Posts a wait whose condition never holds. */
  async function posted(server: TestServer): Promise<TestExchange> {
    const exchange = new TestExchange({ method: 'POST', path: '/jsonrpc', body: WAIT });
    void server.router.handle(exchange);
    await turn();
    await turn();
    return exchange;
  }

  it('ends when the client of a request has gone', async () => {
    const server = new TestServer();
    await posted(server);
    const before = server.clock.pending;
    const gone = await posted(server);
    expect([server.clock.pending, await parkedAt(server)]).to.deep.equal([before + 1, '2']);
    gone.cut();
    await turn();
    expect([server.clock.pending, await parkedAt(server)]).to.deep.equal([before, '1']);
    server.ball.ticks(1);
    expect(gone.body).to.equal('');
  });

  it('ends when the client of a WebSocket has gone', async () => {
    const server = new TestServer();
    const peer = server.open();
    for (let count = 0; count < 20; count++) await peer.say(JSON.parse(WAIT));
    expect(await parkedAt(server)).to.equal('20');
    const before = server.clock.pending;
    peer.end();
    await turn();
    expect([server.clock.pending <= before - 20, await parkedAt(server)]).to.deep.equal([true, '0']);
  });

  it('is refused when its client has 1,000 that are not over', async () => {
    const server = new TestServer();
    for (let count = 0; count < 1000; count++) await posted(server);
    const { error } = (await posted(server)).json;
    expect(error).to.include({ code: -23418 });
    expect(error.message).to.include('1000 waits that are not over');
    expect(await parkedAt(server)).to.equal('1000');
  });

  it('has an error when the server ends', async () => {
    const server = new TestServer();
    const wait = await posted(server);
    server.frontEnd.close();
    await turn();
    expect(wait.json.error.message).to.equal('the simulation ended before the condition held: the server ends');
    expect(await parkedAt(server)).to.equal('0');
  });

  it('sees a condition that held for one tick, for which another client had the turns', async () => {
    const server = new TestServer();
    const { ball, clock, registry } = server;
    const body = WAIT.replace('1e9', '100');
    const exchange = new TestExchange({ method: 'POST', path: '/jsonrpc', body });
    void server.router.handle(exchange);
    for (let turns = 0; turns < 3; turns++) await turn();
    registry.turns.begin(registry.ledger.open('10.0.0.2'), () => clock.leap(5));
    const first = ball.frame.header.number + 1;
    ball.ticks(3, (tick) => ball.store('ball.position[1]', tick === 125 ? 200 : 0));
    expect(exchange.isAnswered).to.equal(false);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(exchange.json.result).to.include({ frame: first + 1, value: 200 });
  });

  it('counts frames that the source has no longer when its turn comes', async () => {
    const server = new TestServer();
    const { ball, clock, registry } = server;
    await posted(server);
    registry.turns.begin(registry.ledger.open('10.0.0.2'), () => clock.leap(5));
    ball.ticks(60);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(registry.timetable.skipped).to.equal(10);
  });
});
