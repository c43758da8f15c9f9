// Of a wide recording only what somebody reads is read of each row: every value is that of the whole row.
import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { Lease } from '../../model/frame/lease.js';
import type { Frame, Shown } from '../../model/frame/reader.js';
import { readVariable } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, type TrkColumn, trkFile } from '../../testing/aids/trk-file.js';
import type { Control, Request } from '../source.js';
import { convert } from './convert.js';
import { loadHdf5 } from './hdf5-library.js';
import { played } from './played.js';
import { pageBytesFor } from './rows-in-memory.js';

const [COLUMNS, ROWS, LEASES] = [1200, 12, 4];

const command = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), lease: fc.nat(LEASES - 1), of: anyColumns() }),
  fc.record({ kind: fc.constant('read' as const), of: anyColumns() }),
  fc.record({ kind: fc.constant('end' as const), lease: fc.nat(LEASES - 1) }),
  fc.record({ kind: fc.constant('seek' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('step' as const), frames: fc.constantFrom(-2, -1, 1, 2) }),
  fc.record({ kind: fc.constant('run' as const), ratio: fc.constantFrom(-10, 1, 100), millis: fc.nat(300) }),
);

function anyColumns() {
  const one = fc.nat(COLUMNS - 2);
  return fc.oneof(fc.array(one, { minLength: 1, maxLength: 3 }), fc.constant(Array.from({ length: 120 }, (_, k) => k)));
}

