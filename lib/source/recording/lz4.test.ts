// LZ4, of the tool that everybody has, of programs that compress little, and damaged.
import { expect } from 'chai';
import fc from 'fast-check';
import { unlz4 } from './lz4.js';

/** The text below as `lz4 -BD -B4` has it: blocks of 64 KB that refer to those before, with checksums. */
const FRAME = [
  'BCJNGERAXsoFAADxUTAsMAoxLDEKMiw0CjMsOQo0LDUKNSwzCjYsMwo3LDUKOCw5CjksNAoxMCwxCjExLDAKMTIsMQoxMyw0CjE0',
  'LDkKMTUsNQoxNiwzCjE3LDMKMTgsNQoxOSw5CjIwLDQKMlwA9F4yLDAKMjMsMQoyNCw0CjI1LDkKMjYsNQoyNywzCjI4LDMKMjks',
  'NQozMCw5CjMxLDQKMzIsMQozMywwCjM0LDEKMzUsNAozNiw5CjAsNQoxLDMKMiwzCjMsNQo0LDkKNSw0CjYsMQo3LDAKOCwxrwD1',
  'HzkKMTEsNQoxMiwzCjEzLDMKMTQsNQoxNSw5CjE2LDQKMTcsMQoxOCwwCjE5LDGvAPUfOQoyMiw1CjIzLDMKMjQsMwoyNSw1CjI2',
  'LDkKMjcsNAoyOCwxCjI5LDAKMzAsMa8A8Qc5CjMzLDUKMzQsMwozNSwzCjM2LDUKhgAxLDQKzwBjLDAKNCwxrwATOV4BcTMKOSwz',
  'CjHYAPUIMSw5CjEyLDQKMTMsMQoxNCwwCjE1LDGvABU5XgH1FTMKMjAsMwoyMSw1CjIyLDkKMjMsNAoyNCwxCjI1LDAKMjYsMa8A',
  'FTleAfERMwozMSwzCjMyLDUKMzMsOQozNCw0CjM1LDEKMzYsMArkAQGvABM5XgETMw0C8QA1CjcsOQo4LDQKOSwxCjE2AjUxLDGv',
  'ABU5XgEVMw0C9Qs1CjE4LDkKMTksNAoyMCwxCjIxLDAKMjIsMa8AFTleARUzDQL1CzUKMjksOQozMCw0CjMxLDEKMzIsMAozMywx',
  'rwAUOV4BEzMNAhM1vALTNAo1LDEKNiwwCjcsMa8AFTleARUzDQIVNbwC9QE0CjE2LDEKMTcsMAoxOCwxrwAVOV4BFTMNAhU1vAL1',
  'ATQKMjcsMQoyOCwwCjI5LDGvABU5XgEVMw0CFDW8AhM0awNTMAozLDGvABM5XgETMw0CMTUKMTYCNTEsNGsDZTAKMTQsMa8AFTle',
  'ARUzDQIVNbwCFTRrA2UwCjI1LDGvABU5XgEVMw0CMTUKM+0BNTMsNGsDYzAKMzYsMa8AEzleARMzDQITNbwCEzRrAxUwGgQBrwAV',
  'OV4BFTMNAhU1vAIVNGsDFTAaBAGvABU5XgEVMw0CFTW8AhU0awMVMBoEAa8AFTleARMzDQIhNQrPACMsNGsDEzAaBBM0yQQBXgEV',
  'Mw0CFTW8AhU0awMVMBoEAa8AAckEAV4BFTMNAhU1vAIVNGsDFTAaBAGvAAHJBAFeARUzDQIVNbwCEzRrAxMwGgQTNMkEEzV4BVQz',
  'CjgsNbwCFTRrAxUwGgQBrwAVOV4BAXgFAQ0CFTW8AhU0awMVMBoEAa8AAckEAV4BAXgFAQ0CFTW8AhU0awMVMBoEEzTJBCE1Cs8A',
  'IywzJwZTOQo2LDRrAxQwGgQBrwAVOV4BAXgFAQ0CAScGAbwCFTRrAxUwGgQBrwAByQQBXgEBeAUBDQIBJwYBvAIVNGsDFTAaBAGv',
  'AAHJBAFeAQF4BSEzCk8FIyw51gZTMQo0LDAaBBM0yQQUNXgFAQ0CAScGAbwCAdYGAWsDFTAaBAGvAAHJBAFeAQF4BQENAhU1vAIB',
  '1gYBawMVMBoEAa8AAckEAV4BAXgFAQ0CAScGAbwCFDRrAw+FB',
  '/'.repeat(332),
  '1pQOCw1CjGCAAAAA+H6FTSQ+w+q',
  '/'.repeat(152),
  'xlAxOSwxCgAAAAAd5lVJ',
].join('');
const TEXT = Array.from({ length: 20_000 }, (_, row) => `${row % 37},${(row * row) % 11}\n`).join('');

describe('LZ4', () => {
  const frame = Buffer.from(FRAME, 'base64');

  it('is read, several frames too', () => {
    expect(Buffer.from(unlz4(frame, TEXT.length)).toString()).to.equal(TEXT);
    const twice = Buffer.from(unlz4(Buffer.concat([frame, frame]), 2 * TEXT.length)).toString();
    expect(twice).to.equal(TEXT + TEXT);
  });

  it('may be stored as it is', () => {
    const head = Buffer.from([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 3, 0, 0, 0x80]);
    const stored = Buffer.concat([head, Buffer.from('abc'), Buffer.alloc(4)]);
    expect(Buffer.from(unlz4(stored, 3)).toString()).to.equal('abc');
  });

  it('of another length than it says is refused', () => {
    for (const length of [0, 1, TEXT.length - 1, TEXT.length + 1])
      expect(() => unlz4(frame, length)).to.throw('invalid lz4 data');
  });

  it('of any bytes is read or refused, within its bounds', () => {
    fc.assert(
      fc.property(fc.nat(frame.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (offset, damage) => {
        const bytes = Buffer.from(frame);
        bytes.set(damage.subarray(0, bytes.length - offset), offset);
        for (const each of [bytes, bytes.subarray(0, offset)])
          try {
            expect(unlz4(each, TEXT.length)).to.have.length(TEXT.length);
          } catch (error) {
            expect((error as Error).message).to.equal('invalid lz4 data');
          }
      }),
      { numRuns: 200 },
    );
  });
});
