// The ball and the lander of Trick's displays move as physics says, and the lander does as it is told.
import { expect } from 'chai';
import { type SimulationRun, start } from 'varwire/testing';
import ball from './trick-ball.js';
import lander from './trick-lander.js';

const pair = (run: SimulationRun, path: string) => run.read(path) as [number, number];

describe('sims/trick-ball', () => {
  it('begins as its inputs say, and keeps its energy', async () => {
    const run = await start(ball, { set: { 'ball.state.input.position': [0, 7] } });
    expect(pair(run, 'ball.state.output.position')).to.deep.equal([0, 7]);
    expect(pair(run, 'ball.state.output.external_force')).to.deep.equal([0, -8]);
    const energy = (): number => {
      const [[x, y], velocity] = [pair(run, 'ball.state.output.position'), pair(run, 'ball.state.output.velocity')];
      return 5 * Math.hypot(...velocity) ** 2 + 8 * Math.hypot(x, y - 2);
    };
    const before = energy();
    run.runFor(60);
    expect(energy() / before).to.be.closeTo(1, 1e-8);
  });
});

describe('sims/trick-lander', () => {
  it('rests on its legs, and flies by hand', async () => {
    const run = await start(lander);
    run.runFor(5);
    expect([run.read('dyn.lander.pos'), run.read('dyn.lander.vel')]).to.deep.equal([
      [0, 1.8],
      [0, 0],
    ]);
    run.write('dyn.lander.manual_throttle_change_command', 10);
    run.runFor(0.5);
    run.write('dyn.lander.manual_throttle_change_command', 0);
    run.write('dyn.lander.manual_rcs_command', -1);
    run.runFor(2);
    expect(run.read('dyn.lander.throttle')).to.equal(50);
    expect(pair(run, 'dyn.lander.pos')[1]).to.be.above(4);
    expect(pair(run, 'dyn.lander.vel')[0]).to.be.above(0);
  });

  it('goes to the height and place that it is told, stays there, and comes down', async () => {
    const run = await start(lander);
    for (const [name, value] of [
      ['altitudeCtrlEnabled', 1],
      ['downRangeCtrlEnabled', 1],
      ['y_cmd', 20],
    ] as const)
      run.write(`dyn.lander.${name}`, value);
    run.runFor(90);
    for (let second = 0; second < 30; second++) {
      run.runFor(1);
      const [x, y] = pair(run, 'dyn.lander.pos');
      expect(x).to.be.closeTo(40, 1);
      expect(y).to.be.closeTo(20, 0.2);
    }
    run.write('dyn.lander.y_cmd', 0);
    run.runFor(30);
    expect(pair(run, 'dyn.lander.pos')[1]).to.equal(1.8);
    expect(pair(run, 'dyn.lander.vel')).to.deep.equal([0, 0]);
  });
});
