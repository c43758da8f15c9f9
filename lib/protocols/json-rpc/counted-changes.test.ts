// Changes that the simulation has not answered count for their client.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';

const LIST = 100_000;

/** A simulation that does not answer until it is released. */
function setUp() {
  const ball = new TestBall((state) => {
    state.addObject('large').component('list', double(LIST));
  });
  ball.isSlow = true;
  const server = new TestServer(ball);
  const held = async (what: string): Promise<number> => {
    const { body } = await server.ask({ path: '/metrics' });
    return Number(new RegExp(`^varwire_held\\{what="${what}"\\} (\\d+)$`, 'm').exec(body)?.[1]);
  };
  return { ball, server, held };
}

describe('changes that the simulation has not answered', () => {
  it('are refused when their client has 10,000 of them, and taken again when it has answered', async () => {
    const { ball, server, held } = setUp();
    const set = { alias: 'ball.position[0]', value: 1 };
    await server.call('var/set', set);
    // As if it had asked for most of them by then.
    const [session] = server.registry.sessions;
    session?.account.take('changes', 9_998);
    await server.call('var/set', set);
    expect(await held('changes')).to.equal(10_000);
    const { error } = await server.respond('var/set', set);
    expect([error.code, error.message]).to.deep.equal([
      -23418,
      'a client may have 10000 changes that the simulation has not answered',
    ]);
    expect(ball.requests).to.have.length(2);
    ball.release();
    await turn();
    expect(await held('changes')).to.equal(9_998);
    expect(await server.call('var/set', set)).to.deep.equal({ sequence: 3 });
  });

  it('count with the bytes of their lists as memory that is kept for the client', async () => {
    const { ball, server, held } = setUp();
    const set = { alias: 'large.list', value: new Array(LIST).fill(1) };
    const before = await held('keptBytes');
    await server.call('var/set', set);
    expect(await held('keptBytes')).to.equal(before + 8 * LIST);
    for (let k = 1; k < 20; k++) await server.call('var/set', set);
    const { error } = await server.respond('var/set', set);
    expect(error.code).to.equal(-23418);
    expect(ball.requests).to.have.length(20);
    ball.release();
    await turn();
    expect(await held('keptBytes')).to.equal(before);
  });
});
