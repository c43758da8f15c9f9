// What serve says of something that is no file.
import { expect } from 'chai';
import { simulation } from '../../simulation/executive/simulation.js';
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
