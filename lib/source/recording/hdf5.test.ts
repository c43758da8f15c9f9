// HDF5 files as Trick writes them: a dataset for each variable, and a group with their units.
import { execFileSync } from 'node:child_process';
import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Given, hdf5File } from '../../testing/aids/hdf5-file.js';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { loadHdf5 } from './hdf5-library.js';
import { loadLibrariesFor } from './libraries.js';
import { openRecording } from './open.js';

const ROWS = 3000;
const rising = (step: number): Float64Array => Float64Array.from({ length: ROWS }, (_, row) => row * step);
const FLIGHT: Given = {
  'sys.exec.out.time': [rising(0.1), 's'],
  'ball.position[0]': [rising(-3), 'm'],
  'ball.mass': [Float32Array.from(rising(0.5)), 'kg  '],
  'ball.count': [BigInt64Array.from(rising(1), (row) => -(2n ** 60n) - BigInt(row)), '1'],
  'ball.flags': [Uint8Array.from(rising(1)), '--'],
};

describe('an HDF5 file', () => {
  const here = recordingsHere();
  let flight: Uint8Array;
  before(async () => {
    await loadHdf5();
    flight = await hdf5File(FLIGHT);
  });

  it('of Trick has its variables with units and types, to the last digit, in blocks and one by one', () => {
    const recording = here.of('log_flight.h5', flight);
    const { columns, rows, time, faults } = recording;
    expect([rows, time.name, faults]).to.deep.equal([ROWS, 'sys.exec.out.time', []]);
    const units = Object.fromEntries(columns.map(({ name, units }) => [name, units]));
    for (const [name, [values, unit]] of Object.entries(FLIGHT)) {
      const column = columns.find((each) => each.name === name) as (typeof columns)[number];
      expect(recording.values(column)).to.deep.equal([...values]);
      expect(units[name]).to.equal(unit.trim());
      for (const row of [0, 1023, 1024, ROWS - 1]) {
        expect(recording.value(column, row)).to.equal(values[row]);
        expect(recording.peek(column, row)).to.equal(values[row]);
      }
    }
    expect(recording.rowAt(100.05)).to.equal(1000);
  });

  it('is a group of a run beside .trk files, and known by its .header file', async () => {
    here.of('log_flight.h5', flight);
    writeFileSync(here.path('log_fast.trk'), trkFile([doubles('sys.exec.out.time', [0, 1]), doubles('x', [1, 2])]));
    writeFileSync(here.path('log_flight.header'), 'log_flight byte_order is HDF5\n');
    await loadLibrariesFor([here.path('')]);
    expect(here.open(here.path('')).columns.map(({ name }) => name)).to.include.members(['x', 'ball.mass']);
    expect(here.open(here.path('log_flight.header')).rows).to.equal(ROWS);
  });

  it('has the times that are asked for, and reads no lists of texts', async () => {
    const odd = await hdf5File({ when: [rising(2), 's'], texts: [Array.from(rising(1), String), ''] });
    writeFileSync(here.path('odd.h5'), odd);
    expect(() => openRecording(here.path('odd.h5'))).to.throw('has no times: no dataset sys.exec.out.time');
    expect(() => openRecording(here.path('odd.h5'), { time: 'that' })).to.throw('has no dataset of numbers that');
    const recording = openRecording(here.path('odd.h5'), { time: 'when' });
    expect([recording.seconds(2), recording.columns.length]).to.deep.equal([4, 1]);
    expect(recording.faults[0]).to.match(/^texts is left out: /);
    recording.close();
  });

  it('is read anew when it has changed, and says what has become of it', async () => {
    const recording = here.of('flight.h5', flight);
    const longer = Object.entries(FLIGHT).map(([name, [values, unit]]) => [name, [twice(values), unit]]);
    writeFileSync(here.path('flight.h5'), await hdf5File(Object.fromEntries(longer)));
    recording.refresh();
    expect([recording.rows, recording.faults]).to.deep.equal([2 * ROWS, []]);
    truncateSync(here.path('flight.h5'), 5000);
    recording.refresh();
    expect([recording.rows, recording.faults]).to.deep.equal([0, [`${here.path('flight.h5')} is a damaged HDF5 file`]]);
    writeFileSync(here.path('flight.h5'), await hdf5File({ 'sys.exec.out.time': [rising(1), 's'] }));
    recording.refresh();
    expect(recording.faults).to.deep.equal([`${here.path('flight.h5')} has become another file`]);
    // Another file in its place is not seen: this one stays open.
    writeFileSync(here.path('other.h5'), flight);
    renameSync(here.path('other.h5'), here.path('flight.h5'));
    recording.refresh();
    expect(recording.rows).to.equal(0);
  });

  it('with any bytes changed, or cut anywhere, is read or refused in one sentence', () => {
    const change = fc.record({ at: fc.nat(flight.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.nat(flight.length), (changes, cut) => {
        const bytes = Uint8Array.from(flight);
        for (const { at, byte } of changes) bytes[at] = byte;
        writeFileSync(here.path('any.h5'), cut % 3 === 0 ? bytes.subarray(0, cut) : bytes);
        try {
          const recording = openRecording(here.path('any.h5'));
          try {
            for (const values of Object.values(tableOf(recording))) expect(values).to.have.length(recording.rows);
          } finally {
            recording.close();
          }
        } catch (error) {
          expect((error as Error).message).to.match(/^\S*any\.h5 (?!.*\n)/);
        }
      }),
      { numRuns: 50 },
    );
    // The library goes on.
    expect(here.of('flight.h5', flight).rows).to.equal(ROWS);
  });

  it('is refused in one sentence where the library is not installed, and by a program that has not loaded it', () => {
    writeFileSync(here.path('flight.h5'), flight);
    const hooks = `export const resolve = (name, context, next) => {
      if (name === 'h5wasm') throw new Error('there is none');
      return next(name, context);
    }`;
    const register = `import { register } from 'node:module';
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));`;
    const open = `import { openRecording } from '${new URL('open.js', import.meta.url)}';
      import { loadHdf5 } from '${new URL('hdf5-library.js', import.meta.url)}';
      import { loadLibrariesFor } from '${new URL('libraries.js', import.meta.url)}';
      const told = (error) => console.log(error.message);
      await loadHdf5().catch(told);
      await loadLibrariesFor(['flight.h5']);
      try { openRecording('flight.h5'); } catch (error) { told(error); }`;
    const options = [
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
      '--input-type=module',
      '-e',
      open,
    ];
    expect(
      execFileSync(process.execPath, options, { cwd: here.path('.'), encoding: 'utf8' }).split('\n'),
    ).to.deep.equal([
      'there is no package h5wasm, which reads and writes HDF5: npm install h5wasm',
      'flight.h5 is HDF5, which takes the package h5wasm (npm install h5wasm), and in a program await loadHdf5() before',
      '',
    ]);
  });

  it('that announces more rows than it can have is refused', async () => {
    const sparse = await hdf5File({ 'sys.exec.out.time': [Float64Array.of(0), 's'] }, 1e12);
    writeFileSync(here.path('sparse.h5'), sparse);
    expect(() => openRecording(here.path('sparse.h5'))).to.throw('announces 1000000000000 rows, too many for it');
  });
});

function twice(values: Given[string][0]): Given[string][0] {
  if (Array.isArray(values)) return [...values, ...values];
  const Kind = values.constructor as new (all: readonly (number | bigint)[]) => typeof values;
  return new Kind([...values, ...values]);
}
