// Names that mean the same data, in runs that have different ones.
import { expect } from 'chai';
import type { Product, ProductVariable } from '../../../grammar/data-product/product.js';
import { withKnownNames } from './known-names.js';

const variable = (name: string): ProductVariable => ({ name, scale: 1, bias: 0, more: [] });
const time = variable('sys.exec.out.time');
const axis = { isLogarithmic: false };
const productOf = (...curves: (readonly string[])[]): Product => ({
  pages: [
    {
      ...{ title: 'P', across: 1, down: 1 },
      plots: [
        { curves: curves.map((names) => names.map((name) => ({ x: time, y: variable(name) }))), x: axis, y: axis },
      ],
    },
  ],
  tables: [],
  unread: [],
});

describe('names that mean the same data', () => {
  const known = async (runs: readonly string[], there: readonly string[], ...curves: (readonly string[])[]) => {
    const { product, looks } = await withKnownNames(productOf(...curves), runs, async (path) => there.includes(path));
    return { names: product.pages[0]!.plots[0]!.curves.map((curve) => curve.map(({ y }) => y.name)), looks };
  };

  it('become the first that the first run has, and the names that other runs have for it', async () => {
    expect(await known([''], ['b'], ['a', 'b'], ['c'])).to.deep.equal({ names: [['b'], ['c']], looks: {} });
    const there = ['run1.b', 'run2.a', 'run3.a', 'run3.b'];
    expect(await known(['run1', 'run2', 'run3'], there, ['a', 'b'])).to.deep.equal({
      names: [['b']],
      looks: { run2: { names: [{ name: 'b', there: 'a' }] }, run3: { names: [{ name: 'b', there: 'a' }] } },
    });
  });

  it('stay the first where no run has any', async () => {
    expect(await known(['run1'], [], ['a', 'b'])).to.deep.equal({ names: [['a']], looks: {} });
  });
});
