// A web developer's uses in a real browser: EventSource, a WebSocket, and pages that are refused.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Cable } from './cable.js';
import { Chromium, REBOUND } from './chromium.js';
import { call, type Values } from './http-client.js';
import { inTime } from './in-time.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

/** The ring has the frames of 2,560 ms; a browser that was away for longer has lost some. */
const RING_MILLIS = 2000;
/** Ten messages and more are made meanwhile. */
const AWAY_SECONDS = 0.5;

const millisOf = ({ sim_time }: Values): number => Math.round(sim_time.sec_si * 1000);

describe('a browser', () => {
  let server: ServerHere;
  let browser: Chromium | undefined;
  let page: Page;
  const faults: string[] = [];

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery'] });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    faults.length = 0;
    page = await browser!.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async function () {
    showOutputOfFailure(this, server);
    await page?.close();
  });

  const origin = () => `http://127.0.0.1:${server.port}`;
  it('reads a subscription with new EventSource, and loses nothing over a cut', async () => {
    const params = { aliases: ['ball.position'], cycle_ms: 33 };
    const { subscription_id: id } = await call<{ subscription_id: string }>(server.port, 'var/subscribe', params);
    let seen = await inTime(server.port, () => eventsOverCut(id));
    // A machine that stands still for a moment leaves out a message, but not time after time.
    for (let k = 0; k < 5 && (seen.awayMillis > RING_MILLIS || seen.events.some(({ dropped }) => dropped)); k++)
      seen = await inTime(server.port, () => eventsOverCut(id));
    const { events, before, connections } = seen;
    // The first message comes at once, whatever the cycle.
    const steps = events.slice(2).map((event, k) => millisOf(event) - millisOf(events[k + 1] as Values));
    // On a machine that stands still meanwhile a message may be left out, but the next one says so.
    expect(steps).to.deep.equal(events.slice(2).map(({ dropped = 0 }) => 40 * (1 + dropped)));
    // What was cut off comes from the ring, of which nothing is left out.
    expect(events.slice(before, before + 10).filter(({ dropped }) => dropped)).to.deep.equal([]);
    expect(connections).to.be.above(1);
  });

  /**
   * The events that a page gets of a subscription, ten or more before its connection is cut and twenty after that, of which
   * the first ten have been made meanwhile.
   */
  async function eventsOverCut(id: string) {
    const cable = await Cable.to(server.port);
    await page.goto(`http://127.0.0.1:${cable.port}/healthz`);
    // Page scripts are text, because they use a browser's globals, which this program does not have.
    await page.evaluate(`
      window.events = [];
      window.opens = [];
      const source = new EventSource('/sse?sub=${id}');
      source.addEventListener('open', () => opens.push(events.length));
      source.addEventListener('var', ({ data }) => events.push(JSON.parse(data)));`);
    await page.waitForFunction('events.length >= 10');
    const cutMillis = performance.now();
    cable.unplug();
    await server.pass(AWAY_SECONDS);
    cable.plug();
    await page.waitForFunction('opens.length > 1');
    const before = await page.evaluate<number>('opens[1]');
    await page.waitForFunction(`events.length >= ${before + 20}`);
    const events = await page.evaluate<Values[]>('events');
    cable.close();
    // A slow page may have got what came before the cut later, so only the connection tells how long it was away.
    const awayMillis = cable.connectedMillis - cutMillis;
    return { events, before, awayMillis, connections: cable.connections };
  }

  it('holds a WebSocket session: calls, values, and a change that shows', async () => {
    await page.goto(`${origin()}/healthz`);
    const answers = await page.evaluate<Record<string, object>>(`new Promise((resolve) => {
      const socket = new WebSocket('ws://' + location.host + '/ws');
      const answers = {};
      const ask = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      socket.onopen = () => {
        ask(1, 'var/subscribe', { aliases: ['ball.position'], cycle_ms: 20 });
        ask(2, 'var/set', { alias: 'ball.position[0]', value: 4.5 });
      };
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.id) answers[message.id] = message.result;
        if (message.params?.values['ball.position'][0] === 4.5) resolve(answers);
      };
    })`);
    expect(answers[1]).to.include({ effective_cycle_ms: 20 });
    expect(answers[2]).to.have.property('sequence');
  });

  describe('that shows a page of somebody else', () => {
    let elsewhere: Server;
    before(async () => {
      elsewhere = createServer((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>'),
      );
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    });
    after(() => void elsewhere?.close());

    it('reaches nothing of the server from there', async () => {
      await call(server.port, 'var/set', { alias: 'ball.position[0]', value: 1, wait: true });
      await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
      const set = { jsonrpc: '2.0', id: 1, method: 'var/set', params: { alias: 'ball.position[0]', value: 666 } };
      const outcomes = await page.evaluate(`(async () => {
        const base = '${origin()}';
        const body = ${JSON.stringify(JSON.stringify(set))};
        const outcome = (promise) => promise.then(() => 'reached', () => 'refused');
        const opening = (target) => outcome(new Promise((resolve, reject) => {
          target.addEventListener('open', resolve);
          target.addEventListener('error', reject);
        }));
        // Without CORS the request is sent, and only its answer is hidden from the page.
        await fetch(base + '/jsonrpc', { method: 'POST', body, mode: 'no-cors' });
        return {
          call: await outcome(fetch(base + '/jsonrpc', { method: 'POST', body })),
          events: await opening(new EventSource(base + '/sse?sub=1')),
          socket: await opening(new WebSocket(base.replace('http', 'ws') + '/ws')),
        };
      })()`);
      expect(outcomes).to.deep.equal({ call: 'refused', events: 'refused', socket: 'refused' });
      const { values } = await call<{ values: object }>(server.port, 'var/get', { aliases: ['ball.position[0]'] });
      expect(values).to.deep.equal({ 'ball.position[0]': 1 });
    });

    it('reaches nothing by a name of its own that points here', async () => {
      const answer = await page.goto(`http://${REBOUND}:${server.port}/`);
      expect(answer?.status()).to.equal(403);
      expect(await page.textContent('body')).to.include('this server is not called "rebound.example"');
    });
  });
});
