// Job times of a served simulation, read by the rules of Trick's viewer of them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCsv, readHeader, readTrk } from '../lib/testing/aids/plot-readers.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

const PAGE = readFileSync(new URL('../../docs/checkpoint-and-recording.md', import.meta.url), 'utf8');
/** The input file of the documentation: 2 s, frames of 0.1 s. */
const [, INPUT = ''] = /```python\n([^`]*frame_log_on[^`]*)```/.exec(PAGE) ?? [];
const FRAMES = 20;

/** What the viewer knows of a job by its id. */
interface Listed {
  readonly jobClass: string;
  readonly order: number;
  readonly name: string;
}

/** Lines of S_job_execution that begin with a 1 and have nine cells; the others are for people. */
function jobsOf(text: string): Map<string, Listed> {
  const rows = text
    .split('\n')
    .filter((line) => /^\s+1 [|].*$/.test(line))
    .map((line) => line.split('|'));
  return new Map(
    rows
      .filter((cells) => cells.length === 9)
      .map(([, , jobClass = '', order = '', , , , id = '', name = '']) => [
        id.trim(),
        { jobClass: jobClass.trim(), order: Number.parseInt(order, 10), name: name.trim() },
      ]),
  );
}

/** Each run of a job; those that took no time are left out. */
function runsOf(text: string): { readonly id: string; readonly start: number; readonly stop: number }[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([id = '', start, stop]) => ({ id: id.trim(), start: Number(start), stop: Number(stop) }))
    .filter(({ start, stop }) => start < stop);
}

