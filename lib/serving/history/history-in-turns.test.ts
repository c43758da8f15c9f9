// Samples of frames when their turn comes late: clients get their frames meanwhile.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { KrpcFixture } from '../../testing/aids/krpc-server.js';
import { Reference } from '../session/reference.js';
import { History } from './history.js';

const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('value', double());
});

describe('samples whose turn comes late', () => {
  it('are taken of each frame, and no client waits for them', async () => {
    const fixture = await KrpcFixture.start(BOX);
    const { registry } = fixture;
    const { source, turns } = registry;
    await fixture.ticks(1);
    const history = new History(registry);
    history.ask(new Reference(source, 'box.value'));
    const points = async () => (await history.points('box.value', 0, 1e9, 1000))!;
    let take: () => boolean = () => false;
    turns.dueSteps = (_, step) => {
      take = step;
      return new Promise(() => undefined);
    };
    let frames = 0;
    source.onFrame(() => frames++);
    await fixture.ticks(5);
    expect([frames, (await points()).times.length]).to.deep.equal([5, 1]);
    while (take());
    const { times } = await points();
    expect(times.length).to.equal(6);
    expect(times.at(-1)).to.equal(source.frame.header.clockSeconds);
    history.close();
    await fixture.close();
  });
});
