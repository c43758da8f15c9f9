// Files of layouts in the encodings that they come in.
import { expect } from 'chai';
import { fileText } from './file-text.js';

const utf8 = (text: string): ArrayBuffer => Uint8Array.from(new TextEncoder().encode(text)).buffer;
const latin1 = (text: string): ArrayBuffer => Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer;

describe('the text of a chosen file', () => {
  it('is that of its bytes, in UTF-8 and in Latin-1', () => {
    expect(fileText(utf8('<name>Höhe €</name>'))).to.equal('<name>Höhe €</name>');
    expect(fileText(latin1('<name>Höhe</name>'))).to.equal('<name>Höhe</name>');
    expect(fileText(utf8('\uFEFF<a/>'))).to.equal('<a/>');
  });
});
