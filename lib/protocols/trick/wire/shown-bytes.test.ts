// What a list asks frames of a large state for: no more than its messages show, and all of that.
import { expect } from 'chai';
import { Lease } from '../../../model/frame/lease.js';
import { PAGE_BYTES } from '../../../model/frame/page-map.js';
import { FrameReader } from '../../../model/frame/reader.js';
import { createRing, FrameWriter } from '../../../model/frame/ring.js';
import { Catalog } from '../../../model/state/catalog.js';
import { array, chars, double, int, pointer, text, wideChars } from '../../../model/state/declare.js';
import { State } from '../../../model/state/state.js';
import { frameOf, headerAt } from '../../../testing/aids/frames.js';
import { encodeListJoined } from './list-encoder.js';
import { INITIAL_FORMAT } from './list-format.js';
import { MESSAGES } from './messages.js';
import { ReferenceTable } from './reference.js';

const MANY = 200_000;
const PATHS = ['far', 'many', 'digits', 'rows', 'letters', 'wide', 'few', 'short'].map((name) => `o.${name}`);

/** A state of several megabytes with values that differ everywhere, and both ends of its ring. */
function setUp() {
  const state = new State();
  const object = state.addObject('o');
  const far = object.component('far', pointer(double({ units: 'm' })));
  far.pointTo(
    object.component(
      'many',
      double(MANY),
      Array.from({ length: MANY }, (_, k) => k + 0.5),
    ),
  );
  object.component('digits', int(MANY)).fill(7);
  object.component('rows', array(double(100), 500)).forEach((row, k) => {
    row.fill(k);
  });
  object.component('letters', chars(50_000), 'x'.repeat(49_999));
  object.component('wide', wideChars(50_000), 'y'.repeat(49_999));
  object.component('few', pointer(double()), [1, 2, 3]);
  object.component('short', text(100), 'short');
  const ring = createRing(new Catalog(state.describe()).arenaBytes);
  const writer = new FrameWriter(ring, () => undefined);
  const reader = new FrameReader(ring);
  const frame = reader.createFrame(headerAt(0));
  let number = 0;
  const publish = (): void => {
    writer.publish({ ...headerAt(++number), catalogVersion: state.version }, state.arena.memory);
    expect(reader.next(frame)).to.equal(true);
  };
  const whole = () => frameOf(state, { ...headerAt(999), catalogVersion: state.version });
  const table = new ReferenceTable({ catalog: new Catalog(state.describe()) });
  return { frame, publish, whole, hold: (path: string) => table.hold(path) };
}

describe('what a Trick list asks of frames of a large state', () => {
  for (const form of ['ascii', 'binary'] as const)
    for (const path of PATHS)
      it(`is enough for ${path} in ${form} form, and at most 8,192 elements`, () => {
        const { frame, publish, whole, hold } = setUp();
        const reference = hold(path);
        const lease = new Lease();
        publish();
        for (let frames = 0; !lease.ask([reference], frame) && frames < 4; frames++) publish();
        expect(lease.ask([reference], frame)).to.equal(true);
        const carried = frame.pages?.carried.bytesOf(frame.memory.bytes.length) ?? Number.POSITIVE_INFINITY;
        // The pointer's own page, and a page that is shared at both ends.
        expect(carried).to.be.at.most(8 * 8192 + 3 * PAGE_BYTES);
        const format = { ...INITIAL_FORMAT, form };
        const bytesIn = (shown: typeof frame) =>
          Buffer.from(encodeListJoined(MESSAGES.varList.indicator, [reference], format, shown));
        expect(bytesIn(frame).equals(bytesIn(whole()))).to.equal(true);
      });
});
