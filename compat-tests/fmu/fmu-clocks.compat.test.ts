// FMUs of scheduled execution: clocks with intervals of their own, that the FMU tells, and that count down.
import { expect } from 'chai';
import { type FmuOptions, simulation } from '../../lib/index.js';
import { type SimulationRun, start } from '../../lib/testing/index.js';
import { commandHere } from '../command-here.js';
import { TestFmus } from './test-fmus.js';

describe('an FMU of scheduled execution', function () {
  this.timeout(30_000);
  let fmus: TestFmus;
  let file: string;
  const runs: SimulationRun[] = [];

  before(async function () {
    const compiled = await TestFmus.compiled([3]);
    if (typeof compiled === 'string') {
      console.log(`      skipped: ${compiled}`);
      return this.skip();
    }
    fmus = compiled;
    file = fmus.make('clocks', { generation: 3 });
  });
  after(() => fmus?.remove());
  afterEach(() => {
    for (const run of runs.splice(0)) run.close();
  });

  const startOf = async (options: FmuOptions = {}): Promise<SimulationRun> => {
    const definition = simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
      await sim.fmu('ball', file, { kind: 'scheduled execution', isolated: false, ...options });
    });
    const run = await start(definition);
    runs.push(run);
    return run;
  };

  /** The last twelve ticks of the clocks 1 to 4, as digits, up to each frame. */
  const TICKED = [14, 1421, 142114, 14211421, 1421142114, 14211421141, 211421141241, 142114124114, 114124114321];

  for (const isolated of [false, true])
    it(`has its clocks tick at their times, by priority${isolated ? ', in its process' : ''}`, async () => {
      const run = await startOf({ isolated });
      for (const [frame, ticked] of TICKED.entries()) {
        expect(run.read('ball.ticked'), `frame ${frame}`).to.equal(ticked);
        expect(run.read('ball.last_tick')).to.be.closeTo(frame / 10, 1e-12);
        run.step();
      }
    });

  it('that has a clock without an interval, or crashes in a tick, is one sentence', async () => {
    const wrong = await startOf();
    wrong.write('ball.u', 4);
    expect(() => wrong.step(5)).to.throw('ball (clocks.fmu): the interval of its clock slower is -1 s');
    const crashes = await startOf({ isolated: true });
    crashes.write('ball.mode', 1);
    expect(() => crashes.step()).to.throw(
      'ball (clocks.fmu) is lost in a step: its process has ended by a segmentation',
    );
  });

  it('is shown and run by the command', async () => {
    expect((await commandHere(['fmu', 'info', file])).output).to.contain(
      [
        'scheduled execution: the clock even, each 0.1 s; the clock shifted, each 0.25 s; the clock later, when the FMU says; ',
        'the clock slower, when the FMU says; the clock button, which nothing ticks here; its state can be in checkpoints',
      ].join(''),
    );
    const words = ['run', file, '--fast', '--until', '0.3', '--read', 'Ball.ticked', '--', '--scheduled-execution'];
    const { output, complaint } = await commandHere([...words, '--not-isolated']);
    expect(output, complaint).to.equal('Ball.ticked\t14211421\n');
  });
});
