// Messages cut out of a byte stream, and messages put together from results.
import { fromBinary } from '@bufbuild/protobuf';
import { expect } from 'chai';
import fc from 'fast-check';
import { FrameSplitter, FramingError, framed } from './frame-splitter.js';
import { Schema } from './messages.js';
import { ResponseWriter, streamResult, valueResult } from './results.js';

const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });

describe('the framing of kRPC', () => {
  it('gives back all messages, however the bytes are cut', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(framed));
        const splitter = new FrameSplitter(1000);
        const got: number[][] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const end = at + (cuts[turn % cuts.length] as number);
          splitter.push(bytes.subarray(at, end));
          at = end;
          while (splitter.hasNext) got.push([...(splitter.next() as Uint8Array)]);
          expect(splitter.next()).to.equal(undefined);
        }
        expect(got).to.deep.equal(sent.map((one) => [...one]));
        expect(splitter.heldBytes).to.equal(0);
      }),
    );
  });

  it('gives back the bytes behind a message once', () => {
    const splitter = new FrameSplitter(10);
    splitter.push(Buffer.from([1, 65, 2, 66]));
    expect([...(splitter.next() as Uint8Array)]).to.deep.equal([65]);
    expect([...splitter.rest()]).to.deep.equal([2, 66]);
    expect(splitter.next()).to.equal(undefined);
  });

  it('refuses a message that is too long before it has come, and a length that is none', () => {
    const long = new FrameSplitter(10);
    long.push(Buffer.from([11]));
    expect(() => long.next()).to.throw(FramingError, 'a message may have 10 bytes, and one has 11');
    for (const bytes of [
      [0xff, 0xff, 0xff, 0xff, 0xff],
      [0x80, 0x80, 0x80, 0x80, 0x10],
    ]) {
      const bad = new FrameSplitter(10);
      bad.push(Buffer.from(bytes));
      expect(bad.hasNext).to.equal(true);
      expect(() => bad.next()).to.throw(FramingError, 'more than 32 bits');
    }
  });

  it('takes a message that comes byte by byte', () => {
    const body = Uint8Array.from({ length: 50_000 }, (_, index) => index % 251);
    const splitter = new FrameSplitter(body.length);
    const got: Uint8Array[] = [];
    for (const byte of framed(body)) {
      splitter.push(Uint8Array.of(byte));
      const message = splitter.next();
      if (message) got.push(Uint8Array.from(message));
    }
    expect(got).to.deep.equal([body]);
  });
});

describe('a stream update put together from results', () => {
  it('is the message that the protobuf library reads', () => {
    const result = fc.record({
      id: fc.nat(2 ** 31 - 1),
      value: fc.uint8Array({ maxLength: 200 }),
      isNull: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(result, { maxLength: 30 }), (results) => {
        const parts = results.map(({ id, value, isNull }) => streamResult(id, valueResult(value, isNull)));
        const read = fromBinary(Schema.StreamUpdate, Buffer.concat(parts)).results;
        expect(
          read.map(({ id, result: one }) => ({ id: Number(id), value: one?.value, isNull: one?.isNull })),
        ).to.deep.equal(results);
      }),
    );
  });
});

describe('a response put together from results', () => {
  it('is the message that the protobuf library reads, in pieces of at most 64 KB beside long results', () => {
    const length = fc.oneof(fc.nat(200), fc.constantFrom(16_380, 16_385, 20_000, 70_000));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 60 }), (lengths) => {
        const values = lengths.map((count, index) => new Uint8Array(count).fill(index));
        const writer = new ResponseWriter();
        for (const value of values) writer.add(valueResult(value, false));
        const { pieces } = writer.end();
        const bytes = Buffer.concat(pieces);
        expect(fromBinary(Schema.Response, bytes).results.map(({ value }) => value)).to.deep.equal(values);
        for (const piece of pieces) expect(piece.length).to.be.within(1, Math.max(65_536, ...lengths) + 8);
      }),
    );
  });
});
