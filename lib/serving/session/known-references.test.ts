// References that are shared by all who ask, while the catalog changes.
import { expect } from 'chai';
import { array, double, int } from '../../model/state/declare.js';
import { UnitsError } from '../../model/units/index.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { UnknownVariableError, WriteOnlyError } from './errors.js';
import { referenceTo } from './known-references.js';

const ball = () =>
  new TestBall((state) => void state.addObject('probe').component('lengths', array(int({ units: 'm' }), 2), [1, 2]));

const redeclare = (source: TestBall, type: Parameters<typeof array>[0]): void => {
  if (source.catalog.find('probe')) source.state.removeObject('probe');
  source.state.addObject('probe').component('lengths', array(type, 2), [7, 8]);
  source.publish({});
};

describe('a known reference', () => {
  it('is the same for all who ask for a path in its own units, and another for each spelling and source', () => {
    const [source, other] = [ball(), ball()];
    const reference = referenceTo(source, 'ball.position');
    expect(referenceTo(source, 'ball.position')).to.equal(reference);
    expect(referenceTo(source, 'ball . position')).to.not.equal(reference);
    expect(referenceTo(source, 'ball . position').alias).to.equal('ball . position');
    expect(referenceTo(other, 'ball.position')).to.not.equal(reference);
    expect(referenceTo(source, 'ball.position[1]', 'cm').read(source.frame)).to.equal(910);
    expect(referenceTo(source, 'ball.position[1]').read(source.frame)).to.equal(9.1);
  });

  it('is refused as a new one is, each time', () => {
    const source = ball();
    for (let time = 0; time < 2; time++) {
      expect(() => referenceTo(source, 'ball.positron')).to.throw(UnknownVariableError, 'did you mean ball.position?');
      expect(() => referenceTo(source, 'ball.position', 'kg')).to.throw(UnitsError);
    }
  });

  it('is refused when its variable has gone or became write-only, and reads what takes its place', () => {
    const source = ball();
    expect(referenceTo(source, 'probe.lengths[0]').read(source.frame)).to.equal(1);
    source.state.removeObject('probe');
    source.publish({});
    expect(() => referenceTo(source, 'probe.lengths[0]')).to.throw(UnknownVariableError);
    redeclare(source, int());
    expect(referenceTo(source, 'probe.lengths[0]').read(source.frame)).to.equal(7);
    redeclare(source, double({ access: 'write-only' }));
    expect(() => referenceTo(source, 'probe.lengths[0]')).to.throw(WriteOnlyError);
  });

  it('is made anew for more spellings than are remembered', () => {
    const source = ball();
    const reference = referenceTo(source, 'ball.position');
    for (let before = 1; before <= 120; before++)
      for (let behind = 1; behind <= 120; behind++)
        for (const name of ['position', 'velocity'])
          referenceTo(source, `ball${' '.repeat(before)}.${' '.repeat(behind)}${name}`);
    const again = referenceTo(source, 'ball.position');
    expect(again).to.not.equal(reference);
    expect(again.read(source.frame)).to.deep.equal([0, 9.1]);
  });
});
