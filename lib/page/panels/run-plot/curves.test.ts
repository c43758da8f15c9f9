// Which curves a plot of runs has, and under which names.
import { expect } from 'chai';
import { curvesOf, nameInRuns, type Run, runLabel } from './curves.js';

const runOf = (run: string, label = `${run}.trk`): Run => ({ run, label, is_live: false });
const RUNS = [runOf('run1'), runOf('run2'), runOf('run10')];

describe('the curves of a plot of runs', () => {
  it('know a name without that of its run, and expressions over several runs', () => {
    const names = ['run1.x', '=d/dt(run10.a.x[2]) * 2 {m/s}', '=run1.x - run2.x', 'other.x', '=max(run2.x, run2.y)'];
    expect(names.map((name) => nameInRuns(name, RUNS))).to.deep.equal([
      'x',
      '=d/dt(a.x[2]) * 2 {m/s}',
      undefined,
      'other.x',
      '=max(x, y)',
    ]);
    const live = [runOf('', 'ball'), runOf('reference1')];
    expect(nameInRuns('=x - reference1.x', live)).to.equal(undefined);
    expect(nameInRuns('=sqrt(reference1.x) + 1 {m}', live)).to.equal('=sqrt(x) + 1 {m}');
  });

  it('are of each run that is shown, under its name there, shifted and scaled', () => {
    const looks = {
      run2: { shiftSeconds: 2, names: [{ name: 'x', there: 'pos.x', units: 'ft', scale: 2, bias: 1 }] },
      run10: { isHidden: true },
    };
    const settings = { isDifference: false, base: undefined };
    const curves = curvesOf([{ alias: 'run1.x', units: 'm', scale: 10 }], settings, RUNS, looks);
    expect(curves.map(({ term }) => term)).to.deep.equal([
      { run: 'run1', name: 'x', units: 'm', scale: 10 },
      { run: 'run2', name: 'pos.x', units: 'm', from_units: 'ft', scale: 20, bias: 10, shift_sec: 2 },
    ]);
    const [apart, ...others] = curvesOf([{ alias: 'x' }], { isDifference: true, base: 'run2' }, RUNS, looks);
    expect(others).to.deep.equal([]);
    expect(apart!.term).to.deep.include({ run: 'run2', name: 'pos.x', minus: { run: 'run1', name: 'x' } });
    const [computed] = curvesOf([{ alias: '=x^2' }], settings, [RUNS[1]!], looks);
    expect(computed!.term.name).to.equal('=(2*pos.x)^2');
  });

  it('are called by files, or by directories where files are called alike', () => {
    const alike = [runOf('run0', 'M/RUN_0/log_a.trk'), runOf('run1', 'M/RUN_1/log_a.trk'), runOf('run2', 'b.csv')];
    expect(alike.map((run) => runLabel(run, alike))).to.deep.equal(['run0 RUN_0', 'run1 RUN_1', 'run2 b.csv']);
  });
});
