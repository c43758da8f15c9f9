// What expressions are worth, and which are refused.
import { expect } from 'chai';
import { Frame } from '../../../model/frame/reader.js';
import { headerOf } from '../../../testing/aids/frames.js';
import { BOOL, DOUBLE, FLOAT, type KrpcType, type KrpcValue, SINT32, SINT64, STRING, UINT32 } from '../values/type.js';
import * as arithmetic from './arithmetic.js';
import * as collections from './collections.js';
import { functionOf, invoke, nodeIn } from './expression-service.js';
import { constant, type Node, parameter, Watched } from './node.js';

const frame = new Frame(0, headerOf());
const worth = (node: Node): KrpcValue | undefined => new Watched(node).evaluate(frame);
const int = (value: number): Node => constant(SINT32, value);
const long = (value: bigint): Node => constant(SINT64, value);
const real = (value: number): Node => constant(DOUBLE, value);
const truth = (value: boolean): Node => constant(BOOL, value);
const list = (...values: number[]): Node => collections.createList(values.map(int));
const compute = (operator: string, one: Node, other: Node): KrpcValue | undefined =>
  worth(arithmetic.arithmetic(operator, one, other));
/** A function of one parameter. */
const fun = (type: KrpcType, body: (x: Node) => Node): Node => {
  const x = parameter('x', type);
  return functionOf([x], body(x));
};
const isOdd = fun(SINT32, (x) => arithmetic.equality('Equal', arithmetic.arithmetic('Modulo', x, int(2)), int(1)));
const sum = (): Node => {
  const [a, b] = [parameter('a', SINT32), parameter('b', SINT32)];
  return functionOf([a, b], arithmetic.arithmetic('Add', a, b));
};

