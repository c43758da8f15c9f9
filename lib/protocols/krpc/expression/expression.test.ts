// What expressions are worth, and which are refused.
import { expect } from 'chai';
import { Frame } from '../../../model/frame/reader.js';
import { headerOf } from '../../../testing/aids/frames.js';
import { BOOL, DOUBLE, FLOAT, type KrpcType, type KrpcValue, SINT32, SINT64, STRING, UINT32 } from '../values/type.js';
import { COLLECTION_OPERATORS, createDictionary, createList, createSet, createTuple } from './collections.js';
import { functionOf, invoke, nodeIn } from './expression-service.js';
import { constant, type Node, type Operator, parameter, valueIn } from './node.js';
import { cast, OPERATORS } from './operators.js';

const frame = new Frame(0, headerOf());
const worth = (node: Node): KrpcValue | undefined => valueIn(frame, node);
const op = (name: string, ...parts: readonly Node[]): Node => {
  const operator = [...OPERATORS, ...COLLECTION_OPERATORS].find((one) => one.name === name) as Operator;
  return operator.make(...(parts as readonly [Node, Node, Node]));
};
const int = (value: number): Node => constant(SINT32, value);
const long = (value: bigint): Node => constant(SINT64, value);
const real = (value: number): Node => constant(DOUBLE, value);
const truth = (value: boolean): Node => constant(BOOL, value);
const list = (...values: number[]): Node => createList(values.map(int));
const compute = (operator: string, one: Node, other: Node): KrpcValue | undefined => worth(op(operator, one, other));
/** A function of one parameter. */
const fun = (type: KrpcType, body: (x: Node) => Node): Node => {
  const x = parameter('x', type);
  return functionOf([x], body(x));
};
const isOdd = fun(SINT32, (x) => op('Equal', op('Modulo', x, int(2)), int(1)));
const sum = (): Node => {
  const [a, b] = [parameter('a', SINT32), parameter('b', SINT32)];
  return functionOf([a, b], op('Add', a, b));
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
    expect(worth(op('Power', int(2), int(10)))).to.equal(1024);
    expect(worth(op('LeftShift', int(1), int(33)))).to.equal(2);
    expect(worth(op('RightShift', int(-8), int(1)))).to.equal(-4);
    expect(() => compute('Divide', int(1), int(0))).to.throw('divided by zero');
  });

  it('compares and decides', () => {
    expect(worth(op('LessThan', int(1), int(2)))).to.equal(true);
    expect(worth(op('GreaterThanOrEqual', real(1), real(1)))).to.equal(true);
    expect(worth(op('Equal', constant(STRING, 'a'), constant(STRING, 'a')))).to.equal(true);
    expect(worth(op('NotEqual', list(1, 2), list(1, 2)))).to.equal(false);
    expect(worth(op('ExclusiveOr', truth(true), truth(false)))).to.equal(true);
    expect(worth(op('And', int(6), int(3)))).to.equal(2);
    expect(worth(op('Not', truth(true)))).to.equal(false);
    expect(worth(op('Not', int(0)))).to.equal(-1);
  });

  it('is not made of null, be it an item of a collection', () => {
    for (const none of [null, undefined])
      expect(() => nodeIn(none as never))
        .to.throw()
        .with.property('exception', 'ArgumentNullException');
  });

  it('converts only when it is told to', () => {
    expect(worth(cast(real(2.9), SINT32))).to.equal(2);
    expect(worth(cast(real(Number.NaN), SINT32))).to.equal(0);
    expect(worth(cast(long(2n ** 32n + 5n), SINT32))).to.equal(5);
    expect(worth(cast(int(3), DOUBLE))).to.equal(3);
    expect(() => cast(constant(STRING, '1'), SINT32)).to.throw('a string cannot be cast to sint32');
    expect(() => op('Add', int(1), real(1))).to.throw('Add is not defined for sint32 and double');
    expect(() => op('LessThan', truth(true), truth(false))).to.throw('LessThan is not defined for bool');
    expect(() => op('LeftShift', real(1), int(1))).to.throw('LeftShift is not defined');
  });

  it('makes collections, and reads them', () => {
    expect(worth(createTuple([int(1), real(2)]))).to.deep.equal([1, 2]);
    expect(worth(createSet([int(1), int(1)]))).to.deep.equal(new Set([1]));
    const map = createDictionary([constant(STRING, 'a')], [int(7)]);
    expect(worth(op('Get', map, constant(STRING, 'a')))).to.equal(7);
    expect(() => worth(op('Get', map, constant(STRING, 'b')))).to.throw('nothing at this key');
    expect(worth(op('Get', list(4, 5), int(1)))).to.equal(5);
    expect(() => worth(op('Get', list(4, 5), int(2)))).to.throw('nothing at this index');
    expect(worth(op('Get', createTuple([int(1), real(2)]), int(1)))).to.equal(2);
    expect(() => op('Get', createTuple([int(1)]), int(1))).to.throw('has no item 1');
    expect(worth(op('ToSet', list(1, 2, 1)))).to.deep.equal(new Set([1, 2]));
    expect(worth(op('ToList', createSet([int(3)])))).to.deep.equal([3]);
    expect(() => createList([])).to.throw('needs an item');
    expect(() => createList([int(1), real(1)])).to.throw('one type');
  });

  it('sums up collections', () => {
    const of = (name: string, node: Node = list(3, 1, 2)): KrpcValue | undefined => worth(op(name, node));
    expect([of('Sum'), of('Max'), of('Min'), of('Average')]).to.deep.equal([6, 3, 1, 2]);
    expect(worth(op('Count', list(3, 1)))).to.equal(2);
    const none = op('Where', list(2), isOdd);
    expect(of('Sum', none)).to.equal(0);
    expect(() => of('Max', none)).to.throw('the collection is empty');
    expect(() => op('Sum', constant(STRING, ''))).to.throw('a collection is needed here, not string');
  });

  it('applies functions to items', () => {
    const square = fun(SINT32, (x) => op('Multiply', x, x));
    expect(worth(op('Select', list(1, 2, 3), square))).to.deep.equal([1, 4, 9]);
    expect(worth(op('Where', list(1, 2, 3), isOdd))).to.deep.equal([1, 3]);
    expect(worth(op('Contains', list(1, 2), int(2)))).to.equal(true);
    expect(worth(op('Aggregate', list(1, 2, 3), sum()))).to.equal(6);
    expect(worth(op('AggregateWithSeed', list(1, 2), int(10), sum()))).to.equal(13);
    expect(worth(op('Concat', list(1), list(2)))).to.deep.equal([1, 2]);
    const negative = fun(SINT32, (x) => op('Subtract', int(0), x));
    expect(worth(op('OrderBy', list(1, 3, 2), negative))).to.deep.equal([3, 2, 1]);
    const pairs = fun(SINT32, (x) => createTuple([x, x]));
    expect(() => op('OrderBy', list(1, 3, 2), pairs)).to.throw('OrderBy needs keys that have an order, not');
    expect(worth(op('All', list(1, 3), isOdd))).to.equal(true);
    expect(worth(op('Any', list(2, 4), isOdd))).to.equal(false);
    expect(() => op('Select', list(1), sum())).to.throw('a function of sint32 is needed here');
    expect(() => op('Where', list(1), square)).to.throw('which gives bool');
  });

  it('calls functions by the names of their parameters, which keep their values apart', () => {
    const subtract = functionOf(
      [parameter('a', SINT32), parameter('b', SINT32)].map((one) => one),
      int(0),
    );
    expect(() => invoke(subtract, new Map([['a', int(1)]]))).to.throw('the argument b is missing');
    const x = parameter('x', SINT32);
    const twice = functionOf([x], op('Add', x, x));
    const nested = functionOf([x], op('Add', x, invoke(twice, new Map([['x', int(10)]]))));
    expect(worth(invoke(nested, new Map([['x', int(1)]])))).to.equal(21);
    expect(() => worth(x)).to.throw('the parameter x has no value here');
    expect(() => functionOf([int(1)], int(1))).to.throw('made by Parameter');
    expect(() => op('Add', twice, twice)).to.throw('a value is needed here');
  });

  it('may not be too large, too deep, or take too long', () => {
    let deep: Node = int(1);
    expect(() => {
      for (;;) deep = op('Not', deep);
    }).to.throw('64 deep');
    let wide: Node = int(1);
    expect(() => {
      for (;;) wide = op('Add', wide, wide);
    }).to.throw('10000 parts');
    const many = createList(Array.from({ length: 300 }, (_, k) => int(k)));
    const inner = fun(SINT32, (x) => op('Add', x, op('Sum', many)));
    expect(() => worth(op('Select', many, inner))).to.throw('20000 steps');
  });

  it('that is an index into a tuple has as many steps', () => {
    const pair = createTuple([int(1), real(2)]);
    expect(worth(op('Get', pair, op('Subtract', int(2), int(1))))).to.equal(2);
    const text = 'x'.repeat(1_000_000);
    const isEqual = op('Equal', constant(STRING, text), constant(STRING, text));
    const many = createList(Array.from({ length: 1000 }, () => isEqual));
    expect(() => op('Get', pair, op('Count', many))).to.throw('20000 steps');
    for (const index of [truth(true), real(1), long(1n), constant(UINT32, 1)])
      expect(() => op('Get', pair, index)).to.throw('the index into a tuple is a sint32');
  });

  it('that compares texts in lists takes a step for 64 characters of equal length', () => {
    const texts = (text: string): Node => createList([constant(STRING, text)]);
    const many = createList(Array.from({ length: 100 }, (_, k) => int(k)));
    const [one, other] = [parameter('one', texts('').type), parameter('other', texts('').type)];
    const body = op(
      'Select',
      many,
      fun(SINT32, () => op('Equal', one, other)),
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
