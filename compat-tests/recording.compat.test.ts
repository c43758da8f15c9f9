// Data recording: files as Trick's editor writes them, and no row lost however a run or its process ends.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { serve } from '../lib/index.js';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { ask, rpc } from './asking.js';
import { endAfterFailure, LaunchedServer, ServerHere } from './launch.js';
import { runHere } from './run-here.js';
import { WireClient } from './wire-client.js';

const PAGE = readFileSync(new URL('../../docs/checkpoint-and-recording.md', import.meta.url), 'utf8');
const FAULTY = 'compat-tests/fixture/faulty.js';
const CANNON = fileURLToPath(new URL('../sims/cannon.js', import.meta.url));
const OPTIONS = ['--no-discovery', '--udp', 'off', '--input'];
const CYCLE_SECONDS = 0.01;

describe('data recording', () => {
  let directory: string;
  let server: LaunchedServer | ServerHere | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recording-'));
    mkdirSync(join(directory, 'RUN_test'));
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
    if (server instanceof LaunchedServer) await server.kill();
    else await server?.stop();
    server = undefined;
    rmSync(directory, { recursive: true });
  });

  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
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
      const input = write(
        'RUN_test/input.py',
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
      const { code } = await runHere(CANNON, [...OPTIONS, input, '--port', '0'], directory);
      expect(code).to.equal(0);
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
trick.real_time_enable()
trick.exec_run()
`;
    const TRK_HEAD_BYTES = 'Trick-10-L'.length + 4 + (4 + 17 + 4 + 1 + 8) + (4 + 8 + 4 + 2 + 8);
    const TRK_ROW_BYTES = 16;

    const given = () => ({ options: [...OPTIONS, write('RUN_test/input.py', RECORDINGS)] });
    const startProcess = async (): Promise<LaunchedServer> => {
      const launched = await LaunchedServer.start(FAULTY, given());
      server = launched;
      return launched;
    };
    const startHere = async (by: typeof serve | typeof serveHere): Promise<ServerHere> => {
      const here = await ServerHere.start(FAULTY, { ...given(), by });
      server = here;
      return here;
    };

    /** Every row up to the last time that a client has seen, and none of them twice. */
    function expectRows(lastSeenSeconds: number): void {
      const times = rowsOf('log_text.csv').map(([seconds]) => Math.round((seconds as number) / CYCLE_SECONDS));
      expect(times).to.deep.equal(times.map((_, index) => index));
      expect(times.length).to.be.at.least(Math.floor(lastSeenSeconds / CYCLE_SECONDS));
      expect(read('log_bytes.trk').length).to.equal(TRK_HEAD_BYTES + TRK_ROW_BYTES * times.length);
    }

    /** The last time that a client of every frame has been sent. */
    async function follow(port: number): Promise<() => number> {
      const client = await WireClient.tcp(port);
      client.send(`trick.var_cycle(${CYCLE_SECONDS})\ntrick.var_add("time")\n`);
      await client.line();
      return () => {
        const lines = client.leftovers.trimEnd().split('\n');
        client.drop();
        return Number(/^0\t([\d.]+)/.exec(lines.at(-2) ?? '')?.[1] ?? 0);
      };
    }

    const obey = (port: number, order: number) =>
      ask({ port, path: '/jsonrpc', body: rpc('var/set', { values: { 'order.of': order } }) });
    const wait = (what: string) => new Promise((resolve) => setTimeout(resolve, randomOf(what).uniform(50, 450)));

    it('when the process is sent SIGINT, whenever that is', async () => {
      const launched = await startProcess();
      const lastSeen = await follow(launched.port);
      await wait('SIGINT');
      process.kill(launched.processId, 'SIGINT');
      await launched.ended;
      expectRows(lastSeen());
    });

    const command = async (port: number, text: string): Promise<void> => {
      const client = await WireClient.tcp(port);
      client.send(text);
    };
    /** The moment at which a job throws has no row: its jobs have not all run. Who serves it has to end it. */
    const THROWN = 'a job that throws';
    const ENDS: readonly (readonly [
      what: string,
      by: typeof serve | typeof serveHere,
      end: (port: number) => Promise<unknown>,
    ])[] = [
      ['a command', serveHere, (port) => command(port, 'trick.stop()\n')],
      [
        'a command with a code',
        serveHere,
        (port) => command(port, 'trick.exec_terminate_with_return(3, "input.py", 1, "enough")\n'),
      ],
      [THROWN, serveHere, (port) => obey(port, 3)],
      ['code of the simulation that ends its thread', serve, (port) => obey(port, 1)],
    ];
    for (const [what, by, end] of ENDS) {
      it(`when the run is ended by ${what}, whenever that is`, async () => {
        const here = await startHere(by);
        const lastSeen = await follow(here.port);
        await wait(what);
        await end(here.port);
        if (what !== THROWN) await here.ended;
        await here.stop();
        expectRows(lastSeen() - (what === THROWN ? CYCLE_SECONDS : 0));
      });
    }

    it('that is older than a frame when the process is killed; none by a server that is started in its run directory', async () => {
      const launched = await startProcess();
      const lastSeen = await follow(launched.port);
      const file = fileURLToPath(new URL(`../${FAULTY}`, import.meta.url));
      const second = await runHere(file, ['--port', '0', ...given().options], directory);
      expect(second.code).to.equal(1);
      expect(second.log).to.include(`process ${launched.processId} is writing it; take another run directory or name`);
      const others = given().options.with(
        -1,
        write('RUN_test/events.py', `${RECORDINGS}trick.exec_set_terminate_time(0.1)\n`),
      );
      await wait('killed');
      await launched.kill();
      expectRows(lastSeen() - 2 * CYCLE_SECONDS);
      // It starts once the other one is gone.
      expect(await runHere(file, ['--port', '0', ...others], directory)).to.deep.equal({ code: 0, log: '' });
      expectRows(0.1);
    });
  });
});
