// Chosen variables of a recording: bit for bit where nothing is converted, and doubles where something is.
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { openRecording } from './open.js';
import { SelectedRecording } from './selected.js';

describe('chosen variables of a recording', () => {
  const here = recordingsHere();

  it('are in the order that is wanted, as they are or converted, and grow with the file', () => {
    const file = here.path('flight.trk');
    const rows = (count: number, scale: number) => Array.from({ length: count }, (_, row) => row * scale);
    const write = (count: number) =>
      writeFileSync(
        file,
        trkFile([
          doubles('sys.exec.out.time', rows(count, 1), 's'),
          doubles('a', rows(count, 0.1)),
          doubles('b', rows(count, -3)),
        ]),
      );
    write(5000);
    const base = openRecording(file);
    const [a, b] = base.columns.slice(1) as [(typeof base.columns)[0], (typeof base.columns)[0]];
    const chosen = new SelectedRecording(base, [
      { column: b, name: 'c', units: 'cm', convert: (value) => 100 * value + 1 },
      { column: a, units: a.units },
    ]);
    expect(chosen.columns.map(({ name, units }) => `${name} {${units}}`).slice(1)).to.deep.equal(['c {cm}', 'a {--}']);
    expect([chosen.rows, chosen.seconds(4999)]).to.deep.equal([5000, 4999]);
    const [, first, second] = chosen.columns;
    expect(chosen.values(first!, 4998)).to.deep.equal([-300 * 4998 + 1, -300 * 4999 + 1]);
    expect(chosen.values(second!)).to.deep.equal(base.values(a));
    write(5001);
    chosen.refresh();
    expect([chosen.rows, chosen.value(second!, 5000)]).to.deep.equal([5001, 5000 * 0.1]);
    chosen.close();
  });
});
