// Samples of a large state, whose frames carry only what has been asked for lately.
import { expect } from 'chai';
import { simulation } from '../executive/simulation.js';
import { double } from '../model/declare.js';
import { Reference } from '../session/reference.js';
import { KrpcFixture } from '../testing/aids/krpc-server.js';
import { History } from './history.js';

const WIDE = simulation({ name: 'wide', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('value', double());
  sim.object('wide').component('many', double(800_000));
});

describe('samples of a large state', () => {
  it('are taken in each cycle, however short frames carry what nobody asks for meanwhile', async () => {
    const fixture = await KrpcFixture.start(WIDE);
    const { registry } = fixture;
    const { source } = registry;
    const account = registry.ledger.open('reader');
    await fixture.ticks(1);
    const many = new Reference(source, 'wide.many');
    source.onFrame((frame) => frame.showsAll([many]));
    const history = new History(registry);
    const value = new Reference(source, 'box.value');
    history.keep(account, [value], 500);
    await fixture.ticks(400);
    const { times } = history.points(value, 0, 1e9, 1000);
    expect(times.length).to.be.within(8, 9);
    history.close();
    await fixture.close();
  });
});
