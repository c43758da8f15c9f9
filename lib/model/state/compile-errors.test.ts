// Each `@ts-expect-error` fails the build as soon as the line below it compiles.
import { expect } from 'chai';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { FlightPhase, Sensor } from '../../testing/aids/fixture/structures.js';
import { array, bool, charPointer, double, enumeration, int, long, pointer, struct, text } from './declare.js';
import { vector } from './declare-containers.js';
import { State } from './state.js';

const Ball = struct('Ball', {
  position: double(2, { units: 'm' }),
  mass: double(),
  phase: FlightPhase,
  isUp: bool(2),
});

const throwing = (act: () => unknown): void => {
  expect(act).to.throw();
};

describe('the compiler', () => {
  it('knows the elements of a fixed array to be there', () => {
    const ball = new State().addObject('ball').component('state', Ball, { position: [0, 10] });
    const dt: number = 0.1;
    ball.position[1] -= 9.81 * dt;
    const sum: number = ball.position[0] + ball.position[1];
    const up: boolean = ball.isUp[1];
    expect([sum.toFixed(3), up]).to.deep.equal(['9.019', false]);
    // @ts-expect-error: the third of two is not known to be there
    const third: number = ball.position[2];
    expect(third).to.equal(undefined);
  });

  it('refuses wrong member names', () => {
    const ball = new State().addObject('ball').component('state', Ball);
    // @ts-expect-error: no such member
    expect(ball.velocity).to.equal(undefined);
    throwing(() => {
      // @ts-expect-error: no such member to store in
      ball.speed = 3;
    });
    // @ts-expect-error: no such member in an initial value
    throwing(() => new State().addObject('b').component('state', Ball, { postion: [0, 1] }));
    // @ts-expect-error: no such label
    expect(FlightPhase.labels.LANDED).to.equal(undefined);
  });

  it('refuses initial values of the wrong shape', () => {
    const b = new State().addObject('b');
    // @ts-expect-error: three of two
    throwing(() => b.component('s', Ball, { position: [0, 1, 2] }));
    // @ts-expect-error: one of two
    throwing(() => b.component('s', Ball, { position: [0] }));
    // @ts-expect-error: a number for an array
    throwing(() => b.component('s', Ball, { position: 0 }));
    // @ts-expect-error: text for a number
    throwing(() => b.component('s', Ball, { mass: '1' }));
    // @ts-expect-error: no such label
    throwing(() => b.component('s', Ball, { phase: 'LANDED' }));
    // @ts-expect-error: a flat list for a matrix
    throwing(() => b.component('s', double([2, 2]), [1, 2, 3, 4]));
    // @ts-expect-error: one row of two
    throwing(() => b.component('s', array(Sensor, 2), [{ id: 1 }]));
    // @ts-expect-error: a wrong member in an element
    throwing(() => b.component('s', vector(Sensor, 2), [{ idd: 1 }]));
    // @ts-expect-error: null for a std::string
    throwing(() => b.component('s', text(4), null));
  });

  it('refuses assignments of the wrong kind', () => {
    const b = new State().addObject('b');
    const ball = b.component('ball', Ball);
    const wide = b.component('wide', long());
    const sequence = b.component('sequence', vector(int(), 2));
    throwing(() => {
      // @ts-expect-error: a number for a 64-bit integer
      wide.value = 3;
    });
    throwing(() => {
      // @ts-expect-error: arrays are filled, not replaced
      ball.position = [1, 2];
    });
    // @ts-expect-error: text for an element
    throwing(() => sequence.push('1'));
    const { all } = createFixture(SMALL);
    // @ts-expect-error: a pointer to sensors does not point at a vehicle
    throwing(() => all.vehicle.spare.pointTo(all.vehicle));
    // @ts-expect-error: labels are numbers
    throwing(() => enumeration('E', { A: 'one' }));
  });

  it('knows the labels of an enumeration that is declared by them', () => {
    const Mode = enumeration('Mode', ['IDLE', 'BURN']);
    const nav = new State().addObject('o').components({ mode: Mode, count: int() }, { mode: 'BURN' });
    throwing(() => {
      // @ts-expect-error: no such label
      nav.mode = 'LANDED';
    });
    // @ts-expect-error: no such label, so it can never be equal
    expect(nav.mode === 'LANDED').to.equal(false);
    // @ts-expect-error: no such member
    throwing(() => new State().addObject('o').components({ mode: Mode }, { mood: 'BURN' }));
    // @ts-expect-error: a function of the index gives values of the element
    throwing(() => new State().addObject('o').component('s', array(Sensor, 2), () => 3));
  });

  it('knows what may be null', () => {
    const { value } = new State().addObject('o').component('cp', charPointer(8), null);
    // @ts-expect-error: it may be null
    throwing(() => value.length);
    const target = pointer(double());
    expect(target.type.kind).to.equal('pointer');
  });
});
