// Calls that make frames of a large state carry much wait for their turn, as reads of all protocols do.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { simulation } from '../../../simulation/executive/simulation.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import { bytesOf, call, KrpcFixture, type KrpcTestClient } from '../../../testing/aids/krpc-server.js';
import { listOf, STRING } from '../values/type.js';

/** Of the doubles so many are in a page of their own. */
const [PAGES, DOUBLES_IN_PAGE] = [400, 512];
const LARGE = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('many', double(PAGES * DOUBLES_IN_PAGE));
});

const manyOf = (count: number) => {
  const names = Array.from({ length: count }, (_, k) => `box.many[${DOUBLES_IN_PAGE * k}]`);
  return call('VarServer', 'GetMany', bytesOf(listOf(STRING), names), bytesOf(STRING, ''));
};

describe("a kRPC client's calls to a large state", () => {
  let fixture: KrpcFixture;
  let client: KrpcTestClient;
  beforeEach(async () => {
    fixture = await KrpcFixture.start(LARGE);
    client = fixture.connect();
    await fixture.ticks(3);
  });
  afterEach(() => fixture.close());

  const held = () => [fixture.registry.ledger.held('largeReads'), fixture.registry.largeReads.held];
  /** Stays until `leave` is called. */
  const somebodyElse = () => fixture.registry.largeReads.enter({ network: '127.0.0.1' });
  const ticks = async (count: number): Promise<void> => {
    await fixture.ticks(count);
    for (let k = 0; k < 20; k++) await turn();
  };

  it('wait for their turn when they need more than 1 MB, and others do not', async () => {
    const { leave } = somebodyElse();
    let isAnswered = false;
    const asking = client.ask(manyOf(PAGES)).then((answer) => {
      isAnswered = true;
      return answer;
    });
    const little = fixture.connect().ask(manyOf(200));
    await ticks(5);
    expect([isAnswered, ...held()]).to.deep.equal([false, 1, 1]);
    expect((await little).results[0]?.error).to.equal(undefined);
    leave();
    await ticks(3);
    const [result] = (await asking).results;
    expect(result?.error).to.equal(undefined);
    expect(result?.value).to.have.length.above(10 * PAGES - 1);
    expect(held()).to.deep.equal([0, 0]);
  });

  it('hold nothing when their client leaves meanwhile', async () => {
    const { leave } = somebodyElse();
    client.send(manyOf(PAGES));
    await ticks(2);
    expect(held()).to.deep.equal([1, 1]);
    client.calls.leave();
    await ticks(1);
    expect(held()).to.deep.equal([0, 0]);
    leave();
  });
});