describe('the log of job times', () => {
  let directory: string;
  let server: ServerHere;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-frame-log-'));
    mkdirSync(join(directory, 'RUN_test'));
  });
  afterEach(async function () {
    showOutputOfFailure(this, server);
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const read = (name: string): string => readFileSync(join(directory, 'RUN_test', name), 'latin1');
  const start = async (input: string): Promise<void> => {
    writeFileSync(join(directory, 'RUN_test/input.py'), input);
    const options = ['--no-discovery', '--udp', 'off', '--input', 'RUN_test/input.py'];
    server = await ServerHere.start('compat-tests/fixture/events.js', { options, directory });
  };

  it('is written to the end when the server closes, and may then be written by another one', async () => {
    const endless = INPUT.replace('trick.stop(2)', '');
    for (let run = 0; run < 2; run++) {
      await start(endless);
      await server.until(0.3);
      await server.stop();
      expect(runsOf(read('log_newtimeline.csv')).length).to.be.above(2);
      expect(readdirSync(join(directory, 'RUN_test')).filter((name) => name.endsWith('.lock'))).to.deep.equal([]);
    }
  });

  it('is one of whole frames for the viewer', async () => {
    await start(INPUT);
    await server.ended;
    const jobs = jobsOf(read('S_job_execution'));
    expect([...jobs.values()].map(({ name }) => name)).to.include.members([
      'ev.sched',
      'ev.sched_count',
      'ev.shutdown',
    ]);
    const runs = runsOf(read('log_newtimeline.csv'));
    for (const { id } of runs) expect(jobs.has(id), id).to.equal(true);
    const classes = runs.map(({ id }) => jobs.get(id)?.jobClass);
    // A frame begins with a job of the top of a frame, and behind one of its end.
    const begins = classes.filter(
      (jobClass, at) =>
        (jobClass === 'top_of_frame' && classes[at - 1] !== 'top_of_frame') ||
        (jobClass !== 'end_of_frame' && classes[at - 1] === 'end_of_frame'),
    );
    expect(begins).to.have.length(FRAMES);
    const called = (name: string) => runs.filter(({ id }) => jobs.get(id)?.name === name).length;
    expect([called('ev.sched'), called('ev.sched_count')]).to.deep.equal([5, 3]);
    for (const [at, { start: from }] of runs.entries()) expect(from).to.be.at.least(runs[at - 1]?.stop ?? 0);
    for (const name of ['log_frame', 'log_frame_userjobs_main', 'log_frame_trickjobs']) {
      const bytes = Buffer.from(read(`${name}.trk`), 'latin1');
      const header = read(`${name}.header`).trimEnd().split('\n');
      expect(header[0]).to.equal(`${name} byte_order is little_endian`);
      expect(bytes.toString('latin1', 0, 10)).to.equal('Trick-10-L');
      expect(bytes.readInt32LE(10)).to.equal(header.length - 1);
      const rowBytes = 8 * (header.length - 1);
      expect(bytes.readDoubleLE(bytes.length - rowBytes)).to.be.closeTo(1.9, 1e-9);
    }
    expect(read('log_timeline_init.csv')).to.match(/,0,\d\.\d\d0000\n/);
    expect(read('DP_Product/DP_rt_userjobs.xml')).to.contain('JOB_ev.sched_count.');
  });

  it('lies beside recordings, and plot programs read each file of the run directory', async () => {
    await start(`
trick.real_time_disable()
trick.frame_log_on()
for make in [trick.DRAscii, trick.DRBinary]:
    group = make("ascii" if make is trick.DRAscii else "binary")
    group.set_cycle(0.5)
    group.add_variable("ev.count")
    group.add_variable("trick_sys.sched.time_tics")
    group.thisown = 0
    trick.add_data_record_group(group, trick.DR_Thread_Buffer)
trick.stop(2)
`);
    await server.ended;
    const names = readdirSync(join(directory, 'RUN_test'));
    const headers = names.filter((name) => name.endsWith('.header'));
    expect(headers).to.have.members([
      'log_ascii.header',
      'log_binary.header',
      'log_frame.header',
      'log_frame_trickjobs.header',
      'log_frame_userjobs_main.header',
    ]);
    const rowsOf = new Map<string, readonly (readonly number[])[]>();
    for (const header of headers) {
      const stem = header.slice(0, -'.header'.length);
      const file = names.find((name) => name.startsWith(`${stem}.`) && name !== header) ?? '';
      const data = file.endsWith('.trk') ? readTrk(Buffer.from(read(file), 'latin1')) : readCsv(read(file));
      expect(data.columns).to.deep.equal(readHeader(read(header)));
      expect(data.columns[0]).to.deep.equal({ name: 'sys.exec.out.time', units: 's' });
      expect(data.rows.flat().every(Number.isFinite), file).to.equal(true);
      rowsOf.set(stem, data.rows);
    }
    expect(rowsOf.get('log_ascii')).to.deep.equal(rowsOf.get('log_binary'));
    expect(rowsOf.get('log_ascii')?.at(-1)).to.deep.equal([2, 3, 2_000_000]);
    expect(rowsOf.get('log_frame')).to.have.length(FRAMES);
    const timelines = ['log_timeline.csv', 'log_timeline_init.csv'].flatMap((name) => {
      const { columns, rows } = readCsv(read(name));
      expect(rows.flat().every(Number.isFinite), name).to.equal(true);
      return columns;
    });
    for (const name of readdirSync(join(directory, 'RUN_test/DP_Product'))) {
      const plotted = [...read(`DP_Product/${name}`).matchAll(/<var[^>]*>([^<]+)<\/var>/g)].map(([, path]) => path);
      const known = [...headers.flatMap((header) => readHeader(read(header))), ...timelines].map((one) => one.name);
      expect(known, name).to.include.members(plotted);
    }
  });

  it('is switched by a client, which cannot replace what it writes', async () => {
    await start('trick.exec_set_software_frame(0.01)\n');
    const client = await WireClient.tcp(server.port);
    client.send('trick.var_pause()\ntrick.var_set_send_stdio(True)\ntrick.frame_log_on()\n');
    client.send('trick.checkpoint("log_newtimeline.csv")\ntrick.var_send_once("ev.cond_var_true")\n');
    const answer = await client.through((text) => text.includes('5\t1\n'), 'an answer');
    expect(answer).to.contain('log_newtimeline.csv cannot be written: it is a file of a recording');
    const value = 'trick.var_send_once("trick_sys.sched.frame_count")\n';
    client.send(value);
    const [, first] = (await client.line()).split('\t');
    for (let count = Number(first); count < Number(first) + 20; ) {
      client.send(value);
      count = Number((await client.line()).split('\t')[1]);
    }
    client.send(`trick.frame_log_off()\n${value}`);
    await client.line();
    const runs = runsOf(read('log_newtimeline.csv'));
    expect(runs.length).to.be.at.least(40);
    client.send(`trick.frame_log_set_max_samples(0)\n${value}`);
    const refused = await client.through((text) => /^5\t\d+$/m.test(text), 'the refusal');
    expect(refused).to.contain('a frame log has 1 to 1000000 samples, not 0');
    client.close();
  });
});
