// Events of a simulation in a run without a server.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { SimulationRun } from '../../../run/headless/simulation-run.js';
import { type Sim, simulation } from '../../../simulation/executive/simulation.js';

describe('events of a run without a server', () => {
  let run: SimulationRun;
  const start = async (build: (sim: Sim) => void): Promise<void> => {
    run = await SimulationRun.start(
      simulation({ name: 'test', frameSeconds: 0.1 }, (sim) => {
        const fx = sim.object('fx').components({ x: double(), y: double() });
        sim.job(0.01, () => {
          fx.x = sim.timeSeconds;
        });
        build(sim);
      }),
    );
  };
  afterEach(() => run.close());
  const said = (): string[] => run.messages.map(({ text, timeSeconds }) => `${timeSeconds} ${text}`);

  it('run their texts within frames, with prints, functions, reads and other events', async () => {
    await start((sim) => {
      sim.function('fx.twice', (value: number) => 2 * value);
      sim.event('fx.first', {
        conditions: 'fx.x > 0.225',
        actions: [
          'fx.y = fx.twice(4.0)',
          'print("y is", fx.y); fx.second.activate()',
          'trick.add_read(0.3333, "print(\'read\', fx.y)")',
        ],
        cycleSeconds: 0.01,
      });
      sim.event('fx.second', { conditions: 'True', actions: 'fx.y = -1', cycleSeconds: 0.05, active: false });
    });
    run.runFor(0.5);
    expect(said()).to.deep.equal(['0.24 y is 8', '0.3333 read -1']);
    expect(run.read('fx.y')).to.equal(-1);
  });

  it('note what is wrong once, and go on', async () => {
    await start((sim) => {
      sim.event('fx.bad', { conditions: 'fx.nosuch > 1', actions: 'x = 1', cycleSeconds: 0.05 });
      sim.event('fx.worse', { conditions: () => true, actions: ['nosuch()', 'fx.y = 5'], cycleSeconds: 0.05 });
      sim.event('fx.endless', { conditions: 'True', actions: 'while True: pass', cycleSeconds: 1 });
    });
    run.runFor(0.3);
    const found = ['Traceback', 'has no member nosuch', "name 'nosuch'", 'was stopped'].map(
      (words) => said().filter((line) => line.includes(words)).length,
    );
    expect(found).to.deep.equal([3, 1, 1, 1]);
    expect(run.read('fx.y')).to.equal(5);
  });

  it('end the run at their time, with the exit code that they say', async () => {
    await start((sim) =>
      sim.event('fx.end', {
        conditions: 'fx.x >= 0.15',
        actions: 'trick.exec_terminate_with_return(3, "fx", 1, "enough")',
        cycleSeconds: 0.01,
      }),
    );
    run.runFor(1);
    expect(run.end?.exitCode).to.equal(3);
    expect(run.timeSeconds).to.equal(0.16);
  });
});