describe('an expression', () => {
  it('computes in its type: integers wrap and truncate, floats are rounded', () => {
    expect(compute('Add', int(2 ** 31 - 1), int(1))).to.equal(-(2 ** 31));
    expect(compute('Multiply', int(65_536), int(65_537))).to.equal(65_536);
    expect(compute('Divide', int(-7), int(2))).to.equal(-3);
    expect(compute('Modulo', int(-7), int(2))).to.equal(-1);
    expect(compute('Subtract', constant(UINT32, 1), constant(UINT32, 2))).to.equal(2 ** 32 - 1);
    expect(compute('Add', long(2n ** 63n - 1n), long(1n))).to.equal(-(2n ** 63n));
    expect(compute('Divide', real(1), real(0))).to.equal(Number.POSITIVE_INFINITY);
    expect(compute('Add', constant(FLOAT, Math.fround(0.1)), constant(FLOAT, Math.fround(0.2)))).to.equal(
      Math.fround(0.3),
    );
    expect(worth(arithmetic.power(int(2), int(10)))).to.equal(1024);
    expect(worth(arithmetic.shift('LeftShift', int(1), int(33)))).to.equal(2);
    expect(worth(arithmetic.shift('RightShift', int(-8), int(1)))).to.equal(-4);
    expect(() => compute('Divide', int(1), int(0))).to.throw('divided by zero');
  });

  it('compares and decides', () => {
    expect(worth(arithmetic.order('LessThan', int(1), int(2)))).to.equal(true);
    expect(worth(arithmetic.order('GreaterThanOrEqual', real(1), real(1)))).to.equal(true);
    expect(worth(arithmetic.equality('Equal', constant(STRING, 'a'), constant(STRING, 'a')))).to.equal(true);
    expect(worth(arithmetic.equality('NotEqual', list(1, 2), list(1, 2)))).to.equal(false);
    expect(worth(arithmetic.logic('ExclusiveOr', truth(true), truth(false)))).to.equal(true);
    expect(worth(arithmetic.logic('And', int(6), int(3)))).to.equal(2);
    expect(worth(arithmetic.not(truth(true)))).to.equal(false);
    expect(worth(arithmetic.not(int(0)))).to.equal(-1);
  });

  it('is not made of null, be it an item of a collection', () => {
    for (const none of [null, undefined])
      expect(() => nodeIn(none as never))
        .to.throw()
        .with.property('exception', 'ArgumentNullException');
  });

  it('converts only when it is told to', () => {
    expect(worth(arithmetic.cast(real(2.9), SINT32))).to.equal(2);
    expect(worth(arithmetic.cast(real(Number.NaN), SINT32))).to.equal(0);
    expect(worth(arithmetic.cast(long(2n ** 32n + 5n), SINT32))).to.equal(5);
    expect(worth(arithmetic.cast(int(3), DOUBLE))).to.equal(3);
    expect(() => arithmetic.cast(constant(STRING, '1'), SINT32)).to.throw('a string cannot be cast to sint32');
    expect(() => arithmetic.arithmetic('Add', int(1), real(1))).to.throw('Add is not defined for sint32 and double');
    expect(() => arithmetic.order('LessThan', truth(true), truth(false))).to.throw('LessThan is not defined for bool');
    expect(() => arithmetic.shift('LeftShift', real(1), int(1))).to.throw('LeftShift is not defined');
  });

  it('makes collections, and reads them', () => {
    expect(worth(collections.createTuple([int(1), real(2)]))).to.deep.equal([1, 2]);
    expect(worth(collections.createSet([int(1), int(1)]))).to.deep.equal(new Set([1]));
    const map = collections.createDictionary([constant(STRING, 'a')], [int(7)]);
    expect(worth(collections.get(map, constant(STRING, 'a')))).to.equal(7);
    expect(() => worth(collections.get(map, constant(STRING, 'b')))).to.throw('nothing at this key');
    expect(worth(collections.get(list(4, 5), int(1)))).to.equal(5);
    expect(() => worth(collections.get(list(4, 5), int(2)))).to.throw('nothing at this index');
    expect(worth(collections.get(collections.createTuple([int(1), real(2)]), int(1)))).to.equal(2);
    expect(() => collections.get(collections.createTuple([int(1)]), int(1))).to.throw('has no item 1');
    expect(worth(collections.toSet(list(1, 2, 1)))).to.deep.equal(new Set([1, 2]));
    expect(worth(collections.toList(collections.createSet([int(3)])))).to.deep.equal([3]);
    expect(() => collections.createList([])).to.throw('needs an item');
    expect(() => collections.createList([int(1), real(1)])).to.throw('one type');
  });

  it('sums up collections', () => {
    const of = (name: string, node: Node = list(3, 1, 2)): KrpcValue | undefined =>
      worth(collections.summary(name, node));
    expect([of('Sum'), of('Max'), of('Min'), of('Average')]).to.deep.equal([6, 3, 1, 2]);
    expect(worth(collections.count(list(3, 1)))).to.equal(2);
    const none = collections.where(list(2), isOdd);
    expect(of('Sum', none)).to.equal(0);
    expect(() => of('Max', none)).to.throw('the collection is empty');
    expect(() => collections.summary('Sum', constant(STRING, ''))).to.throw('a collection is needed here, not string');
  });

  it('applies functions to items', () => {
    const square = fun(SINT32, (x) => arithmetic.arithmetic('Multiply', x, x));
    expect(worth(collections.select(list(1, 2, 3), square))).to.deep.equal([1, 4, 9]);
    expect(worth(collections.where(list(1, 2, 3), isOdd))).to.deep.equal([1, 3]);
    expect(worth(collections.contains(list(1, 2), int(2)))).to.equal(true);
    expect(worth(collections.aggregate(list(1, 2, 3), sum()))).to.equal(6);
    expect(worth(collections.aggregateWithSeed(list(1, 2), int(10), sum()))).to.equal(13);
    expect(worth(collections.concat(list(1), list(2)))).to.deep.equal([1, 2]);
    const negative = fun(SINT32, (x) => arithmetic.arithmetic('Subtract', int(0), x));
    expect(worth(collections.orderBy(list(1, 3, 2), negative))).to.deep.equal([3, 2, 1]);
    const pairs = fun(SINT32, (x) => collections.createTuple([x, x]));
    expect(() => collections.orderBy(list(1, 3, 2), pairs)).to.throw('OrderBy needs keys that have an order, not');
    expect(worth(collections.quantified('All', list(1, 3), isOdd))).to.equal(true);
    expect(worth(collections.quantified('Any', list(2, 4), isOdd))).to.equal(false);
    expect(() => collections.select(list(1), sum())).to.throw('a function of sint32 is needed here');
    expect(() => collections.where(list(1), square)).to.throw('which gives bool');
  });

  it('calls functions by the names of their parameters, which keep their values apart', () => {
    const subtract = functionOf(
      [parameter('a', SINT32), parameter('b', SINT32)].map((one) => one),
      int(0),
    );
    expect(() => invoke(subtract, new Map([['a', int(1)]]))).to.throw('the argument b is missing');
    const x = parameter('x', SINT32);
    const twice = functionOf([x], arithmetic.arithmetic('Add', x, x));
    const nested = functionOf([x], arithmetic.arithmetic('Add', x, invoke(twice, new Map([['x', int(10)]]))));
    expect(worth(invoke(nested, new Map([['x', int(1)]])))).to.equal(21);
    expect(() => worth(x)).to.throw('the parameter x has no value here');
    expect(() => functionOf([int(1)], int(1))).to.throw('made by Parameter');
    expect(() => arithmetic.arithmetic('Add', twice, twice)).to.throw('a value is needed here');
  });

  it('may not be too large, too deep, or take too long', () => {
    let deep: Node = int(1);
    expect(() => {
      for (;;) deep = arithmetic.not(deep);
    }).to.throw('64 deep');
    let wide: Node = int(1);
    expect(() => {
      for (;;) wide = arithmetic.arithmetic('Add', wide, wide);
    }).to.throw('10000 parts');
    const many = collections.createList(Array.from({ length: 300 }, (_, k) => int(k)));
    const inner = fun(SINT32, (x) => arithmetic.arithmetic('Add', x, collections.summary('Sum', many)));
    expect(() => worth(collections.select(many, inner))).to.throw('20000 steps');
  });

  it('that is an index into a tuple has as many steps', () => {
    const pair = collections.createTuple([int(1), real(2)]);
    expect(worth(collections.get(pair, arithmetic.arithmetic('Subtract', int(2), int(1))))).to.equal(2);
    const text = 'x'.repeat(1_000_000);
    const isEqual = arithmetic.equality('Equal', constant(STRING, text), constant(STRING, text));
    const many = collections.createList(Array.from({ length: 1000 }, () => isEqual));
    expect(() => collections.get(pair, collections.count(many))).to.throw('20000 steps');
    for (const index of [truth(true), real(1), long(1n), constant(UINT32, 1)])
      expect(() => collections.get(pair, index)).to.throw('the index into a tuple is a sint32');
  });

  it('that compares texts in lists takes a step for 64 characters of equal length', () => {
    const texts = (text: string): Node => collections.createList([constant(STRING, text)]);
    const many = collections.createList(Array.from({ length: 100 }, (_, k) => int(k)));
    const [one, other] = [parameter('one', texts('').type), parameter('other', texts('').type)];
    const body = collections.select(
      many,
      fun(SINT32, () => arithmetic.equality('Equal', one, other)),
    );
    const compared = (a: string, b: string): Node =>
      invoke(
        functionOf([one, other], body),
        new Map([
          ['one', texts(a)],
          ['other', texts(b)],
        ]),
      );
    expect(() => worth(compared('x'.repeat(64_000), 'x'.repeat(64_000)))).to.throw('20000 steps');
    expect(worth(compared('x'.repeat(64_000), 'x'))).to.have.length(100);
  });
});
