// The sentence for why a connection closed.
import { expect } from 'chai';
import { closeReason } from './close-reason.js';

describe('the reason a connection closed', () => {
  const cases: [code: string, sentence: string][] = [
    ['ECONNRESET', 'the peer reset the connection'],
    ['EPIPE', 'the peer reset the connection'],
    ['ETIMEDOUT', 'the peer stopped answering'],
    ['EHOSTUNREACH', 'the connection failed: no route'],
  ];
  for (const [code, sentence] of cases) {
    it(`is "${sentence}" for ${code}`, () => {
      expect(closeReason(Object.assign(new Error('no route'), { code }))).to.equal(sentence);
    });
  }
});
