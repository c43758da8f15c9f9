import { expect } from 'chai';
import { KEYS, keyOf } from './keys.js';

const NOWHERE = { isField: false, isButton: false, isDialogOpen: false };
const event = (key: string, held: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
const anything = (): boolean => true;
const aboutOf = (...parts: Parameters<typeof keyOf>): string | undefined => keyOf(...parts)?.about;

describe('the keys of the page', () => {
  it('are each used once', () => {
    const names = KEYS.map(({ key, withControl }) => `${withControl} ${key}`);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('belong to a field, a dialog or a button where that has the focus', () => {
    expect(aboutOf(event(' '), NOWHERE, anything)).to.equal('run, or freeze');
    expect(aboutOf(event(' '), { ...NOWHERE, isButton: true }, anything)).to.equal(undefined);
    expect(aboutOf(event('s'), { ...NOWHERE, isButton: true }, anything)).to.equal('step');
    expect(aboutOf(event('s'), { ...NOWHERE, isField: true }, anything)).to.equal(undefined);
    expect(aboutOf(event('s'), { ...NOWHERE, isDialogOpen: true }, anything)).to.equal(undefined);
  });

  it('change nothing with a token that may only read', () => {
    const nothing = (): boolean => false;
    expect(aboutOf(event(' '), NOWHERE, nothing)).to.equal(undefined);
    expect(aboutOf(event('/'), NOWHERE, nothing)).to.equal('find variables');
    expect(KEYS.filter(({ needs }) => !needs).map(({ key }) => key)).to.not.include.members(['s', 'x', 'c', 'l']);
  });

  it('do of a recording what can be done with it', () => {
    const plays = (need: string): boolean => need === 'play';
    expect(aboutOf(event(' '), NOWHERE, plays)).to.equal('run, or freeze');
    expect(['s', 'R', 'c', 'x'].map((key) => aboutOf(event(key), NOWHERE, plays))).to.deep.equal(
      Array(4).fill(undefined),
    );
  });

  it('leave the keys of the browser alone', () => {
    expect(aboutOf(event('c', { ctrlKey: true }), NOWHERE, anything)).to.equal(undefined);
    expect(aboutOf(event('r', { metaKey: true }), NOWHERE, anything)).to.equal(undefined);
    expect(aboutOf(event('z', { metaKey: true }), NOWHERE, anything)).to.equal('undo a change of the layout');
    expect(aboutOf(event('1', { altKey: true }), NOWHERE, anything)).to.equal(undefined);
  });
});
