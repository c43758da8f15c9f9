// Trust: addresses, tokens, origins and rates.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { Trust, type TrustOptions } from './trust.js';

describe('trust', () => {
  const trust = (options: TrustOptions = {}, host = '127.0.0.1') => new Trust(options, host, new ManualClock());
  const tokens = new Map([['secret', 'read-only']] as const);

  it('takes protocols without tokens from this machine, and from others by the allow list alone', () => {
    const peers = ['127.0.0.1:5', '[::1]:5', '10.0.0.1:5'];
    expect(peers.map((peer) => trust().admitsAddress(peer))).to.deep.equal([true, true, false]);
    expect(peers.map((peer) => trust({ tokens }).admitsAddress(peer))).to.deep.equal([true, true, false]);
    const listed = trust({ allow: ['10.0.0.0/8'] });
    expect(peers.map((peer) => listed.admitsAddress(peer))).to.deep.equal([false, false, true]);
    expect(listed.refusalOf('127.0.0.1:5')).to.deep.equal({ status: 403, message: 'this address may not connect' });
    expect(listed.refusalOf('10.0.0.1:5')).to.equal(undefined);
  });

  it('takes protocols of this machine from it alone, whatever the allow list says', () => {
    const listed = trust({ allow: ['10.0.0.0/8', '127.0.0.1/32'] });
    const peers = ['127.0.0.1:5', '127.0.0.2:5', '10.0.0.1:5'];
    expect(peers.map((peer) => listed.admitsAddress(peer, 'local'))).to.deep.equal([true, false, false]);
  });

  it('is narrowed by what clients add', () => {
    const narrowed = trust();
    narrowed.allowed.setOpen(false);
    expect(narrowed.admitsAddress('127.0.0.1:5')).to.equal(false);
    // HTTP clients, including a watchdog, can still connect.
    expect(narrowed.refusalOf('127.0.0.1:5')).to.equal(undefined);
    narrowed.allowed.allowAll();
    narrowed.allowed.add('10.0.0.1');
    expect([narrowed.admitsAddress('127.0.0.1:5'), narrowed.refusalOf('127.0.0.1:5')]).to.deep.equal([
      false,
      undefined,
    ]);
  });

  it('asks for an allow list or tokens where other machines reach any host', () => {
    expect(() => trust().require(['127.0.0.1', '10.0.0.1', '0.0.0.0'])).to.throw(
      '10.0.0.1 can be reached from other machines: name who may connect with --allow, or give tokens with --token-file',
    );
    trust().require(['127.0.0.1', 'localhost', '::1']);
    trust({ tokens }).require(['0.0.0.0']);
    trust({ allow: ['10.0.0.0/8'] }).require(['::']);
    expect(() => trust({ allow: [], tokens: new Map() }).require(['::'])).to.throw(/can be reached/);
  });
});
