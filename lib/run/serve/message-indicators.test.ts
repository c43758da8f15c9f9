// The client, which imports nothing of the server, knows the same messages of Trick's wire.
import { expect } from 'chai';
import { MessageIndicator } from '../../clients/trick/message-indicator.js';
import { MESSAGES } from '../../protocols/trick/wire/messages.js';

describe('the messages of the wire', () => {
  it('have the same indicators for the server and for the client, which also knows one of an error', () => {
    const served = Object.values(MESSAGES).map(({ indicator }) => indicator);
    const { protocolError, ...known } = MessageIndicator;
    expect([...served].sort()).to.deep.equal(Object.values(known).sort());
    expect(served).to.not.include(protocolError);
  });
});
