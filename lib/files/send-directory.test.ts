// Files that clients may read: those of one directory, in pieces.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SendDirectory } from './send-directory.js';

const MIB = 1024 * 1024;

describe('a directory whose files clients may read', () => {
  let outside: string;
  let files: SendDirectory;
  const path = (name: string): string => join(outside, 'files', name);
  before(() => {
    outside = mkdtempSync(join(tmpdir(), 'varwire-send-'));
    mkdirSync(path('inner'), { recursive: true });
    writeFileSync(join(outside, 'secret'), 'secret');
    writeFileSync(path('small'), 'small');
    writeFileSync(path('empty'), '');
    writeFileSync(path('large'), Buffer.alloc(3 * MIB, 'abcdefg'));
    writeFileSync(path('too large'), '');
    truncateSync(path('too large'), 30 * MIB + 1);
    symlinkSync(join(outside, 'secret'), path('link'));
    files = new SendDirectory(join(outside, 'files'));
  });
  after(() => rmSync(outside, { recursive: true }));

  function read(name: string): { readonly bytes: Uint8Array | undefined; readonly pieces: number } {
    const reading = files.read(name);
    for (let pieces = 1; ; pieces++) {
      const { done, value } = reading.next();
      if (done) return { bytes: value, pieces };
    }
  }

  it('gives a small file at once and a large one in pieces', () => {
    expect(read('small')).to.deep.equal({ bytes: Buffer.from('small'), pieces: 1 });
    expect(read('empty')).to.deep.equal({ bytes: Buffer.alloc(0), pieces: 1 });
    const { bytes, pieces } = read('large');
    expect(pieces).to.equal(6);
    expect(Buffer.alloc(3 * MIB, 'abcdefg').equals(bytes as Uint8Array)).to.equal(true);
  });

  it('gives nothing else', () => {
    for (const name of ['none', '', '.', 'inner', '../secret', 'link', join(outside, 'secret'), 'a\0b', 'too large'])
      expect(read(name), name).to.deep.equal({ bytes: undefined, pieces: 1 });
    const [none] = [new SendDirectory(undefined).read('small').next()];
    expect(none).to.deep.equal({ done: true, value: undefined });
  });

  it('gives nothing of a file that becomes shorter while it is read', () => {
    writeFileSync(path('shrinking'), Buffer.alloc(2 * MIB));
    const reading = files.read('shrinking');
    reading.next();
    truncateSync(path('shrinking'), 100);
    expect(reading.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('takes no memory for a file before there is room for it', () => {
    const asked: number[] = [];
    const refuse = (bytes: number): void => {
      asked.push(bytes);
      throw new Error('no room');
    };
    expect(files.read('large', refuse).next()).to.deep.equal({ done: true, value: undefined });
    expect(files.read('link', refuse).next()).to.deep.equal({ done: true, value: undefined });
    expect(asked).to.deep.equal([3 * MIB]);
  });
});
