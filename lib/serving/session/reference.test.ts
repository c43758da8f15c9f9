// A client's reference to a variable, with units, while the catalog changes.
import { expect } from 'chai';
import { array, double, int, longLong } from '../../model/state/declare.js';
import { UnitsError } from '../../model/units/index.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { UnknownVariableError, WriteOnlyError } from './errors.js';
import { Reference } from './reference.js';

const ball = () =>
  new TestBall((state) => {
    const probe = state.addObject('probe');
    probe.component('secret', double({ access: 'write-only' }));
    probe.component('lengths', array(int({ units: 'm' }), 2), [1, 2]);
    probe.component('big', longLong(), 9007199254740993n);
  });

describe('a reference', () => {
  it('reads values as the model has them, in the units asked for', () => {
    const source = ball();
    const read = (alias: string, units?: string) => new Reference(source, alias, units).read(source.frame);
    expect(read('ball.position')).to.deep.equal([0, 9.1]);
    expect(read('ball.position[1]', 'cm')).to.equal(910);
    expect(read('probe.lengths', 'km')).to.deep.equal([0.001, 0.002]);
    expect(read('probe.big')).to.equal(9007199254740993n);
  });

  it('is converted only when its units are others than the own', () => {
    const source = ball();
    expect(new Reference(source, 'ball.position').isConverted).to.equal(false);
    expect(new Reference(source, 'ball.position', 'm').isConverted).to.equal(false);
    expect(new Reference(source, 'ball.position', 'km').isConverted).to.equal(true);
  });

  it('is refused for what cannot be found, read or converted', () => {
    const source = ball();
    expect(() => new Reference(source, 'ball.positron'))
      .to.throw(UnknownVariableError, 'ball has no member positron; did you mean ball.position?')
      .that.deep.includes({ alias: 'ball.positron', nearest: ['ball.position'] });
    expect(() => new Reference(source, 'probe.secret')).to.throw(WriteOnlyError, 'probe.secret is write-only');
    expect(() => new Reference(source, 'ball.position', 'kg')).to.throw(UnitsError);
  });

  it('finds a variable that comes after it has gone', () => {
    const source = ball();
    const reference = new Reference(source, 'probe.lengths[0]');
    source.state.removeObject('probe');
    source.publish({});
    expect([reference.current, reference.read(source.frame)]).to.deep.equal([undefined, undefined]);
    source.state.addObject('probe').component('lengths', array(int(), 2), [7, 8]);
    source.publish({});
    expect(reference.read(source.frame)).to.equal(7);
  });
});
