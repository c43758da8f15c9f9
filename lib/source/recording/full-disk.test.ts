// A disk that becomes full while it is recorded: one sentence, whole rows in the files, and the run goes on.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { onFullDisk } from '../../testing/aids/full-disk.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { RowsFile } from './rows-file.js';

const FORMS = { a: ['ascii', 'csv'], b: ['binary', 'trk'], m: ['mcap', 'mcap'] } as const;
const NAMES = Object.keys(FORMS);
const [BEFORE, MEANWHILE] = [100, 200];
const BLOCK_REST_BYTES = 100;

describe('a full disk', () => {
  const here = recordingsHere();
  const times = (path: string): readonly number[] => {
    const recording = here.open(here.path(path));
    return recording.values(recording.time).map((time) => Math.round(100 * Number(time)));
  };
  const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, row) => row);

  it("ends a simulation's recordings, each with one sentence, at a whole row, and not the run", async () => {
    const build = (sim: TestRun['sim']): void => {
      sim.object('o').component('x', double(50));
      for (const [name, [format]] of Object.entries(FORMS))
        sim.record(name, { format, cycleSeconds: 0.01, variables: ['o.x'].flatMap((x) => [`${x}[0]`, `${x}[49]`]) });
    };
    const test = await TestRun.start({}, build, here.path(''));
    // Of two chunks the last one gives way to the end of the file.
    for (const ticks of [BEFORE / 2, BEFORE / 2]) {
      test.ticks(ticks);
      test.running.recording.control({ action: 'enable' });
    }
    const seconds = test.running.executive.timeSeconds;
    onFullDisk(() => {
      test.ticks(MEANWHILE);
      test.running.recording.control({ action: 'disable' });
    }, BLOCK_REST_BYTES);
    expect(test.running.executive.timeSeconds - seconds).to.be.closeTo(MEANWHILE / 100, 1e-9);
    const sentences = NAMES.map((name) => `log_${name}: there is no room left`);
    const said = test.said.map((line) => line.replace(/^\S+ /, ''));
    expect(said).to.have.members(sentences.map((sentence) => `error: ${sentence}; recording of it ends`));
    const ended = test.running.recording.control({ action: 'list ended' });
    expect(ended).to.deep.equal(
      NAMES.map((name, index) => `${FORMS[name as 'a'][0]} ${name} ${sentences[index] as string}`),
    );
    test.running.recording.close();
    for (const [name, [, ending]] of Object.entries(FORMS)) {
      const rows = times(`log_${name}.${ending}`);
      expect(rows).to.have.length.above(ending === 'mcap' ? BEFORE / 2 - 2 : BEFORE - 2);
      expect(rows).to.deep.equal(upTo(rows.length));
      const why = `log_${name}: there is no room left`;
      const told =
        ending === 'mcap'
          ? here.open(here.path('log_m.mcap')).faults
          : readFileSync(here.path(`log_${name}.header`), 'utf8')
              .trim()
              .split('\n')
              .slice(-1);
      const words = ending === 'mcap' ? 'its recorder has ended it' : '# recording has ended';
      expect(told).to.deep.equal([`${words}: ${why}`]);
    }
  });

  for (const [, ending] of Object.values(FORMS))
    it(`ends a .${ending} file that is recorded from outside, which has the rows that it tells of`, () => {
      const columns = [{ name: 'x', units: 'm', type: { kind: 'number', name: 'double' } }] as const;
      const file = new RowsFile(here.path(`run.${ending}`), columns, {}, false);
      for (const row of upTo(BEFORE)) file.add(row / 100, [row]);
      file.flush();
      const add = (): void => {
        for (const row of upTo(BEFORE)) file.add((BEFORE + row) / 100, [row]);
        file.flush();
      };
      expect(() => onFullDisk(add)).to.throw(`run.${ending} cannot be written: there is no room left`);
      file.close('there is no room left');
      expect(file.rows).to.equal(BEFORE);
      expect(times(`run.${ending}`)).to.deep.equal(upTo(BEFORE));
      const told = ending === 'mcap' ? ['its recorder has ended it: there is no room left'] : [];
      expect(here.open(here.path(`run.${ending}`)).faults).to.deep.equal(told);
    });
});
