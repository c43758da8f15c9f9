// The command line options for ports and addresses.
import { expect } from 'chai';
import type { PortOption } from '../../serving/transport/front-end.js';
import { parsePorts } from './addresses.js';

const option = (name: string, takes: PortOption['takes'], isRepeatable = false): PortOption => ({
  name,
  option: name,
  takes,
  isRepeatable,
  byDefault: 'none',
  speaks: [],
  about: '',
});
const ROWS = [
  option('port', 'N'),
  option('http', 'PORT|off'),
  option('udp', 'ADDR:PORT|off'),
  option('brp', '[ADDR:]PORT|off'),
  option('krpc', '[ADDR:]PORT|off'),
  option('tcp', 'ADDR:PORT', true),
  option('multicast', 'GROUP:PORT', true),
];

describe('the options for ports', () => {
  it('become what serve takes; what was not given is not there', () => {
    expect(
      parsePorts(ROWS, { port: '0', http: 'off', tcp: ['127.0.0.1:1', '[::1]:2'], multicast: ['224.1.1.1:3'] }),
    ).to.deep.equal({
      port: 0,
      http: 'off',
      tcp: [
        { host: '127.0.0.1', port: 1 },
        { host: '::1', port: 2 },
      ],
      multicast: [{ group: '224.1.1.1', port: 3 }],
    });
    expect(parsePorts(ROWS, { brp: '15800' })).to.deep.equal({ brp: 15800 });
    expect(parsePorts(ROWS, { brp: '[::1]:15800' })).to.deep.equal({ brp: { host: '::1', port: 15800 } });
    expect(parsePorts(ROWS, { brp: 'off' })).to.deep.equal({ brp: 'off' });
    for (const [text, place] of [
      ['50000', 50_000],
      ['[::1]:50000', { host: '::1', port: 50_000 }],
      ['off', 'off'],
    ] as const) {
      expect(parsePorts(ROWS, { krpc: text })).to.deep.equal({ krpc: place });
    }
    expect(parsePorts(ROWS, { udp: '127.0.0.1:7001', verbose: true })).to.deep.equal({
      udp: { host: '127.0.0.1', port: 7001 },
    });
  });

  it('are refused in one sentence', () => {
    const refused: readonly [given: Record<string, string | string[]>, sentence: string][] = [
      [{ port: 'x' }, '--port takes a port from 0 to 65535, not x'],
      [{ port: 'off' }, '--port takes a port from 0 to 65535, not off'],
      [{ http: '65536' }, '--http takes a port from 0 to 65535, not 65536'],
      [{ udp: '7001' }, '--udp takes an address and a port like 127.0.0.1:7001, not 7001'],
      [{ krpc: 'localhost' }, '--krpc takes a port, an address and a port like 127.0.0.1:7001, or off, not localhost'],
      [{ tcp: ['off'] }, '--tcp takes an address and a port like 127.0.0.1:7001, not off'],
    ];
    for (const [given, sentence] of refused) expect(() => parsePorts(ROWS, given)).to.throw(sentence);
  });
});
