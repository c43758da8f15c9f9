// What `varwire run` says about options that it cannot take.
import { expect } from 'chai';
import { parseServed } from './run.js';

describe('the options of varwire run', () => {
  const served = (...options: string[]) => parseServed(['sims/ball', ...options]).options;

  it('are refused in one sentence', () => {
    const refused: readonly [options: string[], sentence: string][] = [
      [
        ['--port', '-1'],
        '--port takes a value; one that begins with - is written --port=-1; varwire run --help lists the options',
      ],
      [['--port=-1'], '--port takes a port from 0 to 65535, not -1'],
      [['--prot', '1'], "Unknown option '--prot'; varwire run --help lists the options"],
      [['--cors', 'screens'], '--cors takes an origin such as https://screens.example, without a path, not screens'],
      [
        ['--cors', 'https://screens.example/'],
        '--cors takes an origin such as https://screens.example, without a path, not https://screens.example/',
      ],
      [['--send-dir', 'no/such'], '--send-dir takes a directory, and no/such is none'],
      [['--send-dir', 'package.json'], '--send-dir takes a directory, and package.json is none'],
      [['--input-dir', 'no/such'], '--input-dir takes a directory, and no/such is none'],
      [['--disk-quota', '1000TB'], '--disk-quota takes a size such as 500MB, at most 200TB, not 1000TB'],
      [['--disk-quota', '5XB'], '--disk-quota takes a size such as 500MB, at most 200TB, not 5XB'],
      [['--history', '25h'], '--history takes a time such as 30s, 10min or 1h, at most 24h, or off, not 25h'],
      [['--cycle', '3600001'], '--cycle takes milliseconds from 0 to 3600000, not 3600001'],
      [['--stuck-after', '3601'], '--stuck-after takes seconds from 0.1 to 3600, such as 5 or 5s, not 3601'],
      [['--max-values', '1000000000'], '--max-values takes a whole number from 1 to 999999999, not 1000000000'],
      [['--krpc', 'x'], '--krpc takes a port, an address and a port like 127.0.0.1:7001, or off, not x'],
    ];
    for (const [options, sentence] of refused) expect(() => served(...options), options.join(' ')).to.throw(sentence);
  });

  it('are taken', () => {
    const origins = ['https://screens.example', 'http://127.0.0.1:8080', 'null'];
    expect(served(...origins.flatMap((origin) => ['--cors', origin])).corsOrigins).to.deep.equal(origins);
    expect(served('--history', '24h').historySeconds).to.equal(86_400);
    expect(served('--disk-quota', '200TB').diskQuotaBytes).to.equal(200e12);
    expect(served('--cycle', '3600000').defaultCycleMillis).to.equal(3_600_000);
    expect(served('--stuck-after', '3600s').stuckAfterMillis).to.equal(3_600_000);
    expect(served('--max-values', '999999999').maxValuesPerSecond).to.equal(999_999_999);
    expect(served('--input-dir', 'sims', '--input-dir', 'lib').inputDirectories).to.deep.equal(['sims', 'lib']);
    expect(served('--send-dir', 'sims').sendDirectory).to.equal('sims');
  });
});
