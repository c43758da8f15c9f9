// A template gives the same bytes as the encoder.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Frame } from '../../../model/frame/reader.js';
import { double } from '../../../model/state/declare.js';
import { sizeOf } from '../../../model/state/type.js';
import { createFixture } from '../../../testing/aids/fixture/state.js';
import { encodeList, encodeListJoined, listEncoder } from './list-encoder.js';
import type { ListFormat } from './list-format.js';
import { templateOf } from './list-template.js';
import { MESSAGES } from './messages.js';
import { type Names, ReferenceTable } from './reference.js';

const varList = MESSAGES.varList.indicator;
const NAMELESS: ListFormat = { form: 'binary', withNames: false, isByteSwapped: false };

/** Elements, what lies behind pointers and in containers, names of nothing, and a component that comes and goes. */
const OTHERS = ['big_d[599]', 'names[1]', 'strs[1]', 'vd[1]', 'vd[7]', 'dyn[1]', 'dyn_sensors[1].id', 'vehicle', 'none']
  .map((name) => `fx.all.${name}`)
  .concat('time', 'fx.late', 'fx..', '');
const SAMPLE = createFixture();
const SAMPLE_FRAME = SAMPLE.snapshot();
const SAMPLE_TABLE = new ReferenceTable(SAMPLE);
const NAMES = [...[...SAMPLE.catalog.variables()].map(({ path }) => path), ...OTHERS];
const FIXED = NAMES.filter((name) => SAMPLE_TABLE.hold(name).isFixedIn(SAMPLE_FRAME));

/** A fixture whose numbers are other bytes in every frame. */
function setUp() {
  const fixture = createFixture();
  let late: { value: number } | undefined;
  return {
    fixture,
    /** `fx.late` comes, each time in another place, or goes. */
    toggleLate(seed: number): void {
      if (late) {
        fixture.fx.remove('late');
        fixture.fx.component(`filler_${fixture.state.version}`, double(), seed);
      }
      late = late ? undefined : fixture.fx.component('late', double(), seed);
    },
    resize(seed: number): void {
      fixture.all.str = 'x'.repeat(seed % 60);
      fixture.all.vd.length = seed % 8;
    },
    snapshot(seed: number): Frame {
      const frame = fixture.snapshot(seed * 1000);
      scramble(frame, fixture, seed);
      return frame;
    },
  };
}

/** Other bytes in every number of a frame. */
function scramble(frame: Frame, names: Names, seed: number): void {
  const table = new ReferenceTable(names);
  for (const name of FIXED) {
    const leaves = table.hold(name).leavesIn(frame);
    if (!leaves) continue;
    const { element, offsetBytes, count } = leaves;
    for (let i = 0; i < count * sizeOf(element); i++)
      frame.memory.bytes[offsetBytes + i] = Math.imul(seed + offsetBytes + i, 40503) >> 8;
  }
}

const listOf = (names: readonly string[]) => fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 40 });
const format = fc.record({
  form: fc.constant('binary' as const),
  withNames: fc.boolean(),
  isByteSwapped: fc.boolean(),
});
const step = fc.record({
  seed: fc.nat(1_000_000),
  change: fc.constantFrom('values', 'values', 'values', 'sizes', 'catalog'),
});

describe('the template of a binary list', () => {
  it('gives the bytes that encoding each frame by itself gives, which stay as they are', () => {
    fc.assert(
      fc.property(
        fc.oneof(listOf(FIXED), listOf(NAMES)),
        format,
        fc.array(step, { minLength: 3, maxLength: 8 }),
        (names, format, steps) => {
          const { fixture, resize, toggleLate, snapshot } = setUp();
          const hold = (table = new ReferenceTable(fixture)) => names.map((name) => table.hold(name));
          const encode = listEncoder(varList, hold(), format);
          const messages = steps.map(({ seed, change }) => {
            if (change === 'sizes') resize(seed);
            if (change === 'catalog') toggleLate(seed);
            const frame = snapshot(seed);
            return { given: encode(frame), expected: Buffer.concat(encodeList(varList, hold(), format, frame)) };
          });
          for (const { given, expected } of messages) expect(expected.equals(given)).to.equal(true);
        },
      ),
    );
  });

  for (const isByteSwapped of [false, true]) {
    it(`holds for every variable of fixed size${isByteSwapped ? ', swapped' : ''}, over many messages`, () => {
      const { fixture, snapshot } = setUp();
      const table = new ReferenceTable(fixture);
      const references = [...FIXED, ...FIXED].map((name) => table.hold(name));
      const format = { ...NAMELESS, withNames: true, isByteSwapped };
      const template = templateOf(varList, references, format, snapshot(1));
      const frame = snapshot(2);
      const messages = encodeList(varList, references, format, frame);
      expect(messages.length).to.be.greaterThan(2);
      expect(Buffer.concat(messages).equals(template?.fill(frame) as Uint8Array)).to.equal(true);
    });
  }

  it('is there for numbers, time, characters and names of nothing, not for what may change its size or place', () => {
    const { fixture, snapshot } = setUp();
    const table = new ReferenceTable(fixture);
    const hasTemplate = (name: string): boolean =>
      templateOf(varList, [table.hold('fx.all.d'), table.hold(name)], NAMELESS, snapshot(1)) !== undefined;
    for (const name of ['time', 'fx.all.d3', 'fx.all.name', 'fx.all.flags.mid', 'fx.all.vehicle', 'nothing'])
      expect(hasTemplate(name), name).to.equal(true);
    for (const name of ['str', 'strs', 'cp', 'wp', 'vd', 'vd[1]', 'dyn', 'dyn[1]', 'null_dyn'])
      expect(hasTemplate(`fx.all.${name}`), name).to.equal(false);
  });

  it('follows a variable that goes and comes back in another place', () => {
    const { fixture, toggleLate, snapshot } = setUp();
    const table = new ReferenceTable(fixture);
    const references = [table.hold('fx.late'), table.hold('fx.all.d')];
    const encode = listEncoder(varList, references, NAMELESS);
    const places: unknown[] = [];
    for (let frameNumber = 0; frameNumber < 12; frameNumber++) {
      if (frameNumber % 3 === 0) toggleLate(frameNumber);
      const frame = snapshot(frameNumber);
      expect(encode(frame)).to.deep.equal(encodeListJoined(varList, references, NAMELESS, frame));
      places.push(references[0]?.leavesIn(frame)?.offsetBytes);
    }
    expect(new Set(places).size).to.equal(3);
  });
});
