// The warm-up: it changes nothing that clients can see.
import { expect } from 'chai';
import { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { Connection } from '../../serving/transport/connection.js';
import type { Source } from '../../source/source.js';
import { recordedRequests } from '../../testing/aids/recorded-requests.js';
import { settle, startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';
import { activityOf, warmUp } from './warm-up.js';

const idle = { over: new AbortController().signal, isBusy: () => false };

describe('the warm-up', () => {
  let fixture: TrickFixture;
  const accepted: Connection[] = [];
  const registries: SessionRegistry[] = [];

  const acceptFrom = (source: Source) => {
    const registry = new SessionRegistry(source);
    registries.push(registry);
    const { server } = fixture;
    const frontEnd = new TrickFrontEnd({ registry, server, readFile: () => undefined });
    return (connection: Connection): void => {
      accepted.push(connection);
      frontEnd.accept(connection);
    };
  };

  beforeEach(async () => {
    fixture = await startTrickFixture();
    accepted.length = 0;
    registries.length = 0;
  });
  afterEach(() => fixture.close());

  it('serves its clients, asks the simulation for nothing and leaves no session', async () => {
    const { source } = fixture.local;
    const asked = recordedRequests(source);
    const before = source.frame.header.number;
    await warmUp(source, acceptFrom, { ...idle, clients: 6 });
    expect(accepted).to.have.length(6);
    expect(asked).to.deep.equal([]);
    expect(source.frame.header.number).to.equal(before);
    expect(fixture.registry.size).to.equal(0);
    while (registries.some(({ size }) => size > 0)) await settle();
    // Three clients per source; each gets a list of a hundred variables, its size, one more message and an answer.
    const sent = registries.map(({ traffic }) => traffic.get('trick')?.sentMessages);
    // One of them runs a loop as well, which takes the whole grammar.
    expect(sent).to.deep.equal([3 * 4, 3 * 4 + 2]);
  });

  it('ends when the server does', async () => {
    const over = new AbortController();
    const acceptTwo = (source: Source) => (connection: Connection) => {
      acceptFrom(source)(connection);
      if (accepted.length === 2) over.abort();
    };
    await warmUp(fixture.local.source, acceptTwo, { ...idle, over: over.signal });
    expect(accepted).to.have.length(2);
  });

  it('ends when the server does while a client waits for an answer that never comes', async () => {
    const over = new AbortController();
    const acceptSilently = () => (connection: Connection) => {
      accepted.push(connection);
      setImmediate(() => over.abort());
    };
    await warmUp(fixture.local.source, acceptSilently, { ...idle, over: over.signal });
    expect(accepted).to.have.length(1);
  });

  it('gives way to clients that are being served, and does not make up for it', async () => {
    let asked = 0;
    const isBusy = () => ++asked <= 4;
    await warmUp(fixture.local.source, acceptFrom, { ...idle, isBusy, clients: 6 });
    expect(accepted).to.have.length(2);
  });

  it('takes for busy a server that has sent something since it last looked', () => {
    const registry = new SessionRegistry(fixture.local.source);
    const isBusy = activityOf(registry);
    expect(isBusy()).to.equal(false);
    const sink = { write: () => true, pendingBytes: 0 };
    const session = registry.create({ frontEnd: 'trick', peer: 'a', transport: 'tcp' }, sink);
    expect(isBusy()).to.equal(false);
    session.outbound.reply(Buffer.from('1'), 'text');
    expect([isBusy(), isBusy()]).to.deep.equal([true, false]);
    session.close();
    expect(isBusy()).to.equal(false);
  });
});
