// The allow list: which addresses may connect.
import { hostname, networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { AllowList } from './allow-list.js';

describe('who may connect', () => {
  const allowed = (list: AllowList, ...addresses: string[]): boolean[] =>
    addresses.map((address) => list.allows(address.includes(':') ? `[${address}]:5000` : `${address}:5000`));

  it('is everybody while nobody has said otherwise', () => {
    expect(allowed(new AllowList(), '127.0.0.1', '10.1.2.3', '::1')).to.deep.equal([true, true, true]);
  });

  it("is whom the operator's ranges hold", () => {
    const list = new AllowList(['10.0.0.0/8', '192.168.1.7', 'fd00::/8']);
    expect(allowed(list, '10.200.1.1', '11.0.0.1', '192.168.1.7', '192.168.1.8', 'fd12::1', 'fe80::1')).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it('can be narrowed by clients, and never widened', () => {
    const list = new AllowList(['10.0.0.0/8']);
    list.add('10.1.0.0/16');
    list.add('192.168.0.0/16');
    expect(allowed(list, '10.1.2.3', '10.2.2.3', '192.168.1.1')).to.deep.equal([true, false, false]);
    list.add('0.0.0.0/0');
    expect(allowed(list, '10.2.2.3', '192.168.1.1')).to.deep.equal([true, false]);
    list.allowAll();
    expect(allowed(list, '10.2.2.3', '192.168.1.1')).to.deep.equal([true, false]);
  });

  it('is wider again when an added range is taken away', () => {
    const list = new AllowList();
    list.add(' 10.1.0.0/16 ');
    expect(allowed(list, '10.2.0.1')).to.deep.equal([false]);
    expect([list.remove('10.2.0.0/16'), list.remove('10.1.0.0/16'), list.remove('10.1.0.0/16')]).to.deep.equal([
      false,
      true,
      false,
    ]);
    expect(allowed(list, '10.2.0.1')).to.deep.equal([true]);
  });

  it("is this machine where its own name is named, at each of its addresses and nobody else's", () => {
    for (const name of [hostname(), hostname().toUpperCase()]) {
      const list = new AllowList([name]);
      const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
      for (const { address, family } of own)
        expect(list.allows(family === 'IPv6' ? `[${address}]:5000` : `${address}:5000`), address).to.equal(true);
      expect(list.allows('127.0.0.5:5000')).to.equal(true);
      expect(list.allows('203.0.113.7:5000')).to.equal(false);
      list.add(name);
      list.add(name);
      expect([list.remove(name), list.isNarrowed, list.remove(name), list.isNarrowed]).to.deep.equal([
        true,
        true,
        true,
        false,
      ]);
    }
    expect(() => new AllowList([`${hostname()}/24`])).to.throw(RangeError);
  });

  it('is this machine, by either family, where localhost is named', () => {
    const list = new AllowList(['localhost', '10.0.0.0/8']);
    expect(allowed(list, '127.0.0.1', '127.0.1.1', '::1', '10.1.1.1', '11.0.0.1')).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
    ]);
    list.add('localhost');
    expect(allowed(list, '::1', '10.1.1.1')).to.deep.equal([true, false]);
    expect([list.remove('localhost'), list.remove('localhost'), list.isNarrowed]).to.deep.equal([true, false, false]);
    expect(allowed(list, '10.1.1.1')).to.deep.equal([true]);
  });

  it('is nobody while connections are disabled', () => {
    const list = new AllowList();
    list.setOpen(false);
    expect(allowed(list, '127.0.0.1')).to.deep.equal([false]);
    list.setOpen(true);
    expect(allowed(list, '127.0.0.1')).to.deep.equal([true]);
    list.setOpen(false);
    list.allowAll();
    expect(allowed(list, '127.0.0.1')).to.deep.equal([true]);
  });

  for (const text of [
    '',
    'nonsense',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/1.5',
    '10.0.0',
    'fd00::/129',
    'localhost/8',
    'elsewhere',
  ]) {
    it(`is not told by ${JSON.stringify(text)}`, () => {
      const list = new AllowList();
      expect(() => list.add(text)).to.throw(RangeError, 'is no address or range like 192.168.0.0/16');
      expect(() => new AllowList([text])).to.throw(RangeError);
      expect(allowed(list, '10.0.0.1')).to.deep.equal([true]);
    });
  }

  it('takes a peer that is mapped from IPv4 to IPv6 as what it is', () => {
    expect(allowed(new AllowList(['10.0.0.0/8']), '::ffff:10.1.1.1', '::ffff:11.1.1.1')).to.deep.equal([true, false]);
  });

  it('does not hold IPv4 in ranges of IPv6, but for those that spell IPv4', () => {
    expect(allowed(new AllowList(['::/0']), '10.1.1.1', '::ffff:10.1.1.1', 'fe80::1')).to.deep.equal([
      false,
      false,
      true,
    ]);
    const mapped = new AllowList(['::ffff:10.0.0.0/104']);
    expect(allowed(mapped, '10.1.1.1', '::ffff:10.1.1.1', '11.1.1.1', 'fe80::1')).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });
});
