// Debug pause: a simulation stepped job by job.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { Executive } from './executive.js';

/** An executive at 100 Hz that has started running. */
function started(): Executive {
  const executive = new Executive(
    {
      softwareFrameSeconds: 0.01,
      freezeFrameSeconds: 1,
      terminateSeconds: Number.POSITIVE_INFINITY,
      ticsPerSecond: 1e6,
    },
    { publish: () => undefined, failed: () => undefined },
  );
  executive.start(Mode.run);
  return executive;
}

/** Runs frames while there are any to run, at most 5. */
function runOn(executive: Executive): [mode: Mode, frameCount: number] {
  for (let frame = 0; frame < 5 && !executive.isHeld; frame++) executive.runTick();
  return [executive.mode, executive.frameCount];
}

describe('debug pause', () => {
  it('pauses in mode step after the frame that runs', () => {
    const executive = started();
    executive.setDebugPause(true);
    expect(executive.isDebugPauseOn).to.equal(true);
    expect(runOn(executive)).to.deep.equal([Mode.step, 1]);
  });

  it('runs one frame a signal', () => {
    const executive = started();
    executive.setDebugPause(true);
    runOn(executive);
    executive.debugSignal();
    expect(executive.mode).to.equal(Mode.step);
    expect(runOn(executive)).to.deep.equal([Mode.step, 2]);
    executive.debugSignal();
    executive.debugSignal();
    expect(runOn(executive)).to.deep.equal([Mode.step, 3]);
  });

  it('takes one frame from a freeze', () => {
    const executive = started();
    executive.freeze();
    executive.setDebugPause(true);
    expect(executive.mode).to.equal(Mode.freeze);
    executive.debugSignal();
    expect(runOn(executive)).to.deep.equal([Mode.freeze, 0]);
    executive.run();
    expect(runOn(executive)).to.deep.equal([Mode.step, 1]);
  });

  it('runs on from a pause when it is switched off, and only then', () => {
    const executive = started();
    executive.setDebugPause(true);
    runOn(executive);
    executive.setDebugPause(false);
    expect(runOn(executive)).to.deep.equal([Mode.run, 6]);
    executive.freeze();
    executive.setDebugPause(false);
    expect(executive.mode).to.equal(Mode.freeze);
  });

  it('freezes and stops from a pause', () => {
    const executive = started();
    executive.setDebugPause(true);
    runOn(executive);
    executive.freeze();
    expect(runOn(executive)).to.deep.equal([Mode.freeze, 1]);
    executive.exit();
    expect(executive.isHeld).to.equal(true);
  });

  it('ends steps in a freeze without it and in a pause with it', () => {
    const executive = started();
    executive.step(2);
    expect(runOn(executive)).to.deep.equal([Mode.freeze, 2]);
    executive.setDebugPause(true);
    executive.step(2);
    expect(runOn(executive)).to.deep.equal([Mode.step, 4]);
  });
});
