// The warm-up of what pages ask: it changes nothing that clients can see.
import { expect } from 'chai';
import { SessionRegistry } from '../../serving/session/registry.js';
import { recordedRequests } from '../../testing/aids/recorded-requests.js';
import { startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';
import { warmUpJson } from './json-warm-up.js';

const idle = { over: new AbortController().signal, isBusy: () => false };

describe('the warm-up of what pages ask', () => {
  let fixture: TrickFixture;
  let registry: SessionRegistry;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    registry = new SessionRegistry(fixture.local.source);
  });
  afterEach(() => fixture.close());

  it('serves its clients, asks the simulation for nothing and leaves nothing', async () => {
    const { source } = fixture.local;
    const asked = recordedRequests(source);
    await warmUpJson(source, { ...idle, clients: 6 }, registry);
    expect(asked).to.deep.equal([]);
    expect(registry.size).to.equal(0);
    for (const holding of ['subscriptions', 'valuesPerSecond', 'unreadBytes', 'keptBytes'] as const)
      expect(registry.ledger.held(holding), holding).to.equal(0);
    // Each gets two answers, and the first message of its subscription unless this machine is too busy for it.
    expect(registry.traffic.get('http')?.sentMessages).to.be.above(6 * 2);
    expect([...registry.errors.byCode.values()].reduce((sum, count) => sum + count, 0)).to.equal(0);
  });

  it('ends when the server does, and gives way to clients that are being served', async () => {
    const over = new AbortController();
    let looks = 0;
    const isBusy = (): boolean => {
      if (++looks === 3) over.abort();
      return looks === 2;
    };
    await warmUpJson(fixture.local.source, { over: over.signal, isBusy }, registry);
    expect(registry.traffic.get('http')?.sentMessages).to.be.within(4, 8);
  });
});
