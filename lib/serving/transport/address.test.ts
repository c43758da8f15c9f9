// Socket addresses as text.
import { expect } from 'chai';
import { bracketed, formatAddress, hostOf, isLoopback, parseAddress } from './address.js';

describe('an address as text', () => {
  const cases: [address: string | undefined, port: number | undefined, text: string][] = [
    ['127.0.0.1', 7000, '127.0.0.1:7000'],
    ['::1', 7000, '[::1]:7000'],
    ['::ffff:10.0.0.1', 80, '10.0.0.1:80'],
    [undefined, undefined, 'unknown'],
  ];
  for (const [address, port, text] of cases) {
    it(`is ${text} for ${address} and ${port}`, () => {
      expect(formatAddress(address, port)).to.equal(text);
    });
  }

  it('is read back as the address it was made of', () => {
    const addresses = [
      { host: '127.0.0.1', port: 7001 },
      { host: '::1', port: 0 },
      { host: 'fe80::2', port: 65_535 },
    ];
    expect(addresses.map(({ host, port }) => parseAddress(formatAddress(host, port)))).to.deep.equal(addresses);
    expect(parseAddress('localhost:7000')).to.deep.equal({ host: 'localhost', port: 7000 });
  });

  it('names none without a host, or without a port from 0 to 65535', () => {
    const texts = ['', 'unknown', ':7000', '127.0.0.1', '::1', '127.0.0.1:', '127.0.0.1:65536', 'a:-1', 'a:1e3'];
    expect(texts.map(parseAddress)).to.deep.equal(texts.map(() => undefined));
    expect([hostOf('unknown'), hostOf('[::1]:7'), hostOf('10.0.0.1:7')]).to.deep.equal(['unknown', '::1', '10.0.0.1']);
  });

  it('has an IPv6 host in brackets, and tells loopback from what other machines reach', () => {
    expect([bracketed('::1'), bracketed('localhost')]).to.deep.equal(['[::1]', 'localhost']);
    expect(['localhost', '127.0.0.9', '::1'].map(isLoopback)).to.deep.equal([true, true, true]);
    const others = ['0.0.0.0', '10.0.0.1', '::', '128.0.0.1', '127.evil.example', '127.0.0.1.evil.example', '127.1'];
    expect(others.filter(isLoopback)).to.deep.equal([]);
  });
});
