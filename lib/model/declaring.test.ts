// Declaring state: labels, several components at once, arrays, initial values by function, ranges.
import { expect } from 'chai';
import { convertFor } from './assign.js';
import { Catalog } from './catalog.js';
import { array, bool, charPointer, double, enumeration, int, struct, text, widePointer } from './declare.js';
import { fitValue } from './fit-value.js';
import { readVariable } from './read.js';
import { State } from './state.js';

const Mode = enumeration('Mode', ['IDLE', 'BURN', 'LANDED']);
const Tank = struct('Tank', { level: double({ units: 'kg', min: 0, max: 100 }), mode: Mode });

function stateWith(build: (object: ReturnType<State['addObject']>) => void) {
  const state = new State();
  build(state.addObject('o'));
  const catalog = new Catalog(state.describe());
  const read = (path: string): unknown => {
    const variable = catalog.find(path);
    return variable && readVariable(variable, state.arena.memory);
  };
  return { state, catalog, read };
}

describe('an enumeration', () => {
  it('of labels is read and written by label, and is a number to clients', () => {
    let mode!: 'IDLE' | 'BURN' | 'LANDED';
    const { read } = stateWith((o) => {
      const nav = o.component('nav', struct('Nav', { mode: Mode, history: array(Mode, 3) }), { mode: 'BURN' });
      nav.history[1] = 'LANDED';
      const first: 'IDLE' | 'BURN' | 'LANDED' = nav.history[0];
      expect(first).to.equal('IDLE');
      if (nav.mode === 'BURN') nav.mode = 'LANDED';
      mode = nav.mode;
      expect([...nav.history]).to.deep.equal(['IDLE', 'LANDED', 'IDLE']);
      expect(() => {
        nav.mode = 'FLY' as 'BURN';
      }).to.throw('a Mode, which has no label "FLY"');
    });
    expect(mode).to.equal('LANDED');
    expect([read('o.nav.mode'), read('o.nav.history')]).to.deep.equal([2, [0, 2, 0]]);
    expect(Mode.labels.LANDED).to.equal(2);
  });

  it('of labels shows a number that has no label as text', () => {
    stateWith((o) => {
      const mode = o.component('mode', Mode, 7);
      expect(mode.value).to.equal('7');
    });
  });

  it('of numbers gives the label of a value', () => {
    const Phase = enumeration('Phase', { ENTRY: 3, CHUTE: 5 });
    expect([Phase.label(5), Phase.label(4), Phase.labels.ENTRY]).to.deep.equal(['CHUTE', '4', 3]);
    const { read } = stateWith((o) => {
      expect(o.component('phase', Phase, 'CHUTE').value).to.equal(5);
    });
    expect(read('o.phase')).to.equal(5);
  });

  it('refuses a label twice', () => {
    expect(() => enumeration('Mode', ['A', 'B', 'A'])).to.throw('Mode has two labels A');
  });
});

describe('several components', () => {
  it('are one view, in which scalars are plain numbers', () => {
    const { read } = stateWith((o) => {
      const members = { height: double({ units: 'm' }), on: bool(), at: double(2), tank: Tank, mode: Mode };
      const ball = o.components(members, { height: 3, at: [1, 2], tank: { level: 5 } });
      ball.height += 1;
      ball.on = true;
      ball.at[1] = 7;
      ball.tank.level = 6;
      ball.mode = 'BURN';
      expect([ball.height, ball.on, ball.tank.mode, ball.mode]).to.deep.equal([4, true, 'IDLE', 'BURN']);
    });
    expect([read('o.height'), read('o.at'), read('o.tank.level'), read('o.mode')]).to.deep.equal([4, [1, 7], 6, 1]);
  });

  it('refuse a value for what is not declared, and names that are taken', () => {
    stateWith((o) => {
      expect(() => o.components({ a: double() }, { b: 1 } as object)).to.throw('object o gets no component b');
      expect(() => o.components({ a: double() })).to.throw('object o has a component a already');
    });
  });
});

describe('an array of structures', () => {
  it('iterates, maps and has entries, and is never undefined within its bounds', () => {
    stateWith((o) => {
      const tanks = o.component('tanks', array(Tank, 3), (index) => ({ level: 10 * index, mode: 'BURN' }));
      expect(tanks.map(({ level }) => level)).to.deep.equal([0, 10, 20]);
      expect([...tanks.entries()].map(([index, { level }]) => index + level)).to.deep.equal([0, 11, 22]);
      let sum = 0;
      for (const tank of tanks) sum += tank.level;
      tanks.forEach((tank, index) => {
        tank.level = index;
      });
      expect([sum, tanks.at(-1).level, tanks.at(1).mode]).to.deep.equal([30, 2, 'BURN']);
      for (const index of [3, -4, 0.5, Number.NaN]) expect(() => tanks.at(index)).to.throw('is outside 0 to 2');
    });
  });

  it('has initial values by function at every depth', () => {
    const Stage = struct('Stage', { tanks: array(Tank, 2), grid: array(array(int(2), 2), 2) });
    const { read } = stateWith((o) => {
      o.component('stages', array(Stage, 2), (stage) => ({
        tanks: (tank) => ({ level: 10 * stage + tank }),
        grid: (row) => (column) => [row, column],
      }));
    });
    expect(read('o.stages[1].tanks[1].level')).to.equal(11);
    expect(read('o.stages[0].grid')).to.deep.equal([
      [
        [0, 0],
        [0, 1],
      ],
      [
        [1, 0],
        [1, 1],
      ],
    ]);
  });

  it('refuses what such a function gives as it refuses a list', () => {
    stateWith((o) => {
      expect(() => o.component('t', array(Tank, 2), (i) => ({ level: i * 200 }))).to.throw(
        RangeError,
        'o.t[1].level is a number from 0 to 100, not 200',
      );
      expect(() => o.component('t', array(Tank, 2), ((i: number) => i) as never)).to.throw('o.t[0] is a Tank');
    });
  });
});

describe('a range', () => {
  it('holds for initial values and for clients', () => {
    stateWith((o) => {
      for (const level of [-1, 101, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => o.component('t', Tank, { level })).to.throw(`o.t.level is a number from 0 to 100, not ${level}`);
      }
      expect(() => o.component('h', double({ min: 0 }), -1)).to.throw('o.h is a number from 0 up, not -1');
      expect(() => o.component('h', double(2, { max: 3 }), [1, 4])).to.throw('o.h[1] is a number up to 3, not 4');
    });
    const { catalog } = stateWith((o) => void o.component('t', Tank));
    const level = catalog.find('o.t.level');
    expect(() => convertFor(level!, 101)).to.throw('o.t.level is a number from 0 to 100, not 101');
    expect(convertFor(level!, 100)).to.equal(100);
    expect(() => fitValue(int({ min: 1 }).type, 0, 'f(): n')).to.throw('f(): n is a number from 1 up, not 0');
  });

  it('goes from a number to a greater one', () => {
    expect(() => double({ min: 2, max: 1 })).to.throw('a range goes from a number to a greater one, not from 2 to 1');
    expect(() => double({ min: Number.NaN })).to.throw('a range goes from a number');
  });
});

describe('a text', () => {
  it('has room for 255 bytes unless it says otherwise', () => {
    for (const declared of [text(), charPointer(), widePointer()]) {
      expect(declared.type).to.have.property('capacityBytes', 255);
    }
  });
});
