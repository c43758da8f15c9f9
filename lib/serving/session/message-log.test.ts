// Which messages are kept when there are too many.
import { expect } from 'chai';
import { MessageLog, MOST_MESSAGES } from './message-log.js';

describe('the latest messages', () => {
  const add = (log: MessageLog, count: number, text: string, isClients = false): void => {
    for (let k = 0; k < count; k++)
      log.add({ level: 'normal', text: `${text} ${k}`, timeSeconds: 0, ...(isClients && { isClients }) });
  };
  const textsOf = (log: MessageLog): string[] => log.latest(MOST_MESSAGES).map(({ text }) => text);

  it('are a thousand, and the oldest goes', () => {
    const log = new MessageLog();
    add(log, 1200, 'said');
    expect([textsOf(log).length, textsOf(log)[0], log.latestNumber]).to.deep.equal([1000, 'said 200', 1200]);
  });

  it('keep what the simulation has said, however much clients print', () => {
    const log = new MessageLog();
    add(log, 500, 'said');
    add(log, 100_000, 'printed', true);
    expect(textsOf(log).filter((text) => text.startsWith('said'))).to.have.length(500);
    expect([textsOf(log).length, textsOf(log).at(-1)]).to.deep.equal([1000, 'printed 99999']);
    add(log, 900, 'later');
    expect(textsOf(log)[0]).to.equal('printed 99900');
  });

  it('are found by their numbers, the next one where one has gone', () => {
    const log = new MessageLog();
    add(log, 10, 'said');
    add(log, 600, 'printed', true);
    expect([log.from(3)?.number, log.from(11)?.number, log.from(400)?.number]).to.deep.equal([3, 111, 400]);
    expect(log.from(611)).to.equal(undefined);
  });
});
