import { expect } from 'chai';
import { KEYS, keyOf } from './keys.js';

const NOWHERE = { isField: false, isButton: false, isDialogOpen: false };
const event = (key: string, held: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
const aboutOf = (...parts: Parameters<typeof keyOf>): string | undefined => keyOf(...parts)?.about;

describe('the keys of the page', () => {
  it('are each used once', () => {
    const names = KEYS.map(({ key, withControl }) => `${withControl} ${key}`);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('belong to a field, a dialog or a button where that has the focus', () => {
    expect(aboutOf(event(' '), NOWHERE, true)).to.equal('run, or freeze');
    expect(aboutOf(event(' '), { ...NOWHERE, isButton: true }, true)).to.equal(undefined);
    expect(aboutOf(event('s'), { ...NOWHERE, isButton: true }, true)).to.equal('step');
    expect(aboutOf(event('s'), { ...NOWHERE, isField: true }, true)).to.equal(undefined);
    expect(aboutOf(event('s'), { ...NOWHERE, isDialogOpen: true }, true)).to.equal(undefined);
  });

  it('change nothing with a token that may only read', () => {
    expect(aboutOf(event(' '), NOWHERE, false)).to.equal(undefined);
    expect(aboutOf(event('/'), NOWHERE, false)).to.equal('find variables');
    expect(KEYS.filter(({ isChange }) => !isChange).map(({ key }) => key)).to.not.include.members(['s', 'x', 'c', 'l']);
  });

  it('leave the keys of the browser alone', () => {
    expect(aboutOf(event('c', { ctrlKey: true }), NOWHERE, true)).to.equal(undefined);
    expect(aboutOf(event('r', { metaKey: true }), NOWHERE, true)).to.equal(undefined);
    expect(aboutOf(event('z', { metaKey: true }), NOWHERE, true)).to.equal('undo a change of the layout');
    expect(aboutOf(event('1', { altKey: true }), NOWHERE, true)).to.equal(undefined);
  });
});
