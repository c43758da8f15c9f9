// Amounts by network: taken, refused and given back.
import { expect } from 'chai';
import { networkOf } from './network.js';
import { NetworkCounts } from './network-counts.js';

describe('amounts that are counted by network', () => {
  const counts = () => new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= 3 && ofAll <= 5);

  it('are refused beyond the bound of a network or of all, and then nothing is taken', () => {
    const held = counts();
    expect([held.take('10.0.0.1', 3), held.take('10.0.0.1'), held.take('10.0.0.2', 2)]).to.deep.equal([
      true,
      false,
      true,
    ]);
    expect([held.take('10.0.0.3'), held.held, held.refusals, held.of('10.0.0.1')]).to.deep.equal([false, 5, 2, 3]);
    held.give('10.0.0.1', 2);
    expect([held.take('10.0.0.3'), held.of('10.0.0.1'), held.held]).to.deep.equal([true, 1, 4]);
    held.give('10.0.0.3');
    expect(held.of('10.0.0.3')).to.equal(0);
  });

  it('are those of all addresses of a network of IPv6, in brackets or not', () => {
    const held = counts();
    for (const address of ['2001:db8::1', '[2001:db8::2]', '2001:db8:0:0:9::3'])
      expect(held.take(address)).to.equal(true);
    expect([held.take('2001:db8::4'), held.take('2001:db8:0:1::4')]).to.deep.equal([false, true]);
    expect(held.of('2001:db8::')).to.equal(3);
  });

  it('always take nothing', () => {
    const held = counts();
    held.take('10.0.0.1', 3);
    expect([held.take('10.0.0.1', 0), held.refusals]).to.deep.equal([true, 0]);
  });

  it('know a network by its own name', () => {
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1%eth0', '::1', '[2001:db8::7]'])
      expect(networkOf(networkOf(address))).to.equal(networkOf(address));
    expect(networkOf('[::1]')).to.equal('0:0:0:0::/64');
  });
});
