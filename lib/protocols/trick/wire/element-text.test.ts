// Single values as ASCII replies show them.
import { expect } from 'chai';
import fc from 'fast-check';
import { Memory } from '../../../model/state/memory.js';
import { converter } from '../../../model/units/index.js';
import { runs } from '../../../testing/aids/run-counts.js';
import { elementFormat } from './element-text.js';

const memory = new Memory(new ArrayBuffer(8));

/** 64-bit integers of any size, those near the edges of 32 and 53 bits among them. */
const wide = fc
  .tuple(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer({ min: 0, max: 62 }))
  .map(([value, shift]) => value >> BigInt(shift));
const edges = [31n, 32n, 52n, 53n, 63n].flatMap((power) => [-1n, 0n, 1n].map((step) => 2n ** power + step));

describe('element text', () => {
  it('prints every 64-bit integer to the last digit', () => {
    const signed = elementFormat({ kind: 'number', name: 'long' }, undefined);
    const unsigned = elementFormat({ kind: 'number', name: 'unsigned long long' }, undefined);
    fc.assert(
      fc.property(fc.oneof(wide, fc.constantFrom(...edges, ...edges.map((edge) => -edge))), (value) => {
        memory.view.setBigInt64(0, value, true);
        expect(signed(memory, 0)).to.equal(BigInt.asIntN(64, value).toString());
        expect(unsigned(memory, 0)).to.equal(BigInt.asUintN(64, value).toString());
      }),
      { numRuns: runs(2000) },
    );
  });

  it('converts bit fields as integers and leaves truth values and enumerations alone', () => {
    const toCentimetres = converter('m', 'cm');
    memory.view.setInt32(0, -3, true);
    const bits = { kind: 'bits', widthBits: 9, isSigned: true, declaredAs: 'int' } as const;
    expect(elementFormat(bits, toCentimetres)(memory, 0)).to.equal('-300');
    expect(elementFormat({ ...bits, isSigned: false }, undefined)(memory, 0)).to.equal('4294967293');
    expect(elementFormat({ kind: 'enumeration', name: 'E', labels: {} }, toCentimetres)(memory, 0)).to.equal('-3');
    expect(elementFormat({ kind: 'number', name: 'bool' }, toCentimetres)(memory, 0)).to.equal('1');
  });

  it('rounds a converted float to a float again', () => {
    memory.view.setFloat32(0, 2.5, true);
    expect(elementFormat({ kind: 'number', name: 'float' }, converter('m', 'ft'))(memory, 0)).to.equal('8.2020998');
  });
});
