// What a function returned, checked against the type it declares.
import { expect } from 'chai';
import { returnedValue } from './returned-value.js';

describe('what a function returned', () => {
  it('is handed on as it is when it is plain', () => {
    const value = { a: [1, 2n, 'x', true, null] };
    expect(returnedValue(value)).to.deep.equal(value);
    expect(returnedValue(undefined)).to.equal(undefined);
  });

  it('is copied out of shared memory, so that it shows the moment of the call', () => {
    const cells = new Float64Array(new SharedArrayBuffer(16));
    cells[1] = 5;
    const value = returnedValue(cells);
    cells[1] = 6;
    expect(value).to.deep.equal([0, 5]);
  });

  it('leaves out members that are undefined', () => {
    expect(returnedValue({ a: undefined, b: 1 })).to.deep.equal({ b: 1 });
  });

  it('is refused with its place when it is no data', () => {
    expect(() => returnedValue({ list: [() => 1] })).to.throw(
      'what it returned.list[0] is a function, not a plain value',
    );
    expect(() => returnedValue(Symbol('s'))).to.throw('what it returned is a symbol, not a plain value');
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    expect(() => returnedValue(circle)).to.throw('is nested more than 32 deep');
  });
});