describe('a wide recording that is played', () => {
  const here = recordingsHere();

  function wide(name: string, stepSeconds = 0.1, order: 'L' | 'B' = 'L'): string {
    const column = (index: number): TrkColumn => {
      const path = `o${index % 3}.x[${Math.floor(index / 3)}]`;
      const values = Array.from({ length: ROWS }, (_, row) => index * 16 + row);
      if (index % 50 === 0)
        return { name: path.replace('x', 'flag'), code: 17, sizeBytes: 1, values: values.map((each) => each % 2) };
      if (index % 7 === 0) return { name: path.replace('x', 'n'), code: 6, sizeBytes: 4, values };
      return doubles(path, values);
    };
    const times = Array.from({ length: ROWS }, (_, row) => row * stepSeconds);
    const columns = Array.from({ length: COLUMNS }, (_, index) => column(index));
    writeFileSync(here.path(name), trkFile([doubles('sys.exec.out.time', times, 's'), ...columns], '10', order));
    return here.path(name);
  }

  function play(files: string | readonly string[]) {
    const clock = new ManualClock();
    const recording = here.open(files);
    expect(pageBytesFor(recording)).to.be.above(0);
    const { source } = played(recording, [], clock);
    source.freeze();
    const control = (asked: Control) => source.submit({ kind: 'control', control: asked });
    const variable = (index: number): Variable => {
      const name = recording.columns[index + 1]?.name as string;
      const found = source.catalog.find(name);
      if (!found) throw new Error(`there is no ${name}`);
      return found;
    };
    const shownOf = (variables: readonly Variable[]): Shown[] =>
      variables.map((each) => ({ isCarriedBy: (frame) => frame.carries(each) }));
    /** Holds a lease of them until it is ended; then they are in the next frame, whatever it is made for. */
    const hold = async (
      lease: Lease,
      variables: readonly Variable[],
      next: Request = { kind: 'look' },
    ): Promise<void> => {
      lease.changed();
      if (!lease.ask(shownOf(variables), source.frame)) await source.submit(next);
      expect(lease.ask(shownOf(variables), source.frame)).to.equal(true);
    };
    return { recording, source, clock, control, variable, shownOf, hold };
  }

  async function isRight(files: string | readonly string[], numRuns = 8): Promise<void> {
    const { recording, source, clock, control, variable, shownOf, hold } = play(files);
    const whole = here.open(files);
    // Row by row, as each block is read once then.
    const table = Array.from({ length: whole.rows }, (_, row) => {
      return new Map(whole.columns.map((column) => [column.name, whole.value(column, row)]));
    });
    const times = table.map((values) => Number(values.get(whole.time.name)));
    const last = times.at(-1) as number;
    const held = new Map<number, { readonly lease: Lease; readonly variables: readonly Variable[] }>();
    let checked = 0;
    const check = (variables: readonly Variable[], frame: Frame): void => {
      const row = times.findLastIndex((seconds) => seconds <= frame.timeSeconds + 1e-6);
      for (const each of variables) {
        const [shown, value] = [readVariable(each, frame.memory), table[row]?.get(each.path)];
        if (Number(shown) !== Number(value)) expect.fail(`${each.path} of row ${row} is ${shown}, not ${value}`);
        checked++;
      }
    };
    source.onFrame((frame) => {
      for (const { lease, variables } of held.values())
        if (lease.ask(shownOf(variables), frame)) check(variables, frame);
    });
    const carryOut = {
      hold: async ({ lease, of }: { lease: number; of: readonly number[] }) => {
        const one = held.get(lease)?.lease ?? new Lease();
        const variables = of.map(variable);
        held.delete(lease);
        await hold(one, variables);
        held.set(lease, { lease: one, variables });
        check(variables, source.frame);
      },
      read: async ({ of }: { of: readonly number[] }) => {
        const lease = new Lease();
        await hold(lease, of.map(variable), { kind: 'control', control: { action: 'freeze' } });
        check(of.map(variable), source.frame);
        lease.end();
      },
      end: async ({ lease }: { lease: number }) => {
        held.get(lease)?.lease.end();
        held.delete(lease);
      },
      seek: ({ part }: { part: number }) => control({ action: 'seek', toSeconds: part * last }),
      step: ({ frames }: { frames: number }) => control({ action: 'step', frames }),
      run: async ({ ratio, millis }: { ratio: number; millis: number }) => {
        await control({ action: 'clock-ratio', ratio });
        await control({ action: 'run' });
        for (let done = 0; done < millis; done += 20) clock.leap(20);
        await control({ action: 'freeze' });
      },
    };
    const property = fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
      await carryOut.hold({ lease: 0, of: [1, 4, 7] });
      for (const each of commands) await carryOut[each.kind](each as never);
    });
    await fc.assert(property, { numRuns });
    expect(checked).to.be.above(10);
    await source.close();
    expect(recording.faults).to.deep.equal([]);
  }

  it('shows each variable as its whole row has it, in .trk of both orders and several on one time', async () => {
    await isRight(wide('a.trk'));
    await isRight(wide('b.trk', 0.1, 'B'));
    await isRight([wide('c.trk', 0.1), wide('d.trk', 0.25)]);
  });

  it('does so in every other form', async () => {
    await loadHdf5();
    const recording = here.open(wide('a.trk'));
    for (const name of ['a.csv', 'a.mcap', 'a.parquet', 'a.h5']) {
      await convert(recording, here.path(name), { compression: 'none' });
      await isRight(here.path(name), 4);
    }
  });

  it('refuses what is asked for newly of a row that cannot be read any more, and shows the rest as it was', async () => {
    const file = wide('a.trk');
    const { source, control, variable, shownOf, hold } = play(file);
    const lease = new Lease();
    await hold(lease, [variable(4)]);
    await control({ action: 'seek', toSeconds: 1 });
    truncateSync(file, 60_000);
    const other = new Lease();
    expect(other.ask(shownOf([variable(1100)]), source.frame)).to.equal(false);
    const answer = await source.submit({ kind: 'look' }).catch((error: Error) => error.message);
    expect(answer).to.match(/a\.trk has become shorter while it was read$/);
    await control({ action: 'freeze' });
    expect(other.ask(shownOf([variable(1100)]), source.frame)).to.equal(false);
    expect(lease.ask(shownOf([variable(4)]), source.frame)).to.equal(true);
    expect(readVariable(variable(4), source.frame.memory)).to.equal(4 * 16 + 10);
  });
});
