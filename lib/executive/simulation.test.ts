// A simulation definition: what it declares and what it refuses.
import { expect } from 'chai';
import { isSimulationDefinition, simulation } from './simulation.js';

describe('a simulation definition', () => {
  it('is known again when it has been imported', () => {
    expect(isSimulationDefinition(simulation({ name: 'a', frame: 0.01 }, () => {}))).to.equal(true);
    for (const other of [undefined, null, {}, () => {}, { options: {} }])
      expect(isSimulationDefinition(other)).to.equal(false);
  });

  it('refuses times that are none', () => {
    const define = (options: object) => () => simulation({ name: 'a', frame: 0.01, ...options }, () => {});
    expect(define({ frame: 0 })).to.throw(RangeError, 'frame is a time in seconds from 1e-6 up, not 0');
    expect(define({ freezeFrame: Number.NaN })).to.throw('freezeFrame is a time in seconds from 1e-6 up, not NaN');
    expect(define({ terminateTime: -1 })).to.throw('terminateTime is a time in seconds from 0 up, not -1');
    expect(define({ terminateTime: Number.POSITIVE_INFINITY })).not.to.throw();
  });
});
