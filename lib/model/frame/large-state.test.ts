// Frames of a large state, which carry only the pages that readers ask for.
import { expect } from 'chai';
import fc from 'fast-check';
import { headerAt } from '../../testing/aids/frames.js';
import { Catalog } from '../state/catalog.js';
import { array, double, pointer } from '../state/declare.js';
import { TooManyPointersError } from '../state/reach.js';
import { readVariable } from '../state/read.js';
import { State } from '../state/state.js';
import type { Variable } from '../state/variable.js';
import { type FrameHeader, Mode } from './header.js';
import { PAGE_BYTES } from './page-map.js';
import { FrameReader, type Shown } from './reader.js';
import { createRing, FrameWriter } from './ring.js';

const DOUBLES = 2 ** 18;
const IN_PAGE = PAGE_BYTES / 8;

/** A state of 2 MB, a pointer into it, and both ends of its ring. */
function bench() {
  const state = new State();
  const object = state.addObject('o');
  const far = object.component('far', pointer(double()));
  const many = object.component('many', double(DOUBLES));
  object.component('some', array(pointer(double()), 2400));
  const targets = [object.component('one', double(IN_PAGE)), object.component('other', double(IN_PAGE))] as const;
  const catalog = new Catalog(state.describe());
  const ring = createRing(catalog.arenaBytes);
  const writer = new FrameWriter(ring, () => undefined);
  const reader = new FrameReader(ring);
  const frame = reader.createFrame(headerAt(0));
  let number = 0;
  const publish = (facts: Partial<FrameHeader> = {}): void => {
    number++;
    writer.publish({ ...headerAt(number), ...facts }, state.arena.memory);
    expect(reader.next(frame)).to.equal(true);
  };
  const variable = (path: string): Variable => catalog.find(path) as Variable;
  return { state, far, many, targets, ring, writer, reader, frame, publish, variable };
}

