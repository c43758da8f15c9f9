// Pointers into memory that is freed become null, wherever they lie, and each is looked at once.
import { expect } from 'chai';
import fc from 'fast-check';
import { Arena } from './arena.js';
import { double, pointer, struct } from './declare.js';
import type { Memory } from './memory.js';
import { clearPointersInto, type Range, rangeOf } from './pointers.js';
import { State } from './state.js';
import { SEQUENCE_HEADER_BYTES, strideOf, structType, type Type } from './type.js';

const DOUBLE: Type = { kind: 'number', name: 'double' };
const TO_DOUBLE: Type = { kind: 'pointer', target: DOUBLE };
const memberOf = (type: Type, index: number) =>
  ({ name: `m${index}`, type, units: '--', about: '', access: 'read-write' }) as const;
const LINK = structType('Link', [memberOf(TO_DOUBLE, 0)]);

const { type: anyType } = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Type>(
      TO_DOUBLE,
      DOUBLE,
      { kind: 'number', name: 'char' },
      { kind: 'text', form: 'string', capacityBytes: 5 },
      { kind: 'pointer', target: LINK },
    ),
    fc
      .tuple(tie('type'), fc.integer({ min: 0, max: 4 }), fc.boolean())
      .map(([element, length, isContainer]): Type => ({ kind: 'array', element, length, isContainer })),
    fc
      .tuple(tie('type'), fc.integer({ min: 1, max: 4 }))
      .map(([element, capacity]): Type => ({ kind: 'sequence', container: 'vector', element, capacity })),
    fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map((types) => structType('S', types.map(memberOf))),
  ),
}));

/** The pointers of a value one by one, as its type nests; those of all elements that sequences have room for. */
function pointersOf(type: Type, offset: number): number[] {
  const each = (element: Type, base: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => pointersOf(element, base + i * strideOf(element))).flat();
  if (type.kind === 'pointer') return [offset];
  if (type.kind === 'array') return each(type.element, offset, type.length);
  if (type.kind === 'sequence') return each(type.element, offset + SEQUENCE_HEADER_BYTES, type.capacity);
  if (type.kind === 'struct') return type.members.flatMap((own) => pointersOf(own.type, offset + own.offsetBytes));
  return [];
}

/** How often offsets of targets are read while something is done. */
function readsIn({ view }: Memory, work: () => void): number {
  let reads = 0;
  view.getUint32 = (...given) => {
    reads++;
    return DataView.prototype.getUint32.apply(view, given);
  };
  work();
  return reads;
}

