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

  /** Reads it from its beginning to its end. @param between called before each piece but the first. */
  async function read(name: string, between = (): void => undefined) {
    let pieces = 1;
    const turn = async (): Promise<void> => {
      between();
      pieces++;
    };
    return { bytes: await files.read(name, () => undefined, turn), pieces };
  }

  it('gives a small file at once and a large one in pieces', async () => {
    expect(await read('small')).to.deep.equal({ bytes: Buffer.from('small'), pieces: 1 });
    expect(await read('empty')).to.deep.equal({ bytes: Buffer.alloc(0), pieces: 1 });
    const { bytes, pieces } = await read('large');
    expect(pieces).to.equal(6);
    expect(Buffer.alloc(3 * MIB, 'abcdefg').equals(bytes as Uint8Array)).to.equal(true);
  });

  it('gives nothing else', async () => {
    for (const name of ['none', '', '.', 'inner', '../secret', 'link', join(outside, 'secret'), 'a\0b', 'too large'])
      expect(await read(name), name).to.deep.equal({ bytes: undefined, pieces: 1 });
    const none = new SendDirectory(undefined);
    expect(
      await none.read(
        'small',
        () => undefined,
        () => Promise.resolve(),
      ),
    ).to.equal(undefined);
  });

  it('gives nothing of a file that becomes shorter while it is read, or whose client goes', async () => {
    writeFileSync(path('shrinking'), Buffer.alloc(2 * MIB));
    const { bytes } = await read('shrinking', () => truncateSync(path('shrinking'), 100));
    expect(bytes).to.equal(undefined);
    const gone = (): never => {
      throw new Error('the client has gone');
    };
    expect(await read('large', gone)).to.deep.equal({ bytes: undefined, pieces: 1 });
  });

  it('takes no memory for a file before there is room for it', async () => {
    const asked: number[] = [];
    const refuse = (bytes: number): void => {
      asked.push(bytes);
      throw new Error('no room');
    };
    const turn = (): never => expect.fail('nothing is read');
    for (const name of ['large', 'link']) expect(await files.read(name, refuse, turn)).to.equal(undefined);
    expect(asked).to.deep.equal([3 * MIB]);
  });
});
