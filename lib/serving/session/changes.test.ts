// Who is told when a simulation freezes and runs again.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { onFreeze } from './changes.js';

/** What is told of the modes of frames, one after the other; the first is there before anybody follows. */
function told(first: Mode, ...modes: readonly Mode[]): string {
  let show: (frame: Frame) => void = () => undefined;
  const frameOf = (mode: Mode) => ({ header: { mode } }) as Frame;
  const onFrame = (listener: typeof show) => {
    show = listener;
    return () => undefined;
  };
  const words: string[] = [];
  onFreeze({ frame: frameOf(first), onFrame }, (_, isFrozen) => words.push(isFrozen ? 'freeze' : 'run'));
  for (const mode of modes) show(frameOf(mode));
  return words.join(' ');
}

describe('freezes and runs', () => {
  it('are told when they change, also with steps between them', () => {
    const { initialization, run, freeze, step } = Mode;
    expect(told(run, run, freeze, freeze, run)).to.equal('freeze run');
    expect(told(freeze, step, step, run, freeze)).to.equal('run freeze');
    expect(told(run, step, run)).to.equal('');
    expect(told(initialization, run)).to.equal('');
    expect(told(initialization, freeze, step, freeze, run)).to.equal('freeze freeze run');
  });
});