describe('a frame of a large state', () => {
  it('carries what has been asked for, from the next frame on', () => {
    const { many, frame, publish, variable } = bench();
    const one = variable('o.many[200000]');
    many[200_000] = 1;
    publish();
    expect(frame.shows(one)).to.equal(false);
    many[200_000] = 2;
    publish();
    expect([frame.shows(one), readVariable(one, frame.memory)]).to.deep.equal([true, 2]);
    expect(frame.shows(variable('o.many[100000]'))).to.equal(false);
  });

  it('is copied in pieces when it is time to give way, and skipped when it is overwritten meanwhile', () => {
    const { many, ring, writer, reader, frame, publish, state, variable } = bench();
    const all = variable('o.many');
    publish();
    frame.shows(all);
    const publishOnly = (number: number): void => {
      many[DOUBLES - 1] = number;
      writer.publish(headerAt(number), state.arena.memory);
    };
    const read = () => reader.next(frame, () => true);
    publishOnly(2);
    const pieces = [read(), read(), read()];
    expect([pieces, reader.waiting]).to.deep.equal([['begun', 'begun', 'begun'], 1]);
    for (let piece = 3; read() === 'begun'; piece++) expect(piece).to.be.below(9);
    expect([
      frame.header.number,
      frame.shows(all),
      readVariable(variable(`o.many[${DOUBLES - 1}]`), frame.memory),
    ]).to.deep.equal([2, true, 2]);
    publishOnly(3);
    expect(read()).to.equal('begun');
    for (let number = 4; number < 4 + ring.slots; number++) publishOnly(number);
    while (read() !== true);
    const { number } = frame.header;
    expect([number > 3, readVariable(variable(`o.many[${DOUBLES - 1}]`), frame.memory)]).to.deep.equal([true, number]);
    expect(reader.lapped).to.equal(number - 3);
  });

  it('is not asked for more pointers at a time than a read follows', () => {
    const { frame, publish, variable } = bench();
    const some: Shown = { isShownIn: (asked) => asked.shows(variable('o.some')) };
    publish();
    expect(frame.showsAll([some])).to.equal(false);
    publish();
    expect(frame.showsAll([some])).to.equal(true);
    for (let time = 0; time < 2; time++) expect(() => frame.showsAll([some, some])).to.throw(TooManyPointersError);
    // What is looked at by itself is read by itself.
    expect([some.isShownIn(frame), some.isShownIn(frame)]).to.deep.equal([true, true]);
  });

  it('is not asked for what is refused for too many pointers', () => {
    const { frame, publish, variable } = bench();
    const [some, one] = [variable('o.some'), variable('o.many[200000]')];
    publish();
    for (let time = 0; time < 2; time++) {
      frame.shows(some);
      publish();
    }
    const refused = [one, some, some].map((shown): Shown => ({ isShownIn: (asked) => asked.shows(shown) }));
    expect(() => frame.showsAll(refused)).to.throw(TooManyPointersError);
    publish();
    expect(frame.pages?.carried.has(one.offsetBytes, 8)).to.equal(false);
    expect(frame.shows(one)).to.equal(false);
    publish();
    expect(frame.shows(one)).to.equal(true);
  });

  it('is the state of its moment in all that it shows, whatever is asked for and when', () => {
    const turn = fc.record({ index: fc.nat(DOUBLES - 1), length: fc.nat(3), seconds: fc.nat(12) });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 5, maxLength: 40 }), (turns) => {
        const { many, frame, publish, variable } = bench();
        let wallMillis = 0;
        for (const [step, { index, seconds }] of turns.entries()) {
          wallMillis += 1000 * seconds;
          for (const other of turns) many[other.index] = step;
          publish({ wallMillis });
          for (const other of turns) {
            const one = variable(`o.many[${other.index}]`);
            if (frame.pages?.carried.has(one.offsetBytes, 8)) {
              expect(readVariable(one, frame.memory)).to.equal(step);
            }
          }
          frame.shows(variable(`o.many[${index}]`));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('no longer carries what nobody has asked for in the last ten to twenty seconds', () => {
    const { frame, publish, variable } = bench();
    const [kept, left] = [variable('o.many[0]'), variable('o.many[200000]')];
    const isCarried = (one: Variable) => frame.pages?.carried.has(one.offsetBytes, 8);
    publish({ wallMillis: 0 });
    frame.shows(left);
    const carried: unknown[] = [];
    for (let wallMillis = 1000; wallMillis <= 25_000; wallMillis += 1000) {
      frame.shows(kept);
      publish({ wallMillis });
      carried.push([isCarried(kept), isCarried(left)]);
    }
    const lastSecond = carried.findIndex((pair) => (pair as unknown[])[1] === false);
    expect(lastSecond).to.be.within(10, 20);
    expect(carried.slice(0, lastSecond)).to.deep.equal(Array(lastSecond).fill([true, true]));
    expect(carried.slice(lastSecond)).to.deep.equal(Array(25 - lastSecond).fill([true, false]));
  });

  it('carries much for a shorter time: 2 MB for half a second', () => {
    const { frame, publish, variable } = bench();
    const many = variable('o.many');
    const isCarried = () => frame.pages?.carried.has(many.offsetBytes, PAGE_BYTES);
    publish({ wallMillis: 0 });
    frame.shows(many);
    const carried: unknown[] = [];
    for (let wallMillis = 50; wallMillis <= 2000; wallMillis += 50) {
      publish({ wallMillis });
      carried.push(isCarried());
    }
    expect(carried.lastIndexOf(true)).to.be.within(6, 14);
    // A reader that asks again and again has it in every frame.
    for (let wallMillis = 5000; wallMillis <= 20_000; wallMillis += 1000) {
      frame.shows(many);
      publish({ wallMillis });
      expect(isCarried()).to.equal(true);
    }
  });

  it('says that it does not show what a pointer leads to as long as one of the two is missing', () => {
    const { far, targets, frame, publish, variable } = bench();
    const [one, other] = targets;
    far.pointTo(one);
    const value = variable('o.far[5]');
    one[5] = 7;
    const shown: unknown[] = [];
    const look = () => {
      publish();
      shown.push(frame.shows(value) && readVariable(value, frame.memory));
    };
    look();
    look();
    look();
    other[5] = 8;
    far.pointTo(other);
    look();
    look();
    // The first frame carries the pointer, a later one its target.
    expect(shown).to.deep.equal([false, false, 7, false, 8]);
  });

  it('that is the last one carries all', () => {
    const { many, frame, publish, variable } = bench();
    many[123_456] = 5;
    publish({ mode: Mode.exit });
    const one = variable('o.many[123456]');
    expect([frame.shows(one), readVariable(one, frame.memory)]).to.deep.equal([true, 5]);
  });

  it('goes on with what was asked for when the state has grown out of its ring', () => {
    const { state, writer, frame, publish, variable } = bench();
    const one = variable('o.many[200000]');
    publish();
    frame.shows(one);
    const ring = createRing(2 * state.arena.usedBytes);
    const next = new FrameWriter(ring, () => undefined, writer);
    next.publish(headerAt(2), state.arena.memory);
    const reader = new FrameReader(ring, 1);
    const into = reader.createFrame(headerAt(0));
    expect([reader.next(into), into.shows(one), into.shows(variable('o.many[0]'))]).to.deep.equal([true, true, false]);
  });

  it('carries all at first of a state that was carried whole before', () => {
    const { state, variable } = bench();
    const small = new FrameWriter(createRing(1000), () => undefined);
    const ring = createRing(state.arena.usedBytes);
    new FrameWriter(ring, () => undefined, small).publish(headerAt(1), state.arena.memory);
    const reader = new FrameReader(ring);
    const into = reader.createFrame(headerAt(0));
    expect([reader.next(into), into.shows(variable('o.many'))]).to.deep.equal([true, true]);
  });

  it('can be read into no frame of another ring', () => {
    const { ring, reader, frame } = bench();
    expect(reader.canReadInto(frame)).to.equal(true);
    expect(new FrameReader(createRing(ring.arenaBytes)).canReadInto(frame)).to.equal(false);
    expect(new FrameReader(createRing(16)).canReadInto(frame)).to.equal(false);
  });
});
