// Frames of a large state, which carry only the pages that readers hold.
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
import { Lease } from './lease.js';
import { PageLeases } from './page-leases.js';
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
  const leases = new PageLeases();
  const reader = new FrameReader(ring, 0, leases);
  const frame = reader.createFrame(headerAt(0));
  let number = 0;
  const publish = (facts: Partial<FrameHeader> = {}): void => {
    number++;
    writer.publish({ ...headerAt(number), ...facts }, state.arena.memory);
    expect(reader.next(frame)).to.equal(true);
  };
  const variable = (path: string): Variable => catalog.find(path) as Variable;
  /** Whether the frame shows it; a lease that does not end holds it from now on. */
  const hold = (one: Variable): boolean => new Lease().ask([shownOf(one)], frame);
  return { state, far, many, targets, ring, writer, leases, reader, frame, publish, variable, hold };
}

const shownOf = (one: Variable): Shown => ({ isCarriedBy: (frame) => frame.carries(one) });

describe('a frame of a large state', () => {
  it('carries what is held, from the next frame on', () => {
    const { many, frame, publish, variable, hold } = bench();
    const one = variable('o.many[200000]');
    many[200_000] = 1;
    publish();
    expect(hold(one)).to.equal(false);
    many[200_000] = 2;
    publish();
    expect([frame.carries(one), readVariable(one, frame.memory)]).to.deep.equal([true, 2]);
    expect(frame.carries(variable('o.many[100000]'))).to.equal(false);
  });

  it('is copied in pieces when it is time to give way, and skipped when it is overwritten meanwhile', () => {
    const { many, ring, writer, reader, frame, publish, state, variable, hold } = bench();
    const all = variable('o.many');
    publish();
    hold(all);
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
      frame.carries(all),
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

  it('is not looked at for more pointers at a time than a read follows', () => {
    const { frame, publish, variable, hold } = bench();
    const some = shownOf(variable('o.some'));
    publish();
    expect(hold(variable('o.some'))).to.equal(false);
    publish();
    expect(frame.carriesAll([some])).to.equal(true);
    for (let time = 0; time < 2; time++) expect(() => frame.carriesAll([some, some])).to.throw(TooManyPointersError);
    // What is looked at by itself is read by itself.
    expect([some.isCarriedBy(frame), some.isCarriedBy(frame)]).to.deep.equal([true, true]);
  });

  it('carries nothing of what is refused for too many pointers', () => {
    const { frame, publish, variable, hold } = bench();
    const [some, one] = [variable('o.some'), variable('o.many[200000]')];
    publish();
    for (let time = 0; time < 2; time++) {
      hold(some);
      publish();
    }
    const lease = new Lease();
    expect(() => lease.ask([one, some, some].map(shownOf), frame)).to.throw(TooManyPointersError);
    publish();
    expect(frame.carries(one)).to.equal(false);
    expect([hold(one), lease.bytes / PAGE_BYTES]).to.deep.equal([false, 0]);
    publish();
    expect(frame.carries(one)).to.equal(true);
  });

  it('is the state of its moment in all that it shows, whatever is asked for and when', () => {
    const turn = fc.record({ index: fc.nat(DOUBLES - 1), length: fc.nat(3), seconds: fc.nat(12) });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 5, maxLength: 40 }), (turns) => {
        const { many, frame, publish, variable, hold } = bench();
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
          hold(variable(`o.many[${index}]`));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('carries what several hold until the last of them has ended', () => {
    const { frame, leases, publish, variable } = bench();
    const one = variable('o.many[200000]');
    const [first, second] = [new Lease(), new Lease()];
    publish();
    first.ask([shownOf(one)], frame);
    second.ask([shownOf(one)], frame);
    const shown: unknown[] = [];
    for (const lease of [undefined, first, first, second]) {
      lease?.end();
      publish();
      shown.push(frame.carries(one));
    }
    for (const wallMillis of [999, 1000, 1999, 2000]) {
      leases.passed(wallMillis);
      publish();
      shown.push(frame.carries(one));
    }
    // Little is carried for a second or two more, because who has read it often reads it again.
    expect(shown).to.deep.equal([true, true, true, true, true, true, true, false]);
  });

  it('no longer carries much that nobody holds, and carries little on when it is held again', () => {
    const { frame, leases, publish, variable } = bench();
    const [much, little] = [new Lease(), new Lease()];
    const one = variable('o.many[7]');
    publish();
    much.ask([shownOf(variable('o.many'))], frame);
    publish();
    expect(frame.carries(variable('o.many'))).to.equal(true);
    much.end();
    publish();
    expect(frame.carries(one)).to.equal(false);
    little.ask([shownOf(one)], frame);
    little.rest();
    leases.passed(1000);
    little.ask([shownOf(one)], frame);
    leases.passed(2000);
    leases.passed(3000);
    publish();
    expect(frame.carries(one)).to.equal(true);
  });

  it('is looked at once a catalog for a lease of what has its place, and each time for what pointers lead to', () => {
    const { far, targets, frame, publish, variable } = bench();
    far.pointTo(targets[0]);
    const looks = { fixed: 0, moving: 0 };
    const counted = (one: Variable, name: keyof typeof looks): Shown => ({
      isCarriedBy: (asked) => {
        looks[name]++;
        return asked.carries(one);
      },
    });
    const [fixed, moving] = [new Lease(), new Lease()];
    const all = { fixed: [counted(variable('o.many'), 'fixed')], moving: [counted(variable('o.far[5]'), 'moving')] };
    const shown: unknown[] = [];
    for (let number = 0; number < 5; number++) {
      publish();
      shown.push([fixed.ask(all.fixed, frame), moving.ask(all.moving, frame)]);
    }
    expect(shown).to.deep.equal([
      [false, false],
      [true, false],
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(looks).to.deep.equal({ fixed: 1, moving: 5 });
    fixed.changed();
    fixed.ask(all.fixed, frame);
    expect(looks.fixed).to.equal(2);
  });

  it('carries nothing that may not be held', () => {
    const { frame, publish, variable } = bench();
    const lease = new Lease();
    const asked: number[] = [];
    const mayHold = (bytes: number): boolean => asked.push(bytes / PAGE_BYTES) > 1;
    publish();
    for (let number = 0; number < 3; number++) {
      lease.ask([shownOf(variable('o.many'))], frame, mayHold);
      publish();
    }
    // 2 MB of doubles do not begin with a page.
    expect([asked, lease.bytes / PAGE_BYTES]).to.deep.equal([[513, 513], 513]);
    lease.rest();
    expect([lease.ask([shownOf(variable('o.many'))], frame), lease.bytes / PAGE_BYTES]).to.deep.equal([true, 513]);
    lease.end();
    expect([lease.ask([shownOf(variable('o.many'))], frame), lease.bytes / PAGE_BYTES]).to.deep.equal([true, 0]);
  });

  it('says that it does not show what a pointer leads to as long as one of the two is missing', () => {
    const { far, targets, frame, publish, variable } = bench();
    const lease = new Lease();
    const [one, other] = targets;
    far.pointTo(one);
    const value = variable('o.far[5]');
    one[5] = 7;
    const shown: unknown[] = [];
    const look = () => {
      publish();
      shown.push(lease.ask([shownOf(value)], frame) && readVariable(value, frame.memory));
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
    expect([frame.carries(one), readVariable(one, frame.memory)]).to.deep.equal([true, 5]);
  });

  it('goes on with what is held when the state has grown out of its ring', () => {
    const { state, writer, leases, publish, variable, hold } = bench();
    const one = variable('o.many[200000]');
    publish();
    hold(one);
    const ring = createRing(2 * state.arena.usedBytes);
    const next = new FrameWriter(ring, () => undefined, writer);
    const reader = new FrameReader(ring, 1, leases);
    const into = reader.createFrame(headerAt(0));
    for (const number of [2, 3]) {
      next.publish(headerAt(number), state.arena.memory);
      expect([reader.next(into), into.carries(one), into.carries(variable('o.many[0]'))]).to.deep.equal([
        true,
        true,
        false,
      ]);
    }
  });

  it('carries all at first of a state that was carried whole before', () => {
    const { state, variable } = bench();
    const small = new FrameWriter(createRing(1000), () => undefined);
    const ring = createRing(state.arena.usedBytes);
    const reader = new FrameReader(ring);
    new FrameWriter(ring, () => undefined, small).publish(headerAt(1), state.arena.memory);
    const into = reader.createFrame(headerAt(0));
    expect([reader.next(into), into.carries(variable('o.many'))]).to.deep.equal([true, true]);
  });

  it('can be read into no frame of another size', () => {
    const { reader, frame } = bench();
    expect(reader.canReadInto(frame)).to.equal(true);
    expect(new FrameReader(createRing(16)).canReadInto(frame)).to.equal(false);
  });
});
