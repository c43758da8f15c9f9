// What is told of an error in a simulation: its own lines, without the folders of the machine.
import { expect } from 'chai';
import { outsideStack, reasonOf } from './outside-stack.js';

const OWN = import.meta.resolve('./jobs.js');

function failure(...lines: readonly string[]): Error {
  const cause = Object.assign(new Error('no fuel'), { stack: ['Error: no fuel', ...lines].join('\n') });
  return new Error('job burn failed: no fuel', { cause });
}

describe('the reason of a fault', () => {
  it('has the line that threw and its callers, by the names of their files', () => {
    const error = failure(
      '    at flow (file:///home/me/sims/tank.js:7:11)',
      `    at JobQueue.runDue (${OWN}:99:1)`,
      '    at Array.map (<anonymous>)',
      '    at /home/me/sims/tank.js:20:5',
      '    at new Engine (file:///home/me/sims/engine (old).js:3:1)',
      '    at async burn (file:///home/me/sims/plant.js:30:3)',
      '    at process (file:///home/me/node_modules/ode/index.js:1:1)',
    );
    expect(reasonOf(error)).to.equal(
      'job burn failed: no fuel (tank.js, line 7; called by tank.js, line 20; called by burn in plant.js, line 30)',
    );
    expect(outsideStack(error)?.split('\n')).to.have.length(3);
  });

  it('is bounded', () => {
    const lines = Array.from({ length: 50 }, (_, n) => `    at ${'deeper'.repeat(100)} (file:///sims/deep.js:${n}:1)`);
    const reason = reasonOf(failure(...lines));
    expect(reason).to.match(/deep\.js, line 0; called by [^;]{60} in deep\.js, line 1;.*line 8; and so on\)$/);
    expect(reason.length).to.be.lessThan(1000);
  });

  it('is what the error says when none of the lines is of the simulation', () => {
    expect(reasonOf(failure(`    at runDue (${OWN}:99:1)`))).to.equal('job burn failed: no fuel');
    expect(reasonOf(new Error('told to'))).to.equal('told to');
  });
});
