// The table that `varwire watch` draws.
import { expect } from 'chai';
import type { Update } from '../trick/index.js';
import { plainLine, WatchTable } from './watch-table.js';

const UPDATE: Update = {
  timeSeconds: 1.25,
  values: [[1, 2], undefined, 'a\x1b'],
  units: ['m', undefined, '--'],
  isAfterGap: false,
};

describe('WatchTable', () => {
  it('draws over the last table: cursor home, each line cleared to its end', () => {
    const table = new WatchTable('host:7000', ['ball.position', 'nosuch', 'label']);
    for (const millis of [0, 100, 200]) table.count(millis);
    expect(table.draw(UPDATE, 80, 24)).to.equal(
      [
        '\x1b[Hhost:7000   time 1.25 s   10.0 Hz',
        '',
        'variable       value         units',
        'ball.position  [1, 2]        m',
        'nosuch         BAD_REF',
        'label          a\\x1b',
        '\x1b[J',
      ].join('\x1b[K\r\n'),
    );
  });

  it('keeps within the terminal', () => {
    const table = new WatchTable('host:7000', ['ball.position', 'nosuch', 'label']);
    const lines = table.draw(UPDATE, 10, 5).split('\x1b[K\r\n');
    expect(lines).to.have.length(5);
    expect(lines[3]).to.equal('ball.posit');
  });

  it('counts updates a second over the last two seconds', () => {
    const table = new WatchTable('host:7000', []);
    expect(table.rateHz).to.equal(undefined);
    for (let millis = 0; millis <= 5000; millis += 500) table.count(millis);
    expect(table.rateHz).to.equal(2);
    for (let millis = 5000; millis <= 9000; millis += 50) table.count(millis);
    expect(table.rateHz).to.equal(20);
  });
});

describe('plainLine', () => {
  it('is the time and the values with their units, separated by tabs', () => {
    expect(plainLine(UPDATE)).to.equal('1.25\t[1, 2] m\tBAD_REF\ta\\x1b\n');
  });
});
