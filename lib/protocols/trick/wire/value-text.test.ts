// The text of a value is made again when it changes; that of a long one is cut, and made whenever it is asked for.

import { expect } from 'chai';
import { double, unsignedChar } from '../../../model/state/declare.js';
import { Memory } from '../../../model/state/memory.js';
import type { LeafType, Type } from '../../../model/state/type.js';
import { ValueText, valueFormat } from './value-text.js';

const COUNT = 20_000;

function setUp(type: Type, element: LeafType, strideBytes: number, count = COUNT) {
  const memory = new Memory(new ArrayBuffer(count * strideBytes));
  const format = valueFormat(type, undefined);
  let made = 0;
  const text = new ValueText((...parts) => {
    made++;
    return format(...parts);
  }, ' {m}');
  const field = (): string => text.fieldOf(memory, { element, offsetBytes: 0, count, strideBytes });
  /** As `field`, made by a new text. */
  const anew = (): string =>
    new ValueText(format, ' {m}').fieldOf(memory, { element, offsetBytes: 0, count, strideBytes });
  return { memory, field, anew, made: () => made };
}

describe('the text of a long value', () => {
  it('is not kept to compare with, and shows no more than fits', () => {
    const { type } = double();
    const { memory, field, anew, made } = setUp(type, type as LeafType, 8);
    const first = field();
    expect(first).to.have.length(8191);
    memory.view.setFloat64(8 * (COUNT - 1), 7, true);
    expect([field(), anew(), made()]).to.deep.equal([first, first, 2]);
    memory.view.setFloat64(8 * 4000, 7, true);
    expect([field().indexOf('7'), made()]).to.deep.equal([8001, 3]);
  });

  it('shows each character that changes', () => {
    const { type } = unsignedChar(COUNT);
    const { memory, field, anew } = setUp(type, unsignedChar().type as LeafType, 1);
    memory.bytes.fill('a');
    field();
    for (const at of [0, 8189, 8190, 8191, 8192, 9000, COUNT - 1]) {
      memory.bytes[at] = 0x62;
      expect(field(), `${at}`).to.equal(anew());
    }
  });
});

describe('the text of a value of 4,096 bytes', () => {
  const { type } = double();

  it('is made again only when a part of it changes', () => {
    const { memory, field, anew, made } = setUp(type, type as LeafType, 8, 512);
    expect([field(), field(), made()]).to.deep.equal([anew(), anew(), 1]);
    memory.view.setFloat64(8 * 511, 7, true);
    expect([field(), field(), made()]).to.deep.equal([anew(), anew(), 2]);
  });

  it('is made each time when it has one more element', () => {
    const { field, made } = setUp(type, type as LeafType, 8, 513);
    expect([field(), made(), field(), made()]).to.deep.equal([field(), 1, field(), 2]);
  });
});
