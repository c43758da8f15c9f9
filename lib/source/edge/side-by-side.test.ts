import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { FeedSource } from '../feed.js';
import { SideBySide } from './side-by-side.js';

const source = (name: string) =>
  Object.assign(
    new FeedSource({ name, frameSeconds: 1 }, (objects) => objects.object(name).component('level', double()), []),
    { lastHeardMillis: undefined as number | undefined },
  );

describe('several simulations side by side', () => {
  it('are disconnected when none of them can be reached, as long as the last one', async () => {
    const [tank, pump] = [source('tank'), source('pump')];
    const both = new SideBySide(Object.entries({ tank, pump }), []);
    const heard = [
      [undefined, undefined],
      [1000, undefined],
      [1000, 2000],
    ].map(([ofTank, ofPump]) => {
      [tank.lastHeardMillis, pump.lastHeardMillis] = [ofTank, ofPump];
      return both.lastHeardMillis;
    });
    await both.close();
    expect(heard).to.deep.equal([undefined, undefined, 2000]);
  });
});
