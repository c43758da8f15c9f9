// The bound on request bodies that are not complete yet.
import { expect } from 'chai';
import { askOnce, collect, dial } from '../../testing/aids/transport-peer.js';
import type { Listener } from './connection.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService, listenHttp } from './http.js';
import { BodyBudget } from './http-body.js';

describe('unfinished request bodies', () => {
  let service: HttpService;
  let listener: Listener;
  let heldBack: HeldBack;
  let reading: number;

  beforeEach(async () => {
    heldBack = new HeldBack();
    reading = 0;
    service = createHttp({ unfinishedBodyBytes: 300_000, heldBack }, async (exchange) => {
      reading++;
      const body = await exchange.readBody(100_000);
      exchange.respond(200, {}, `took ${body.length}`);
    });
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
  });
  afterEach(async () => {
    await listener.close();
    service.close();
  });

  const post = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  async function begin(bytes: number) {
    const socket = await dial(listener.port);
    const heard = collect(socket);
    const before = reading;
    socket.write(post(90_000) + 'x'.repeat(bytes));
    while (reading === before) await new Promise(setImmediate);
    return { socket, heard };
  }

  it('are bounded in all: who began first gives way, and a body that comes at once is taken', async () => {
    const slow = [];
    for (let count = 0; count < 6; count++) slow.push(await begin(80_000));
    const answer = await slow[0]!.heard.until((text) => text.endsWith('again\n'));
    expect(answer).to.match(
      /^HTTP\/1.1 503 .*keeps no more unfinished request bodies, your address has most, and this one took longest/s,
    );
    expect(answer).to.match(/connection: close/i);
    const text = await askOnce(
      listener.port,
      `${post(50_000).replace('Host', 'Connection: close\r\nHost')}${'y'.repeat(50_000)}`,
    );
    expect(text).to.match(/took 50000$/);
    expect(heldBack.count('request_bodies')).to.be.at.least(1);
    const last = slow.at(-1)!;
    last.socket.write('x'.repeat(10_000));
    await last.heard.until((all) => all.endsWith('took 90000'));
    for (const { socket } of slow) socket.destroy();
  });

  it('take no more than their bytes, however they come, and are forgotten when they end', () => {
    let crowdedOut = 0;
    const budget = new BodyBudget(10_000, () => crowdedOut++);
    for (let round = 0; round < 100; round++) {
      const body = budget.begin(() => {}, '10.0.0.1');
      for (let count = 0; count < 5000; count++) body.push(Buffer.from('z'));
      if (round % 2 === 0) expect(body.take().toString()).to.equal('z'.repeat(5000));
      else body.drop();
    }
    expect(crowdedOut).to.equal(0);
    const gaveWay: string[] = [];
    const [first, second] = ['first', 'second'].map((name) => budget.begin(() => gaveWay.push(name), '10.0.0.1'));
    first!.push(Buffer.alloc(6000));
    second!.push(Buffer.alloc(6000));
    expect(gaveWay).to.deep.equal(['first']);
  });

  it('of one address drop nobody else’s, however many they are', () => {
    const budget = new BodyBudget(30_000);
    const gaveWay: number[] = [];
    const honest = budget.begin(() => gaveWay.push(-1), '10.0.0.2');
    honest.push(Buffer.alloc(6000));
    for (let k = 0; k < 20; k++) budget.begin(() => gaveWay.push(k), '10.0.0.1').push(Buffer.alloc(6000));
    expect(gaveWay).to.deep.equal(Array.from({ length: 16 }, (_, k) => k));
    expect(honest.take()).to.have.length(6000);
  });
});
