// Data recording of a real process: files as Trick's editor writes them, and no row lost however a run ends.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { ask, rpc } from './asking.js';
import { endAfterFailure, LaunchedServer } from './launch.js';
import { WireClient } from './wire-client.js';

const PAGE = readFileSync(new URL('../../docs/checkpoint-and-recording.md', import.meta.url), 'utf8');
const FAULTY = 'compat-tests/fixture/faulty.js';
const CANNON = 'sims/cannon.js';
const CYCLE_SECONDS = 0.01;

describe('data recording', function () {
  this.timeout(60_000);
  let directory: string;
  let server: LaunchedServer;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recording-'));
    mkdirSync(join(directory, 'RUN_test'));
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
    await server?.kill();
    rmSync(directory, { recursive: true });
  });

  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const start = async (simulation: string, input: string): Promise<void> => {
    const options = ['--no-discovery', '--udp', 'off', '--input', write('RUN_test/input.py', input)];
    server = await LaunchedServer.start(simulation, { options });
  };
  const read = (name: string): Buffer => readFileSync(join(directory, 'RUN_test', name));
  /** The rows of a .csv file, each of which must be whole. */
  const rowsOf = (name: string): number[][] => {
    const text = read(name).toString();
    expect(text.at(-1)).to.equal('\n');
    const [head = '', ...rows] = text.trimEnd().split('\n');
    const columns = head.split(',').length;
    for (const row of rows) expect(row.split(','), row).to.have.length(columns);
    return rows.map((row) => row.split(',').map(Number));
  };

  describe('by the files that Trick users have', () => {
    const blocks = [...PAGE.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) => block);

    it('runs the files of the documentation unchanged, the older form twice', async () => {
      const [editors = '', older = ''] = blocks;
      write('RUN_test/editors.dr', editors);
      write('RUN_test/older.dr', older);
      write('RUN_test/second.dr', older.replace('"cannon"', '"second"'));
      await start(
        CANNON,
        `exec(open("editors.dr").read())
exec(open("older.dr").read())
def main():
    exec(open("second.dr").read())
    trick.real_time_enable()
    trick.exec_run()
    trick.stop(0.5)

if __name__ == "__main__":
    main()
`,
      );
      await server.ended;
      expect(server.output).to.match(/\[exit 0\]\n$/);
      for (const name of ['log_cannon.csv', 'log_second.csv'])
        expect(rowsOf(name).map(([seconds]) => seconds)).to.deep.equal([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
      expect(read('log_flight.trk').subarray(0, 10).toString()).to.equal('Trick-10-L');
      expect(read('log_flight.header').toString()).to.contain('cannon.height');
    });
  });

  describe('loses no row', () => {
    const RECORDINGS = `for kind, name in [(trick.DRAscii, "text"), (trick.DRBinary, "bytes")]:
    group = kind(name)
    group.set_cycle(${CYCLE_SECONDS})
    group.add_variable("order.of")
    group.thisown = 0
    trick.add_data_record_group(group)
trick.exec_run()
`;
    const TRK_HEAD_BYTES = 'Trick-10-L'.length + 4 + (4 + 17 + 4 + 1 + 8) + (4 + 8 + 4 + 2 + 8);
    const TRK_ROW_BYTES = 16;

    /** Every row up to the last time that a client has seen, and none of them twice. */
    function expectRows(lastSeenSeconds: number): void {
      const times = rowsOf('log_text.csv').map(([seconds]) => Math.round((seconds as number) / CYCLE_SECONDS));
      expect(times).to.deep.equal(times.map((_, index) => index));
      expect(times.length).to.be.at.least(Math.floor(lastSeenSeconds / CYCLE_SECONDS));
      expect(read('log_bytes.trk').length).to.equal(TRK_HEAD_BYTES + TRK_ROW_BYTES * times.length);
    }

    /** The last time that a client of every frame has been sent. */
    async function follow(): Promise<() => number> {
      const client = await WireClient.tcp(server.port);
      client.send(`trick.var_cycle(${CYCLE_SECONDS})\ntrick.var_add("time")\n`);
      await client.line();
      return () => {
        const lines = client.leftovers.trimEnd().split('\n');
        client.drop();
        return Number(/^0\t([\d.]+)/.exec(lines.at(-2) ?? '')?.[1] ?? 0);
      };
    }

    const obey = (order: number) =>
      ask({ port: server.port, path: '/jsonrpc', body: rpc('var/set', { values: { 'order.of': order } }) });
    const command = async (text: string): Promise<void> => {
      const client = await WireClient.tcp(server.port);
      client.send(text);
    };
    const signal = (name: NodeJS.Signals) => () => process.kill(server.processId, name);
    const ENDS: Readonly<Record<string, () => unknown>> = {
      SIGTERM: signal('SIGTERM'),
      SIGINT: signal('SIGINT'),
      'a command': () => command('trick.stop()\n'),
      'a command with a code': () => command('trick.exec_terminate_with_return(3, "input.py", 1, "enough")\n'),
      'code of the simulation that ends its thread': () => obey(1),
      'a job that throws, and SIGTERM': async () => {
        await obey(3);
        process.kill(server.processId, 'SIGTERM');
      },
    };
    /** The moment at which a job throws has no row: its jobs have not all run. */
    const hasNoLastRow = (what: string): boolean => what.startsWith('a job that throws');
    for (const [what, end] of Object.entries(ENDS)) {
      it(`when the run is ended by ${what}, whenever that is`, async () => {
        await start(FAULTY, RECORDINGS);
        const lastSeen = await follow();
        await new Promise((resolve) => setTimeout(resolve, randomOf(what).uniform(50, 650)));
        await end();
        await server.ended;
        expectRows(lastSeen() - (hasNoLastRow(what) ? CYCLE_SECONDS : 0));
      });
    }

    it('that is older than a frame when the process is killed, and leaves whole rows', async () => {
      await start(FAULTY, RECORDINGS);
      const lastSeen = await follow();
      await new Promise((resolve) => setTimeout(resolve, 1400));
      await server.kill();
      expectRows(lastSeen() - 2 * CYCLE_SECONDS);
    });
  });
});