describe('pointers into memory that is freed', () => {
  it('become null exactly when they point into it, in values of any type', () => {
    const someOrMany = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: fc.constant(3000) },
    );
    const target = fc.integer({ min: 0, max: 40 });
    const property = fc.property(
      fc.array(fc.record({ type: anyType, count: someOrMany }), { minLength: 1, maxLength: 6 }),
      fc.array(target, { minLength: 50, maxLength: 50 }),
      fc.array(fc.tuple(target, target)),
      (wanted, targets, gone) => {
        const arena = new Arena();
        const holders = wanted.map(({ type, count }) => {
          const whole: Type = { kind: 'array', element: type, length: count, isContainer: false };
          return { type, count, whole, offsetBytes: arena.allocate(whole) };
        });
        const { memory } = arena;
        memory.bytes.fill(0x41, 0, arena.usedBytes);
        const places = holders.flatMap(({ whole, offsetBytes }) => pointersOf(whole, offsetBytes));
        for (const [index, at] of places.entries()) {
          memory.view.setUint32(at, targets[index % targets.length] as number, true);
          memory.view.setUint32(at + 4, 1, true);
        }
        const ranges: Range[] = gone.map(([start, length]) => ({ startBytes: start, endBytes: start + (length >> 2) }));
        const expected = Buffer.from(memory.bytes);
        for (const at of places) {
          const aimed = memory.view.getUint32(at, true);
          if (ranges.some(({ startBytes, endBytes }) => aimed >= startBytes && aimed < endBytes))
            expected.fill(0, at, at + 8);
          else if (aimed === 0) expect(memory.view.getUint32(at + 4, true)).to.equal(1);
        }
        // A null pointer stays as it is, also when a range begins at 0.
        for (const at of places) if (memory.view.getUint32(at, true) === 0) expected[at + 4] = 1;
        clearPointersInto(ranges, memory, holders);
        expect(memory.bytes.equals(expected)).to.equal(true);
      },
    );
    fc.assert(property);
  });

  it('are looked at once, however many pointers lead to them, and only when they are not null', () => {
    const arena = new Arena();
    const links = { type: LINK, count: 100_000, offsetBytes: arena.allocate(LINK, 100_000) };
    const toLinks: Type = { kind: 'pointer', target: LINK };
    const heads = { type: toLinks, count: 60, offsetBytes: arena.allocate(toLinks, 60) };
    const nulls = { type: TO_DOUBLE, count: 1_000_000, offsetBytes: arena.allocate(TO_DOUBLE, 1_000_000) };
    const gone = arena.allocate(DOUBLE, 10);
    const { view } = arena.memory;
    for (let i = 0; i < 60; i++) {
      view.setUint32(heads.offsetBytes + 8 * i, links.offsetBytes, true);
      view.setUint32(heads.offsetBytes + 8 * i + 4, links.count, true);
    }
    for (let i = 0; i < 100; i++) view.setUint32(links.offsetBytes + 8 * (999 * i), gone + 8 * (i % 11), true);
    const work = () => clearPointersInto([rangeOf(DOUBLE, gone, 10)], arena.memory, [links, heads, nulls]);
    expect(readsIn(arena.memory, work)).to.equal(60 + 100);
    const left = Array.from({ length: 100 }, (_, i) => view.getUint32(links.offsetBytes + 8 * (999 * i), true));
    expect(left.map((target) => target !== 0)).to.deep.equal(left.map((_, i) => i % 11 === 10));
    expect(view.getUint32(heads.offsetBytes, true)).to.equal(links.offsetBytes);
  });

  it('are found in what belongs to components, and nowhere when that is gone', () => {
    const state = new State();
    const o = state.addObject('o');
    const Link = struct('Link', { at: pointer(double()) });
    const links = o.component('links', pointer(Link), [{}, {}, {}]);
    o.component('value', double());
    o.component('others', pointer(Link), [{}]);
    const [owned = { offsetBytes: 0 }, ...more] = state.allocations.holdersOfPointers;
    expect(more).to.have.length(1);
    const value = state.describe().objects[0]?.type.members[1]?.offsetBytes as number;
    const { view } = state.arena.memory;
    view.setUint32(owned.offsetBytes + 8, value, true);
    // Nothing points at the links any more, but a pointer may be set to them again.
    links.clear();
    o.remove('value');
    expect(view.getUint32(owned.offsetBytes + 8, true)).to.equal(0);
    state.removeComponents('o', ['others', 'links'], 'all');
    expect([...state.allocations.holdersOfPointers]).to.have.length(0);
  });

  it('are looked for once when many components or objects go', () => {
    const state = new State();
    const kept = state.addObject('kept');
    kept.component('aimed', pointer(double()), [1]);
    const names = Array.from({ length: 50 }, (_, i) => `o${i}`);
    for (const name of names) state.addObject(name).components({ a: double(), b: double(), c: double() });
    const { memory } = state.arena;
    expect(readsIn(memory, () => state.removeComponents('o0', ['a', 'b'], 'all'))).to.equal(1);
    expect(readsIn(memory, () => state.removeObjects(names, 'all'))).to.equal(1);
    expect(state.aliasesOf('kept')).to.deep.equal(['aimed']);
  });
});
