// What the log says at the start when Trick text is spoken less than other options let one expect.
import { expect } from 'chai';
import { trickNotice } from './trick-notice.js';

const tokens = new Map<string, 'read-write'>([['a-token', 'read-write']]);
const elsewhere = { host: '127.0.0.1', port: 7001 };

describe('the notice about Trick text', () => {
  it('is none where Trick text is spoken, or switched off', () => {
    expect(trickNotice({})).to.equal(undefined);
    expect(trickNotice({ trick: 'off' })).to.equal(undefined);
    expect(trickNotice({ trick: 'local', tokens, host: '0.0.0.0' })).to.equal(undefined);
    expect(trickNotice({ trick: 'on', tokens, host: '0.0.0.0', allow: ['10.0.0.0/8'] })).to.equal(undefined);
    expect(trickNotice({ trick: 'on', tokens })).to.equal(undefined);
  });

  it('says that tokens close it, and which addresses are not opened', () => {
    const sentence = trickNotice({ tokens });
    expect(sentence).to.match(/^Trick text is not spoken, because it carries no token: .* what --allow names$/);
    expect(trickNotice({ tokens, tcp: [elsewhere], udp: elsewhere })).to.equal(
      `${sentence}; --tcp and --udp open nothing`,
    );
    expect(trickNotice({ trick: 'off', messages: 7002 })).to.equal(
      'Trick text is not spoken; --messages opens nothing',
    );
    expect(trickNotice({ tokens, udp: 'off', messages: 'off', tcp: [] })).to.equal(sentence);
  });

  it('says that no other machine is let in when no addresses are named', () => {
    expect(trickNotice({ trick: 'on', tokens, host: '0.0.0.0' })).to.equal(
      'Trick text is open to this machine alone, because it carries no token: --allow names the addresses of others',
    );
  });
});
