// Curves of runs: what is computed of every row, shifted, scaled, in units, and refused one by one.
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';

const HEIGHT = 'ball.position[1]';

describe('runs/list and runs/curves', () => {
  const here = recordingsHere();
  async function filled(count: number): Promise<TestServer> {
    const server = new TestServer(undefined, { historySeconds: 1000 });
    await server.call('var/subscribe', { aliases: [HEIGHT], cycle_ms: 10, history: true });
    for (let left = count; left > 0; left -= 32) {
      server.ball.ticks(Math.min(left, 32), (tick) => server.ball.store(HEIGHT, tick));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return server;
  }
  const one = async (server: TestServer, curve: object, more: object = {}) =>
    (await server.call('runs/curves', { curves: [{ run: '', ...curve }], ...more })).curves[0];

  it('know a simulation as its only run', async () => {
    const server = await filled(1);
    const { runs } = await server.call('runs/list', {});
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ run: '', is_live: true });
  });

  it('shift, scale and convert a variable, and take off another at the times of the first', async () => {
    const server = await filled(64);
    const plain = await one(server, { name: HEIGHT });
    expect(plain).to.include({ units: 'm', stretch_sec: 0 });
    const step = plain.times[2] - plain.times[1];
    const shifted = await one(server, { name: HEIGHT, units: 'cm', scale: 2, bias: 1, shift_sec: 5 });
    expect(shifted.times).to.deep.equal(plain.times.map((time: number) => time + 5));
    expect(shifted.values).to.deep.equal(plain.values.map((value: number) => 200 * value + 1));
    expect([shifted.units, shifted.from]).to.deep.equal(['cm', plain.from + 5]);
    // Half a row later it is interpolated, and has no value at the first time.
    const later = { run: '', name: HEIGHT, shift_sec: step / 2 };
    const apart = await one(server, { name: HEIGHT, minus: later });
    expect(apart.times).to.deep.equal(plain.times);
    expect(apart.values[0]).to.equal('NaN');
    expect(apart.values[20]).to.be.closeTo(0.5, 1e-6);
    const computed = await one(server, { name: `=${HEIGHT}^2 - 1 {m2}` });
    expect(computed.units).to.equal('m2');
    expect(computed.values[10]).to.equal(plain.values[10] ** 2 - 1);
  });

  it('compute every row of a long past, and all of a stretch that is zoomed', async () => {
    const server = await filled(3000);
    const whole = await one(server, { name: `=${HEIGHT} + 1 {m}` }, { points: 100 });
    expect(whole.stretch_sec).to.be.above(0);
    expect(whole.times.length).to.be.within(50, 220);
    expect(Math.max(...whole.values)).to.equal((await one(server, { name: HEIGHT })).values.at(-1) + 1);
    const from = whole.from + (whole.to - whole.from) / 2;
    const zoomed = await one(server, { name: `=${HEIGHT} + 1 {m}` }, { points: 100, from, to: from + 0.3 });
    expect(zoomed.stretch_sec).to.equal(0);
    const steps = zoomed.values.slice(1).map((value: number, k: number) => value - zoomed.values[k]);
    expect(new Set(steps)).to.deep.equal(new Set([1]));
    // The last row of a stretch has its difference to a value that lies behind it.
    const minus = { run: '', name: HEIGHT, shift_sec: 0.005 };
    const apart = await one(server, { name: HEIGHT, minus }, { points: 100, from, to: from + 0.3 });
    expect(apart.values).to.have.length.above(10).and.not.include('NaN');
  });

  it('know values at the first and the last row of a stretch that lie between rows of another run', async () => {
    const [fine, rough] = [here.path('fine.trk'), here.path('rough.trk')];
    // So many that a computed curve is thinned, and a stretch of it is computed again.
    const times = Array.from({ length: 100_000 }, (_, row) => row / 100);
    const seldom = Array.from({ length: 400 }, (_, row) => row * 3.1);
    for (const [file, rows] of [[fine, times] as const, [rough, seldom] as const])
      writeFileSync(file, trkFile([doubles('sys.exec.out.time', rows, 's'), doubles('a.x', rows, 'm')]));
    const server = new TestServer(undefined, {}, here.source(fine, rough));
    const stretch = { points: 100, from: 50.001, to: 50.3 };
    const { values, stretch_sec } = await one(server, { name: '=run1.a.x - run2.a.x' }, stretch);
    expect(stretch_sec).to.equal(0);
    expect(values).to.have.length(30).and.not.include('NaN');
    for (const value of values) expect(value).to.be.closeTo(0, 1e-6);
  });

  it('tell of each curve that cannot be drawn, and answer the others', async () => {
    const server = await filled(2);
    const names = ['ball.positon[1]', '=ball.position[1] +', `=${HEIGHT} + 1 {s}`, 'ball.position'];
    const { curves } = await server.call('runs/curves', {
      curves: [...names, HEIGHT].map((name) => ({ run: '', name })),
    });
    for (const { problem, times } of curves.slice(0, -1)) {
      expect(problem).to.be.a('string').that.does.not.equal('');
      expect(times).to.equal(undefined);
    }
    expect(curves.at(-1).times.length).to.be.at.least(2);
    expect((await one(server, { run: 'run9', name: HEIGHT })).problem).to.include('there is no');
    expect((await one(server, { name: HEIGHT, units: 's' })).problem).to.include('convert');
  });
});
