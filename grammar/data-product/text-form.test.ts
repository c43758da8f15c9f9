import { expect } from 'chai';
import fc from 'fast-check';
import { productOf } from './product.js';
import { elementOfText, isTextProduct } from './text-form.js';

const TEXT = `# of a flight
PLOTS:
  PAGE 1: "Flight"
    START: 1
    PLOT 1: "Height"
      Y_AXIS_LABEL: "up"
      Y_MIN_RANGE: -1e2
      PLOT_Y_SCALE: "log"
      X_VARIABLE: "sys.exec.out.time"
        LABEL: "Time"
      Y_VARIABLE: "ball.position[1]"
        UNITS: "ft"
        SCALE_FACTOR: 2
        BIAS: -0.5
        LINE_COLOR: "red"
      Y_VARIABLE: "ball.position[0]"
    PLOT 2: "Plane"   // x over y
      CURVE:
        XY_PAIR: {
          X_VARIABLE: "ball.position[0]"
          Y_VARIABLE: "ball.position[1]"
        }
        XY_PAIR: { Y_VARIABLE: "ball.height" UNITS: "m" }
TABLES:
  TABLE 1: "Numbers"
    VARIABLE: "ball.position[1]"
      UNITS: "m"
`;

describe('the text of a data product', () => {
  it('has pages, plots, curves and tables as its XML', () => {
    const { pages, tables, unread } = productOf(elementOfText(TEXT), 'ball.dp');
    const [page] = pages;
    expect(page).to.include({ title: 'Flight', across: 2, down: 1 });
    const [height, plane] = page?.plots ?? [];
    expect(height).to.deep.include({ title: 'Height', from: 1, y: { label: 'up', min: -100, isLogarithmic: true } });
    expect(height?.curves.map(([pair]) => [pair?.x.name, pair?.y.name])).to.deep.equal([
      ['sys.exec.out.time', 'ball.position[1]'],
      ['sys.exec.out.time', 'ball.position[0]'],
    ]);
    expect(height?.curves[0]?.[0]?.y).to.deep.include({ units: 'ft', scale: 2, bias: -0.5, colour: 'red' });
    expect(plane?.curves[0]?.map(({ x, y }) => [x.name, y.name, y.units])).to.deep.equal([
      ['ball.position[0]', 'ball.position[1]', undefined],
      ['sys.exec.out.time', 'ball.height', 'm'],
    ]);
    expect(tables.map(({ title, columns }) => [title, columns[0]?.name, columns[0]?.units])).to.deep.equal([
      ['Numbers', 'ball.position[1]', 'm'],
    ]);
    expect(unread).to.deep.equal([]);
  });

  it('is told apart from other texts, and refused by its line when it is none', () => {
    expect(isTextProduct(TEXT)).to.equal(true);
    for (const other of ['{"version":1}', '<product/>', '', 'PLOTS are nice'])
      expect(isTextProduct(other)).to.equal(false);
    expect(() => elementOfText('PLOTS:\n  PAGE 1: "a\n')).to.throw('line 2 is not of a data product');
    expect(() => elementOfText('PLOTS:\n"a" "b"')).to.throw('line 2 has a value without a name');
    expect(() => productOf(elementOfText('PLOTS:'), 'none.dp')).to.throw('none.dp has no plots and no tables');
  });

  it('ends with a product or a sentence, whatever it is', () => {
    const parts = TEXT.split(/\s+/);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, '}', '"', '-', ':')), (words) => {
        try {
          productOf(elementOfText(words.join(' ')), 'any.dp');
        } catch (error) {
          expect((error as Error).message).to.match(/^(line 1 |any\.dp has no plots)/);
        }
      }),
    );
  });
});
