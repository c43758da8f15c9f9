// Where one message ends and the next begins, wherever the bytes are cut.
import { expect } from 'chai';
import { ProtocolError } from './errors.js';
import { type Message, MessageSplitter } from './message-splitter.js';

const bytes = (...parts: (string | number[] | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

/** send_once of one int `i` = 5: indicator, size, count, name length, name, type, size, value. */
const INT = bytes([5, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 'i', [6, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0]);
const SWAPPED_INT = bytes([0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1], 'i', [0, 0, 0, 6, 0, 0, 0, 4, 0, 0, 0, 5]);
const STREAM = bytes(
  '0\t1.5\ttext\n',
  '1\t1\r\n',
  '4 2 6\na\n\tb\n!',
  '2\t5\n</si\n',
  '2\t-1\n',
  '5\t\n',
  '6\tBAD_REF\n',
  INT,
  [1, 0, 0, 0, 1],
  [3, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0],
  [6, 0, 0, 0, 10, 0, 0, 0],
  SWAPPED_INT,
  '3\t0\n',
);
const EXPECTED: readonly Message[] = [
  { kind: 'line', indicator: 0, text: '1.5\ttext' },
  { kind: 'line', indicator: 1, text: '1' },
  { kind: 'stdio', indicator: 4, stream: 'stderr', text: 'a\n\tb\n!' },
  { kind: 'file', indicator: 2, bytes: Buffer.from('</si\n') },
  { kind: 'file', indicator: 2, bytes: undefined },
  { kind: 'line', indicator: 5, text: '' },
  { kind: 'line', indicator: 6, text: 'BAD_REF' },
  { kind: 'binary', indicator: 5, isByteSwapped: false, bytes: INT },
  { kind: 'binary', indicator: 1, isByteSwapped: false, bytes: Buffer.from([1, 0, 0, 0, 1]) },
  { kind: 'binary', indicator: 3, isByteSwapped: false, bytes: Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0]) },
  { kind: 'binary', indicator: 6, isByteSwapped: false, bytes: Buffer.from([6, 0, 0, 0, 10, 0, 0, 0]) },
  { kind: 'binary', indicator: 0, isByteSwapped: true, bytes: SWAPPED_INT },
  { kind: 'line', indicator: 3, text: '0' },
];

describe('MessageSplitter', () => {
  it('finds every message of a stream that comes in one piece', () => {
    expect(new MessageSplitter().push(STREAM)).to.deep.equal(EXPECTED);
  });

  it('finds the same messages in two pieces, at every cut point', () => {
    for (let cut = 0; cut <= STREAM.length; cut++) {
      const splitter = new MessageSplitter();
      const found = [...splitter.push(STREAM.subarray(0, cut)), ...splitter.push(STREAM.subarray(cut))];
      expect(found, `cut at ${cut}`).to.deep.equal(EXPECTED);
    }
  });

  it('finds the same messages a byte at a time, each as soon as its last byte is there', () => {
    const splitter = new MessageSplitter();
    const found = [...STREAM].flatMap((byte) => splitter.push(Buffer.of(byte)));
    expect(found).to.deep.equal(EXPECTED);
  });

  const strangers: readonly [what: string, sent: Buffer][] = [
    ['text of another protocol', bytes('HTTP/1.1 400 Bad Request\r\n')],
    ['a number that is no indicator', bytes('01\t2\n')],
    ['an indicator above 6', bytes([9, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0])],
    ['a size larger than any message', bytes([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
    ['a binary message that is shorter than its header', Buffer.alloc(64)],
    ['a binary message longer than those of Trick', bytes([0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0])],
    ['a file larger than any message', bytes('2\t99999999999\n')],
  ];
  for (const [what, sent] of strangers) {
    it(`refuses ${what}`, () => {
      expect(() => new MessageSplitter().push(sent)).to.throw(ProtocolError);
    });
  }

  it('finds a long line that comes in many pieces, and what follows it in the last of them', () => {
    const splitter = new MessageSplitter();
    const digits = '1234567890'.repeat(100);
    expect(splitter.push(bytes('0\t'))).to.deep.equal([]);
    for (let piece = 0; piece < 100; piece++) expect(splitter.push(bytes(digits))).to.deep.equal([]);
    const found = splitter.push(bytes('\n3\t1\n0\t'));
    expect(found).to.deep.equal([
      { kind: 'line', indicator: 0, text: digits.repeat(100) },
      { kind: 'line', indicator: 3, text: '1' },
    ]);
    expect(splitter.push(bytes('2\n'))).to.deep.equal([{ kind: 'line', indicator: 0, text: '2' }]);
  });
});
