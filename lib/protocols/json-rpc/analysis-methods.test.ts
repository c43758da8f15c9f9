// Statistics and spectra of what the history keeps.
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';

const HEIGHT = 'ball.position[1]';

describe('var/statistics and var/spectrum', () => {
  async function filled(count: number): Promise<TestServer> {
    const server = new TestServer(undefined, { historySeconds: 10 });
    await server.call('var/subscribe', { aliases: [HEIGHT], cycle_ms: 10, history: true });
    for (let left = count; left > 0; left -= 32) {
      server.ball.ticks(Math.min(left, 32), (tick) =>
        server.ball.store(HEIGHT, 5 + 2 * Math.sin((Math.PI * tick) / 4)),
      );
      // The history takes its samples in turns.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return server;
  }

  it('are of every row of the stretch, in the units asked for', async () => {
    const server = await filled(64);
    const { times } = (await server.call('var/history', { aliases: [HEIGHT], points: 1000 })).series[HEIGHT];
    const stretch = { from: times[1], to: times[64] };
    const { series } = await server.call('var/statistics', { aliases: [HEIGHT], ...stretch });
    const found = series[HEIGHT];
    expect(found).to.include({ count: 64, is_exact: true, first_sec: times[1], last_sec: times[64] });
    expect([found.least, found.greatest]).to.deep.equal([3, 7]);
    // A sine of eight rows, whose first is the 124th.
    expect([found.least_sec, found.greatest_sec]).to.deep.equal([times[3], times[7]]);
    expect(found.mean).to.be.closeTo(5, 1e-9);
    expect(found.rms).to.be.closeTo(Math.sqrt(25 + 2), 1e-9);
    const wish = { aliases: [HEIGHT], ...stretch, units: 'cm' };
    const inCm = (await server.call('var/statistics', wish)).series[HEIGHT];
    expect(inCm.greatest).to.equal(700);
    const { frequencies, amplitudes } = await server.call('var/spectrum', { alias: HEIGHT, ...stretch });
    const peak = Math.max(...amplitudes);
    const step = (times[64] - times[1]) / 63;
    expect(peak).to.be.closeTo(2, 0.1);
    expect(frequencies[amplitudes.indexOf(peak)]).to.be.closeTo(1 / (8 * step), 1e-6);
  });

  it('do not make a mean or a spectrum of rows that are thinned', async () => {
    const server = await filled(3000);
    const stretch = { from: 0, to: 1e6 };
    const found = (await server.call('var/statistics', { aliases: [HEIGHT], ...stretch })).series[HEIGHT];
    expect(found).to.include({ is_exact: false, least: 3, mean: null, rms: null });
    const { error } = await server.respond('var/spectrum', { alias: HEIGHT, ...stretch });
    expect(error.message).to.equal('var/spectrum: the rows of this stretch are thinned; ask for a later one');
  });

  it('name what does not exist, and say what has no rows', async () => {
    const server = await filled(2);
    const { series, missing } = await server.call('var/statistics', { aliases: [HEIGHT, 'x'], from: 50, to: 60 });
    expect(series[HEIGHT]).to.include({ count: 0, first: null, least: null, least_sec: null, mean: null });
    expect(missing.x).to.include('there is no');
    const { error } = await server.respond('var/spectrum', { alias: HEIGHT, from: 0, to: 60 });
    expect(error.message).to.equal('var/spectrum: a spectrum needs at least 16 samples, found 3');
  });
});
