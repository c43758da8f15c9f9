// The calls of docs/json-methods.md, asked of a bridge with the ball behind it: answers as the page says them, or a refusal.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TrickClient } from '../lib/clients/trick/index.js';
import type { RunningServer } from '../lib/index.js';
import { shapeDifferences } from './answer-shapes.js';
import { call, type Json } from './http-client.js';
import { serveBridged } from './serve-bridged.js';

const PAGE = readFileSync(new URL('../../docs/json-methods.md', import.meta.url), 'utf8');
const CALLS = [...PAGE.matchAll(/^--> (\S+) (.*)\n<-- (.*)$/gm)];
const BALL = new URL('../sims/ball.js', import.meta.url);
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;

/** What a bridge refuses: it keeps no files. */
const REFUSED = /^(recording\/(start|stop)|layout\/(save|remove))$/;
const NOT_KEPT = 'layout/get';
/** A bridge sees no jump where time has not gone back. */
const UNKNOWN = '.sim_time.jumps is undefined, not number';

describe('a bridge, asked in JSON,', () => {
  let served: RunningServer;
  before(async () => {
    served = await serveBridged(BALL, QUIET);
  });
  after(() => served?.close());

  for (const [, method = '', params = '', result = ''] of CALLS) {
    const ask = () => call<Json>(served.port, method, JSON.parse(params));
    const refusal = () =>
      ask().then(
        () => undefined,
        ({ message }: Error) => message,
      );
    const words = `${method} ${params}`.slice(0, 90);
    if (method === NOT_KEPT) continue;
    if (REFUSED.test(method))
      it(`refuses with a sentence: ${words}`, async () => {
        expect(await refusal()).to.match(/: this source .*: it is a bridge to 127\.0\.0\.1:\d+$/);
      });
    else
      it(`answers as the simulation would: ${words}`, async () => {
        const found = shapeDifferences(await ask(), JSON.parse(result));
        expect(found.filter((difference) => difference !== UNKNOWN)).to.deep.equal([]);
      });
  }

  it('says that jobs of the simulation do not pass, and functions that are no methods', async () => {
    const refusal = await call<Json>(served.port, 'sim/call', { name: 'kick' }).catch((error: Error) => error.message);
    expect(refusal).to.equal(
      'sim/call: a bridge calls methods of the objects that it shows, such as dyn.cannon.fire, not kick',
    );
    const client = await TrickClient.connect({ port: served.port });
    const printed = (name: string, ...values: (string | number)[]) =>
      client.call(name, values).catch((error: Error) => error.message);
    expect(await printed('exec_set_job_onoff', 'ball.step', 1, 0)).to.equal(
      'a bridge does not reach the jobs of its simulation',
    );
    expect(await printed('kick')).to.equal("AttributeError: module 'trick' has no attribute 'kick'");
    client.close();
  });
});
