// Streams with rates, watches of changes and polls, in a protocol that the public interface alone makes.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { type RunningServer, serve } from '../../lib/index.js';
import { ask, rpc } from '../asking.js';
import { WatchFrontEnd } from './watch-front-end.js';

const BALL = new URL('../../sims/ball.js', import.meta.url);
const SOURCE = new URL('../../../compat-tests/front-ends/watch-front-end.ts', import.meta.url);

interface Told {
  readonly id: number;
  readonly seconds: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

describe('a rich protocol through the public interface alone', () => {
  let server: RunningServer;
  const sockets: Socket[] = [];
  before(async () => {
    const at = { host: '127.0.0.1', port: 0 };
    const frontEnds = [(parts: ConstructorParameters<typeof WatchFrontEnd>[0]) => new WatchFrontEnd(parts, at)];
    server = await serve(BALL, { port: 0, discovery: false, frontEnds });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(() => server.close());

  function dial() {
    const port = server.endpoints.find(({ name }) => name === 'watch')?.port ?? 0;
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const next = async (): Promise<Told> => JSON.parse((await lines.next()).value as string) as Told;
    return {
      next,
      send: (...wishes: object[]) => socket.write(wishes.map((wish) => `${JSON.stringify(wish)}\n`).join('')),
    };
  }

  const call = (method: string, params: object) => ask({ port: server.port, body: rpc(method, params) });

  it('takes 150 lines at most, and imports the public interface alone', () => {
    const text = readFileSync(SOURCE, 'utf8');
    expect(text.trimEnd().split('\n').length).to.be.at.most(150);
    const imported = [...text.matchAll(/\b(?:from|import)\b[\s(]*'([^']+)'/g)].map(([, target]) => target);
    expect(imported).to.deep.equal(['../../lib/index.js']);
  });

  it('streams with a rate of its own, until it is stopped', async () => {
    const client = dial();
    client.send({ id: 1, stream: ['ball.position'], hertz: 10 });
    await client.next();
    const seen = [await client.next(), await client.next(), await client.next()];
    for (const [index, { id, seconds, values }] of seen.entries()) {
      expect([id, Object.keys(values)]).to.deep.equal([1, ['ball.position']]);
      // A busy machine misses some: what comes is on the cycle.
      if (index > 0) expect(Math.round((seconds - (seen[0]?.seconds ?? 0)) * 1000) % 100).to.equal(0);
    }
    client.send({ stop: 1 }, { id: 2, stream: ['ball.velocity'] });
    let told = await client.next();
    while (told.id === 1) told = await client.next();
    for (let count = 0; count < 30; count++) expect((await client.next()).id).to.equal(2);
  });

  it('tells all values at first, and then those that have changed', async () => {
    const client = dial();
    client.send({ id: 'w', changes: ['ball.velocity[0]', 'ball.position[1]'] });
    expect(Object.keys((await client.next()).values)).to.deep.equal(['ball.velocity[0]', 'ball.position[1]']);
    expect(Object.keys((await client.next()).values)).to.deep.equal(['ball.position[1]']);
    await call('var/set', { values: { 'ball.velocity[0]': 11 } });
    let told = await client.next();
    while (!('ball.velocity[0]' in told.values)) told = await client.next();
    expect(told.values['ball.velocity[0]']).to.equal(11);
  });

  it('answers a poll at the next change, once', async () => {
    const client = dial();
    await call('var/set', { values: { 'ball.velocity[0]': 12 } });
    client.send({ id: 's', stream: ['ball.velocity[0]'] });
    while ((await client.next()).values['ball.velocity[0]'] !== 12);
    client.send({ id: 'p', poll: ['ball.velocity[0]'] });
    for (let count = 0; count < 20; count++) expect((await client.next()).id).to.equal('s');
    await call('var/set', { values: { 'ball.velocity[0]': 13 } });
    let told = await client.next();
    while (told.id !== ('p' as unknown)) told = await client.next();
    expect(told.values).to.deep.equal({ 'ball.velocity[0]': 13 });
    await call('var/set', { values: { 'ball.velocity[0]': 14 } });
    for (let count = 0; count < 20; count++) expect((await client.next()).id).to.equal('s');
  });

  it('refuses with one sentence', async () => {
    const client = dial();
    const wishes = [
      {},
      { id: 1, stream: [] },
      { id: 1, stream: ['ball.nosuch'] },
      { id: 1, stream: ['ball.velocity[0]'], hertz: 0 },
    ];
    client.send(...wishes);
    const sentences = [];
    for (const _ of wishes) sentences.push((await client.next()).error);
    expect(sentences[0]).to.equal('there are stream, changes, poll and stop');
    expect(sentences[1]).to.equal('a list of names was expected');
    expect(sentences[2]).to.match(/nosuch/);
    expect(sentences[3]).to.equal('hertz is a number above 0');
  });
});
