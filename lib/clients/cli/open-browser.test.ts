import { expect } from 'chai';
import { openerOf } from './open-browser.js';

describe('the program that opens an address', () => {
  it('is the one that the person has named, else that of the machine, and none without a screen', () => {
    expect(openerOf('linux', { BROWSER: '/opt/web', DISPLAY: ':0' })).to.deep.equal(['/opt/web']);
    expect(openerOf('linux', { DISPLAY: ':0' })).to.deep.equal(['xdg-open']);
    expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).to.deep.equal(['xdg-open']);
    expect(openerOf('linux', {})).to.equal(undefined);
    expect(openerOf('darwin', {})).to.deep.equal(['open']);
    expect(openerOf('win32', {})).to.deep.equal(['rundll32', 'url.dll,FileProtocolHandler']);
  });
});
