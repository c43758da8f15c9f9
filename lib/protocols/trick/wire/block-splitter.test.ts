// Bytes become blocks, wherever they are cut.
import { expect } from 'chai';
import fc from 'fast-check';
import { BlockSplitter, type BlockTaker, blockText, MAX_BLOCK_BYTES } from './block-splitter.js';

const NOTHING: BlockTaker = { block: () => undefined, tooLong: () => undefined, notText: () => undefined };

/** What a splitter makes of chunks. */
function split(...chunks: readonly (string | Buffer)[]): { blocks: string[]; tooLong: number[]; notText: string[] } {
  const blocks: string[] = [];
  const notText: string[] = [];
  const tooLong: number[] = [];
  const splitter = new BlockSplitter({
    block: (block) => blocks.push(block),
    tooLong: (bytes) => tooLong.push(bytes),
    notText: (sentence) => notText.push(sentence),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk as string));
  return { blocks, tooLong, notText };
}

const TEXT = Buffer.from('trick.var_add("é")\r\nif True:\n  pass\n\nrest');

describe('a stream of commands', () => {
  it('is a block up to the last newline that has arrived', () => {
    expect(split('a\nb\nc').blocks).to.deep.equal(['a\nb\n']);
    expect(split('a\nb\nc', '\n').blocks).to.deep.equal(['a\nb\n', 'c\n']);
    expect(split('a', 'b', 'c\nd', '\n').blocks).to.deep.equal(['abc\n', 'd\n']);
    expect(split('\n').blocks).to.deep.equal(['\n']);
    expect(split('', '').blocks).to.deep.equal([]);
  });

  it('is the same lines wherever it is cut in two', () => {
    for (let cut = 0; cut <= TEXT.length; cut++) {
      const { blocks } = split(TEXT.subarray(0, cut), TEXT.subarray(cut));
      expect(blocks.join(''), `cut at ${cut}`).to.equal('trick.var_add("é")\nif True:\n  pass\n\n');
    }
  });

  it('is the same lines byte by byte', () => {
    const { blocks } = split(...[...TEXT].map((byte) => Buffer.of(byte)));
    expect(blocks).to.deep.equal(['trick.var_add("é")\n', 'if True:\n', '  pass\n', '\n']);
  });

  it('is the same lines however it is cut', () => {
    const line = fc.constantFrom('a', 'b\r', '', '\r', 'x y', '\xe9');
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const ends = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        const chunks = [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
        expect(split(...chunks).blocks.join('')).to.equal(bytes.toString().replaceAll('\r', ''));
      }),
    );
  });

  it('does not keep the chunk it came in', () => {
    const chunk = Buffer.from('a\nbc');
    const blocks: string[] = [];
    const splitter = new BlockSplitter({ ...NOTHING, block: (block) => blocks.push(block) });
    splitter.push(chunk);
    chunk.fill('x');
    splitter.push(Buffer.from('\n'));
    expect(blocks).to.deep.equal(['a\n', 'bc\n']);
  });
});

describe('bytes that are no UTF-8', () => {
  const latin1 = Buffer.from('trick.var_set("o.name", "new name é")\nx = 1\n', 'latin1');
  const sentence = "SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0xe9 in position 34";

  it('drop their block with what Python says, and no other', () => {
    const made = split('a\n', latin1, 'trick.var_set("o.name", "é")\n');
    expect(made.blocks).to.deep.equal(['a\n', 'trick.var_set("o.name", "é")\n']);
    expect(made.notText).to.deep.equal([sentence]);
  });

  it('do so wherever they are cut', () => {
    for (let cut = 1; cut <= latin1.indexOf('\n'); cut++)
      expect(split(latin1.subarray(0, cut), latin1.subarray(cut)).notText, `cut at ${cut}`).to.deep.equal([sentence]);
  });

  it('are all that is no UTF-8: too short, too long, half a pair, out of range', () => {
    for (const hex of ['c3', 'e282', 'c0af', 'eda080', 'f4908080', '80', 'ff', 'efbf']) {
      const { blocks, notText } = split(Buffer.from(`22${hex}220a`, 'hex'));
      expect([blocks.length, notText.length], hex).to.deep.equal([0, 1]);
    }
    expect(split('"\u{10ffff}\ufffd"\n').blocks).to.have.length(1);
  });

  it('are told of long blocks and datagrams too', () => {
    const notText: string[] = [];
    const splitter = new BlockSplitter({
      ...NOTHING,
      notText: (one) => notText.push(one),
      long: { aboveBytes: 4, take: () => expect.fail() },
    });
    splitter.push(latin1);
    splitter.pushWhole(latin1);
    expect(notText).to.deep.equal([sentence, sentence]);
  });
});

describe('text without a newline', () => {
  const long = Buffer.alloc(MAX_BLOCK_BYTES + 1, 'x');

  it('is dropped when it gets too long, and what follows its end is taken', () => {
    const { blocks, tooLong } = split(long, 'xxx', 'xx\nafter\n', 'more\n');
    expect(blocks).to.deep.equal(['after\n', 'more\n']);
    expect(tooLong).to.have.length(1);
    expect(tooLong[0]).to.be.greaterThan(MAX_BLOCK_BYTES);
  });

  it('is dropped with what stands on its own last line only', () => {
    expect(split(long, 'y\n', 'a\n').blocks).to.deep.equal(['a\n']);
    expect(split(long, '\n').blocks).to.deep.equal([]);
  });

  it('may be as long as the limit', () => {
    const most = Buffer.alloc(MAX_BLOCK_BYTES - 1, 'x');
    expect(split(most, '\n').blocks.map(({ length }) => length)).to.deep.equal([MAX_BLOCK_BYTES]);
  });

  it('costs no more the more pieces it comes in', () => {
    const blocks: string[] = [];
    const splitter = new BlockSplitter({ ...NOTHING, block: (block) => blocks.push(block) });
    for (let k = 0; k < 90_000; k++) splitter.push(Buffer.from('xx'));
    splitter.push(Buffer.from('\n'));
    expect(blocks[0]).to.have.length(180_001);
  });
});

describe('a long block', () => {
  it('is handed on as bytes, which are not copied, and becomes text when it is needed', () => {
    const texts: string[] = [];
    const long: Buffer[] = [];
    const splitter = new BlockSplitter({
      ...NOTHING,
      block: (text) => texts.push(text),
      long: { aboveBytes: 4, take: (bytes) => long.push(bytes) },
    });
    const chunk = Buffer.from('a\r\né\r\n');
    splitter.push(Buffer.from('a\r\n\n'));
    splitter.push(chunk);
    splitter.push(Buffer.from('xx'));
    splitter.push(Buffer.from('xxx\n'));
    expect(texts).to.deep.equal(['a\n\n']);
    expect(long.map(blockText)).to.deep.equal(['a\né\n', 'xxxxx\n']);
    expect([long[0]?.buffer === chunk.buffer, long[0]?.byteOffset]).to.deep.equal([true, chunk.byteOffset]);
  });
});

describe('a datagram', () => {
  it('is a whole block, with its newline or without', () => {
    const blocks: string[] = [];
    const splitter = new BlockSplitter({ ...NOTHING, block: (block) => blocks.push(block) });
    splitter.pushWhole(Buffer.from('a\nb'));
    splitter.pushWhole(Buffer.from('c\r\n'));
    expect(blocks).to.deep.equal(['a\nb', 'c\n']);
  });
});
