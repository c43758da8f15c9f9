import { expect } from 'chai';
import { formatAddress } from './address.js';

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
});
