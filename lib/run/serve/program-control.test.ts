// What a program that no compiler has checked may ask of its simulation's run.
import { expect } from 'chai';
import { RequestError } from '../../source/source.js';
import { controlOf, type ProgramControl } from './program-control.js';

describe('the control by a program', () => {
  it('is a word, or an action with what it needs', () => {
    expect(controlOf('freeze')).to.deep.equal({ action: 'freeze' });
    expect(controlOf({ action: 'stop', atSeconds: 5 })).to.deep.equal({ action: 'stop', atSeconds: 5 });
    expect(controlOf({ action: 'step', frames: 10 })).to.deep.equal({ action: 'step', frames: 10 });
    expect(controlOf({ action: 'real-time', enabled: false })).to.deep.equal({ action: 'real-time', enabled: false });
  });

  const refused: readonly (readonly [wanted: unknown, sentence: string])[] = [
    ['fly', 'there is no control fly; there are run, freeze, stop, step and others'],
    ['freze', 'there is no control freze; did you mean freeze?'],
    ['toString', 'there is no control toString; there are run, freeze, stop, step and others'],
    [undefined, 'there is no control undefined; there are run, freeze, stop, step and others'],
    [null, 'there is no control undefined; there are run, freeze, stop, step and others'],
    [{}, 'there is no control undefined; there are run, freeze, stop, step and others'],
    ['start', 'there is no control start; there are run, freeze, stop, step and others'],
    [{ action: 'hold', id: 0, atTics: 5 }, 'there is no control hold; there are run, freeze, stop, step and others'],
    ['step', 'the control step needs frames, a number'],
    [{ action: 'real-time' }, 'the control real-time needs enabled, a boolean'],
    ['terminate', 'the control terminate needs code, a number'],
    [{ action: 'terminate', code: 3 }, 'the control terminate needs reason, a string'],
  ];
  for (const [wanted, sentence] of refused) {
    it(`is refused: ${JSON.stringify(wanted)}`, () => {
      expect(() => controlOf(wanted as ProgramControl)).to.throw(RequestError, sentence);
    });
  }
});
