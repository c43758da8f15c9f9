// Messages as JSON: the same text whatever part of the log is asked for, most of it shared.
import { expect } from 'chai';
import fc from 'fast-check';
import { MessageLog } from '../../serving/session/message-log.js';
import { AnswerText } from './answer-text.js';
import { addMessages, shownMessage } from './message-texts.js';

const logOf = (texts: readonly string[]): MessageLog => {
  const log = new MessageLog();
  for (const [index, text] of texts.entries()) log.add({ level: 'normal', text, timeSeconds: index / 10 });
  return log;
};

async function answered(log: MessageLog, last: number, after = 0): Promise<AnswerText> {
  const text = AnswerText.of('[');
  await addMessages(text, log.latest(last, after), async () => undefined);
  text.add(']');
  return text;
}

describe('messages as JSON', () => {
  it('are those of the log, for any part of it and again after more have come', async () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.constant('\u0001"é'.repeat(1000))), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.nat(90))), async (said, asked) => {
        const log = logOf(said);
        for (const [last, after] of asked) {
          expect(JSON.parse(`${await answered(log, last, after)}`)).to.deep.equal(
            log.latest(last, after).map(shownMessage),
          );
          log.add({ level: 'error', text: 'more', timeSeconds: last });
        }
      }),
    );
  });

  it('share what is the same for all, also of the longest texts', async () => {
    const shared = async (text: string): Promise<number> => {
      const log = logOf(Array(1000).fill(text));
      const texts = await Promise.all([1000, 1000, 995].map((last) => answered(log, last)));
      const [first, ...others] = texts.map(({ pieces }) => pieces);
      const bytes = (piece: Uint8Array): number =>
        others.every((pieces) => pieces.includes(piece)) ? piece.length : 0;
      return (first ?? []).reduce((sum, piece) => sum + bytes(piece), 0);
    };
    expect(await shared('x'.repeat(3000))).to.be.within(123 * 8 * 3000, 124 * 8 * 3100);
    expect(await shared('\u0001'.repeat(4000))).to.be.within(123 * 8 * 24_000, 124 * 8 * 24_100);
  });

  it('are forgotten with the messages', async () => {
    const log = logOf(Array(1000).fill('old'));
    await answered(log, 1000);
    for (let k = 0; k < 500; k++) log.add({ level: 'normal', text: 'new', timeSeconds: k });
    expect(JSON.parse(`${await answered(log, 1000)}`)).to.deep.equal(log.latest(1000).map(shownMessage));
  });
});
