// Declaring state: labels, several components at once, arrays, initial values by function, ranges.
import { expect } from 'chai';
import { convertFor } from './assign.js';
import { Catalog } from './catalog.js';
import {
  type AnyDeclared,
  array,
  bits,
  bool,
  charPointer,
  double,
  enumeration,
  float,
  int,
  longLong,
  pointer,
  struct,
  text,
  unsignedChar,
  widePointer,
} from './declare.js';
import { map, pair, vector } from './declare-containers.js';
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
      const mode = o.component('mode', Mode, 7 as never);
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

describe('an initial number', () => {
  const OUT_OF_INT = 'is a whole number from -2147483648 to 2147483647; the number 1099511627776 does not fit';

  it('fits its type, wherever in the value it stands', () => {
    const Phase = enumeration('Phase', { ENTRY: 1 });
    const Part = struct('Part', { count: int(), inner: array(Tank, 2), next: pointer(int()) });
    const cases: readonly [declared: AnyDeclared, initial: unknown, sentence: string][] = [
      [double(), Number.NaN, 'o.x starts as NaN, which is no number'],
      [double(3), [0, Number.NaN, 0], 'o.x[1] starts as NaN'],
      [double(3), Float64Array.of(0, 0, Number.NaN), 'o.x[2] starts as NaN'],
      [float(), 1e300, 'o.x is a float, which has no room for so large a number'],
      [int(), Number.NaN, 'o.x is an int; the number NaN does not fit'],
      [int(), 1.5, 'o.x is an int; the number 1.5 does not fit'],
      [int(), 2 ** 40, `o.x ${OUT_OF_INT}`],
      [
        int([2, 2]),
        [
          [0, 0],
          [0, 0.5],
        ],
        'o.x[1][1] is an int',
      ],
      [unsignedChar(), -1, 'o.x is a whole number from 0 to 255; the number -1 does not fit'],
      [longLong(), 2n ** 63n, 'o.x is a whole number from -9223372036854775808'],
      [bits(3), 8, 'o.x is a whole number from 0 to 7; the number 8 does not fit'],
      [Phase, 1.5, 'o.x is a Phase; the number 1.5 does not fit'],
      [Part, { count: 2 ** 40 }, `o.x.count ${OUT_OF_INT}`],
      [array(Part, 2), (i: number) => ({ count: i / 2 }), 'o.x[1].count is an int; the number 0.5 does not fit'],
      [Part, { next: [1, 2.5] }, 'o.x.next[1] is an int; the number 2.5 does not fit'],
      [vector(int(), 4), [1, 2.5], 'o.x[1] is an int; the number 2.5 does not fit'],
      [map(text(8), int(), 4), [['a', 0.5]], 'o.x[0].second is an int; the number 0.5 does not fit'],
      [pair(double(), int()), [1.5, 1.5], 'o.x.second is an int; the number 1.5 does not fit'],
    ];
    for (const [declared, initial, sentence] of cases) {
      stateWith((o) => {
        expect(() => o.component('x', declared, initial)).to.throw(sentence);
        expect(() => o.components({ x: declared }, { x: initial })).to.throw(sentence);
        o.component('x', declared);
      });
    }
  });

  it('may be infinite, and an integer of any form that fits', () => {
    const { read } = stateWith((o) => {
      o.components({ far: double(), n: int(), big: longLong() }, { far: 1 / 0, n: 7n as never, big: 7 as never });
    });
    expect([read('o.far'), read('o.n'), read('o.big')]).to.deep.equal([1 / 0, 7, 7n]);
  });
});
