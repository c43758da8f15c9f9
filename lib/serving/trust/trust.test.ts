// Trust: addresses, tokens, origins and rates.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import type { Admission } from '../transport/front-end.js';
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

  it('counts the wrong tokens and the requests of a network of IPv6 together', () => {
    const request = (address: string, token = 'secret') => ({
      ...{ method: 'POST', path: '/jsonrpc', query: new URLSearchParams(), host: undefined, local: '[::1]:7000' },
      peer: `[${address}]:5`,
      headers: { authorization: `Bearer ${token}` },
    });
    const guessed = trust({ tokens });
    const statuses = Array.from({ length: 21 }, (_, host) => guessed.admit(request(`2001:db8::${host + 1}`, 'wrong')));
    const tooMany = statuses.findIndex((one) => 'status' in one && one.status === 429);
    expect([statuses.length, tooMany]).to.deep.equal([21, 20]);
    expect(guessed.admit(request('2001:db8::ffff'))).to.deep.include({ status: 429 });
    expect(guessed.admit(request('2001:db8:0:1::1'))).to.not.have.property('status');

    const long = 'c0ffee00c0ffee00';
    const withLong = trust({ tokens: new Map([[long, 'read-write']]) });
    const asked20 = Array.from({ length: 20 }, () => withLong.admit(request('2001:db8::1', `${long}.`)));
    expect(asked20.map((one) => 'status' in one && one.status)).to.deep.equal(Array(20).fill(401));
    for (const wrong of [`${long}.`, 'short', long.toUpperCase()])
      expect(withLong.admit(request('2001:db8::1', wrong)), wrong).to.deep.include({ status: 429 });
    expect(withLong.admit(request('2001:db8::1', long))).to.not.have.property('status');

    const rated = trust({ tokens, requestsPerSecond: 2 });
    const hosts = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8::5', '2001:db8:0:1::1'];
    const asked = hosts.map((host) => (rated.admit(request(host)) as Admission).mayAsk());
    expect(asked).to.deep.equal([true, true, true, true, false, true]);
  });

  it('takes no more wrong tokens of an address than requests, and counts both apart', () => {
    const clock = new ManualClock();
    const long = 'c0ffee00c0ffee00';
    const known = new Map([
      [long, 'read-write'],
      ['secret', 'read-only'],
    ] as const);
    const rated = new Trust({ tokens: known, requestsPerSecond: 1 }, '127.0.0.1', clock);
    const admit = (token: string, address = '10.0.0.1') =>
      rated.admit({
        ...{ method: 'POST', path: '/jsonrpc', query: new URLSearchParams(), host: undefined, local: '10.0.0.9:7000' },
        peer: `${address}:5`,
        headers: { authorization: `Bearer ${token}` },
      });
    const ask = (token: string, address?: string) => {
      const admitted = admit(token, address);
      return 'status' in admitted ? admitted.status : admitted.mayAsk();
    };
    expect(['a', 'b', 'c', `${long}.`, 'secret'].map((token) => ask(token))).to.deep.equal([401, 401, 429, 429, 429]);
    // Whoever has a long one keeps all requests of the address.
    expect([ask(long), ask(long), ask(long), ask('secret', '10.0.0.2')]).to.deep.equal([true, true, false, true]);
    clock.advance(1000);
    expect([ask('secret'), ask('secret'), ask('d'), ask('e')]).to.deep.equal([true, false, 401, 429]);
    clock.advance(1000);
    // A WebSocket is opened without a request being counted, by a short token too.
    expect([ask('secret'), ask('secret')]).to.deep.equal([true, false]);
    expect(admit('secret')).to.deep.include({ mayChange: false });
  });

  it('looks at a token that nobody needs, however many requests an address makes', () => {
    const open = trust({ requestsPerSecond: 1 });
    const request = {
      ...{ method: 'GET', path: '/ws', query: new URLSearchParams('token=x'), host: undefined, local: '[::1]:7000' },
      ...{ peer: '127.0.0.1:5', headers: {} },
    };
    const asked = Array.from({ length: 3 }, () => (open.admit(request) as Admission).mayAsk());
    expect(asked).to.deep.equal([true, true, false]);
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
