// What a request sets counts, not how long its lists are.
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import { double } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { MOST_WRITTEN_BYTES, requireFewBytes } from './written-bytes.js';

describe('the bytes that one request sets', () => {
  const most = MOST_WRITTEN_BYTES / 8;
  const state = new State();
  const object = state.addObject('o');
  object.component('all', double(most));
  object.component('one', double(1));
  object.component('larger', double(most + 1));
  const catalog = new Catalog(state.describe());
  const clear = (...paths: string[]) =>
    requireFewBytes(
      catalog,
      paths.map((path) => ({ path, value: [] })),
    );

  it('may be so many, of one variable or of several', () => {
    clear('o.all');
    clear(...Array.from({ length: 1000 }, () => 'o.one'), 'o.gone');
  });

  it('are refused above that, also of one variable', () => {
    const sentence = `the variables that are set at once may have ${MOST_WRITTEN_BYTES} bytes together`;
    expect(() => clear('o.larger')).to.throw(sentence);
    expect(() => clear('o.all', 'o.one')).to.throw(sentence);
    expect(() => requireFewBytes(catalog, [{ path: 'o', value: { all: [], one: [] } }])).to.throw(sentence);
  });
});
