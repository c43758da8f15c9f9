// Text as ASCII replies carry it.
import { expect } from 'chai';
import fc from 'fast-check';
import { escapeBytes } from './text-escapes.js';

const escaped = (...bytes: number[]): string => escapeBytes(Buffer.from(bytes), 0, bytes.length);

describe('text escapes', () => {
  it('shows control characters as backslash letters and a carriage return as a newline', () => {
    expect(escaped(7, 8, 9, 10, 11, 12, 13)).to.equal('\\a\\b\\t\\n\\v\\f\\n');
  });

  it('shows other unprintable bytes as two lower-case hexadecimal digits', () => {
    expect(escaped(0x01, 0x1b, 0x7f, 0xc3, 0xa9)).to.equal('\\x01\\x1b\\x7f\\xc3\\xa9');
  });

  it('leaves quotes, backslashes and braces as they are', () => {
    expect(escapeBytes(Buffer.from('"\\\' {m}'), 0, 7)).to.equal('"\\\' {m}');
  });

  it('takes the bytes between start and end only', () => {
    expect(escapeBytes(Buffer.from('a\tb\tc'), 1, 4)).to.equal('\\tb\\t');
  });

  it('lets nothing through that is not printable ASCII', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => /^[ -~]*$/.test(escaped(...bytes))));
  });
});
