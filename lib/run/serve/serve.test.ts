// What serve says of something that is no file.
import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Value } from '../../model/state/read.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { serveHere } from '../../testing/aids/serve-here.js';
import { feed } from './feed.js';
import { serve, serveSource } from './serve.js';
import { serveBeside } from './serve-beside.js';

describe('serve', () => {
  it('says which function takes a simulation that is no file', async () => {
    const given = simulation({ name: 'ball', frameSeconds: 1 }, () => {}) as never;
    const refusal = await serve(given).catch((error: Error) => error);
    expect(refusal).to.be.instanceOf(TypeError);
    expect((refusal as Error).message).to.equal(
      'serve takes the file that exports the simulation, as a path or a file URL; serveBeside takes the simulation itself',
    );
  });

  it('says what a port is when an option is something else', async () => {
    for (const option of ['port', 'krpc', 'brp']) {
      const source = feed({ name: 'tank', frameSeconds: 1 }, () => {});
      const options: object = { port: 0, discovery: false, log: () => {}, [option]: 'yes' };
      const refusal = await serveSource(source, options).catch((error: Error) => error);
      expect((refusal as Error).message).to.equal('a port is a whole number from 0 to 65535, got yes');
      await source.close();
    }
  });

  it('writes what a run starts from before its initialization, or says why it cannot', async () => {
    const options = {
      port: 0,
      http: 0,
      brp: 'off',
      udp: 'off',
      messages: 'off',
      discovery: false,
      log: () => {},
    } as const;
    const cannon = (set: Readonly<Record<string, Value>>) =>
      serveHere(new URL('../../../sims/cannon.js', import.meta.url), { ...options, set });
    const server = await cannon({ 'dyn.cannon.init_angle{degree}': 90, 'dyn.cannon.init_speed': 20 });
    let [across, up] = [0, 0];
    // The ports are open before the initialization has ended.
    while (up === 0) {
      await immediate();
      [across, up] = (await server.get('dyn.cannon.vel0')) as [number, number];
    }
    await server.close();
    expect(Math.abs(across)).to.be.below(1e-12);
    expect(up).to.equal(20);
    for (const [set, sentence] of [
      [{ 'dyn.cannon.init_sped': 1 }, /init_sped.*did you mean .*init_speed/],
      [{ 'dyn.cannon.init_speed{kg}': 1 }, /kg/],
      [{ 'dyn.cannon.init_speed': 'fast' }, /dyn\.cannon\.init_speed/],
    ] as const)
      expect(
        await cannon(set).then(
          () => 'it serves',
          (error: Error) => error.message,
        ),
      ).to.match(sentence);
  });

  it('refuses options that it does not have, so that no misspelt one leaves a server open', async () => {
    const here = simulation({ name: 'ball', frameSeconds: 1 }, () => {});
    const why = (asked: Promise<unknown>) =>
      asked.then(
        () => 'it serves',
        (error: Error) => error.message,
      );
    const wrong = (options: object) => ({ port: 0, discovery: false, ...options });
    const [allows, history] = [wrong({ allows: ['127.0.0.1'] }), wrong({ history: 5 })];
    expect(await why(serve('nowhere.js', allows))).to.equal('serve has no option allows; did you mean allow?');
    expect(await why(serve('nowhere.js', history))).to.equal(
      'serve has no option history; did you mean historySeconds or historyBytes?',
    );
    const source = feed({ name: 'tank', frameSeconds: 1 }, () => {});
    const named = await why(serveSource(source, wrong({ token: 'x' })));
    expect(named).to.equal('serveSource has no option token; did you mean tokens?');
    for (const option of ['arguments', 'runDirectory', 'diskQuotaBytes', 'stuckAfterMillis']) {
      expect(await why(serveSource(source, wrong({ [option]: 1 })))).to.match(
        new RegExp(`^serveSource has no option ${option}`),
      );
    }
    for (const foxgloveRate of [0, Number.NaN, 1e6])
      expect(await why(serveSource(source, { port: 0, foxgloveRate }))).to.match(
        /^foxgloveRate is a number of messages/,
      );
    await source.close();
    expect(await why(serveBeside(here, wrong({ driven: 'caller' })))).to.equal(
      'serveBeside has no option driven; did you mean drive?',
    );
    expect(await why(serveBeside(here, wrong({ frontEnds: [] })))).to.match(/^serveBeside has no option frontEnds/);
    expect(() => feed({ name: 'tank', frame: 1 } as never, () => {})).to.throw(
      RangeError,
      'a feed has no option frame; did you mean frameSeconds?',
    );
  });
});
