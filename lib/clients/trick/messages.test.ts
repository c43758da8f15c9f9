// Messages in the form in which NASA's Trick sends them.
import { expect } from 'chai';
import fc from 'fast-check';
import { MessageReader } from './messages.js';

const HEAD = '2026/11/22,05:52:15.349835|vm|SIM_x|T 0|18.140000| ';
const SENT = [
  `|L   1|${HEAD}\x1b[32mFreeze OFF.\n\x1b[00m`,
  `|L   2|${HEAD}\x1b[33mtwo\nlines | of it\n\x1b[00m`,
  `|L   0|${HEAD}\x1b[00mplain\n\x1b[00m`,
  `|L  10|${HEAD}\x1b[36mno newline\x1b[00m`,
].join('');
const SAID = [
  ['informational', 'Freeze OFF.'],
  ['warning', 'two\nlines | of it'],
  ['normal', 'plain'],
  ['debug', 'no newline'],
].map(([level, text]) => ({ level, text, timeSeconds: 18.14 }));

describe('the reader of messages', () => {
  it('reads the same messages in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SENT.length)), (cuts) => {
        const at = [0, ...cuts.sort((one, other) => one - other), SENT.length];
        const reader = new MessageReader();
        const said = at.slice(1).flatMap((end, index) => reader.take(SENT.slice(at[index], end)));
        expect(said).to.deep.equal(SAID);
      }),
    );
  });

  it('skips what is no message, and keeps little of it', () => {
    const reader = new MessageReader();
    expect(reader.take('|L   1|x'.repeat(300_000))).to.deep.equal([]);
    expect(reader.take(`|L   1|${HEAD}x`.repeat(10_000))).to.deep.equal([]);
    expect(reader.take(`\x1b[00m\n${SENT}`)).to.deep.equal(SAID);
  });
});
