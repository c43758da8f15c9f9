// Recordings of DRHDF5: the .h5 file of a run that has ended has the rows that a .trk file of the same run has.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { bits, bool, double, enumeration, float, int, longLong, unsignedLong } from '../../model/state/declare.js';
import { run } from '../../run/headless/run.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { loadHdf5 } from './hdf5-library.js';
import { finishHdf5 } from './hdf5-recordings.js';
import type { Recording } from './recording.js';

const ALL = simulation({ name: 'all', frameSeconds: 0.001 }, (sim) => {
  const all = sim.object('all').components({
    ...{ d: double({ units: 'm' }), f: float(), i: int(), l: longLong(), u: unsignedLong(), on: bool() },
    ...{ few: bits(3, { signed: true }), mode: enumeration('Mode', { off: 0, low: -1 }) },
  });
  sim.job(0.001, () => {
    all.d += 1 / 3;
    all.f = all.d;
    all.i--;
    all.l = -(2n ** 60n) + BigInt(all.i);
    all.u = 2n ** 63n - BigInt(all.i);
    all.on = !all.on;
    all.few = -2;
    all.mode = -1;
  });
});
const NAMES = ['d', 'f', 'i', 'l', 'u', 'on', 'few', 'mode'];

const group = (kind: string, name: string): string =>
  [
    `${name} = trick.${kind}("${name}")`,
    ...NAMES.map((each) => `${name}.add_variable("all.${each}")`),
    `${name}.set_cycle(0.001)`,
    `trick.add_data_record_group(${name})\n`,
  ].join('\n');

/** A bool is a number of one byte there; JSON has no bigint. */
const valuesOf = (recording: Recording, name: string): readonly string[] =>
  recording
    .values(recording.columns.find((column) => column.name === name) as Recording['columns'][number])
    .map((value) => String(typeof value === 'boolean' ? Number(value) : value));

describe('a recording of DRHDF5', () => {
  const here = recordingsHere();
  const ran = async (): Promise<readonly string[]> => {
    writeFileSync(here.path('input.py'), group('DRHDF5', 'a') + group('DRBinary', 'b'));
    const said: string[] = [];
    await run(ALL, {
      ...{ inputFile: here.path('input.py'), runDirectory: here.path(''), untilSeconds: 3 },
      say: ({ text, level }) => level !== 'informational' && said.push(text),
    });
    return said;
  };
  before(loadHdf5);

  it('of an input file becomes an .h5 file with all its rows when the run ends', async () => {
    expect(await ran()).to.deep.equal([]);
    expect(existsSync(here.path('log_a.trk'))).to.equal(false);
    const [a, b] = ['log_a.h5', 'log_b.trk'].map((name) => here.open(here.path(name)));
    if (!a || !b) throw new Error();
    expect([a.rows, a.faults]).to.deep.equal([b.rows, []]);
    for (const { name } of a.columns)
      expect(JSON.stringify(valuesOf(a, name))).to.equal(JSON.stringify(valuesOf(b, name)), name);
    expect(a.columns.find(({ name }) => name === 'all.d')?.units).to.equal('m');
    const [first, ...columns] = readFileSync(here.path('log_a.header'), 'utf8').split('\n');
    expect(first).to.equal('log_a byte_order is HDF5');
    const [, ...others] = readFileSync(here.path('log_b.header'), 'utf8').replaceAll('log_b', 'log_a').split('\n');
    expect(columns).to.deep.equal(others);
  });

  it('stays a .trk file where the .h5 file cannot be made, which is told, and is made the next time', async () => {
    mkdirSync(here.path('log_a.h5'));
    expect((await ran()).join()).to.match(/^log_a\.h5 is not made, log_a\.trk stays: .*cannot be written/);
    const rows = here.open(here.path('log_a.trk')).rows;
    rmdirSync(here.path('log_a.h5'));
    await Promise.all([finishHdf5(here.path(''), expect.fail), finishHdf5(here.path(''), expect.fail)]);
    expect(here.open(here.path('log_a.header')).rows).to.equal(rows);
    const left = ['input.py', 'log_a.h5', 'log_a.header', 'log_b.header', 'log_b.trk'];
    expect(
      readdirSync(here.path(''))
        .filter((name) => !name.startsWith('S_'))
        .sort(),
    ).to.deep.equal(left);
  });
});
