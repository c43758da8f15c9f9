import { expect } from 'chai';
import { LOOKED, look, MARKED, mark, unmark } from './looked-at.js';

describe('the times that are looked at', () => {
  afterEach(() => {
    unmark();
    look(undefined);
  });

  it('are under the cursor, until it leaves', () => {
    look(3);
    expect(LOOKED.value).to.equal(3);
    look(undefined);
    expect(LOOKED.value).to.equal(undefined);
    expect(unmark()).to.equal(false);
  });

  it('stay as long as there is a second cursor', () => {
    mark(2, 0.1);
    look(5);
    look(undefined);
    expect([MARKED.value, LOOKED.value]).to.deep.equal([2, 5]);
    mark(4, 0.1);
    expect(MARKED.value).to.equal(4);
    mark(4.05, 0.1);
    expect(MARKED.value).to.equal(undefined);
    mark(1, 0.1);
    expect(unmark()).to.equal(true);
    expect([MARKED.value, LOOKED.value]).to.deep.equal([undefined, undefined]);
  });
});
