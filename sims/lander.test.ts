// The lander comes down softly, climbs away when it is told to, and warms up from its nozzle.
import { expect } from 'chai';
import { run } from 'varwire';
import { start } from 'varwire/testing';
import lander from './lander.js';

const RESULTS = ['lander.mode', 'lander.velocity', 'lander.fuel', 'lander.touchdown', 'lander.attitude'];

describe('the lander', () => {
  let touchdown: unknown;

  it('lands softly and upright, and stays where it is', async () => {
    const { values, messages, recorded } = await run(lander, {
      untilSeconds: 110,
      read: RESULTS,
      record: { cycleSeconds: 1, variables: ['lander.position[2]'] },
    });
    touchdown = values['lander.touchdown'];
    const [, , down] = values['lander.velocity'] as number[];
    expect(values['lander.mode']).to.equal('LANDED');
    expect(down).to.be.within(-1.5, -0.5);
    expect(Math.hypot(...(values['lander.attitude'] as number[]))).to.be.closeTo(1, 1e-12);
    expect(messages[0]?.text).to.match(/^LANDED after [\d.]+ s with 1\d\d\d kg of fuel$/);
    const heights = recorded.rows.map(([, height]) => height as number);
    expect(heights[0]).to.equal(1500);
    expect(Math.abs(heights.at(-1) as number)).to.be.below(1e-9);
  });

  it('comes down at another time with another seed, but always softly', async () => {
    const { values } = await run(lander, { untilSeconds: 120, seed: 2, read: RESULTS });
    expect(values['lander.mode']).to.equal('LANDED');
    expect(touchdown).to.be.a('number');
    expect(values['lander.touchdown']).to.not.equal(touchdown);
  });

  it('falls when it has no fuel left', async () => {
    const { values } = await run(lander, { untilSeconds: 100, set: { 'lander.fuel': 150 }, read: RESULTS });
    expect([values['lander.mode'], values['lander.fuel']]).to.deep.equal(['CRASHED', 0]);
  });

  it('climbs away when it is told to', async () => {
    const flight = await start(lander);
    flight.waitUntil(() => flight.read('lander.mode') === 'APPROACH', 100);
    flight.call('abort');
    const before = flight.read('lander.position[2]') as number;
    flight.runFor(20);
    expect(flight.read('lander.position[2]')).to.be.above(before + 100);
    flight.close();
  });

  it('warms up from the nozzle, and loses no heat in the chain', async () => {
    const flight = await start(lander);
    flight.runFor(30);
    const nodes = flight.read('lander.nodes') as { temperature: number }[];
    expect(nodes).to.have.length(40);
    expect(nodes[0]?.temperature).to.be.above(320);
    expect(nodes[39]?.temperature).to.be.within(280, 291);
    flight.close();
  });

  it('refuses a client that wants what the engine cannot give', async () => {
    const flight = await start(lander);
    expect(() => flight.write('lander.throttle', 1.5)).to.throw('lander.throttle is a number from 0 to 1, not 1.5');
    expect(() => flight.write('lander.mode', 'FLYING')).to.throw('lander.mode');
    flight.close();
  });
});
