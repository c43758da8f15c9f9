// Pictures of curves, also of odd ones.
import { expect } from 'chai';
import { type Line, sparkline, svgOf } from './plot-picture.js';

const line = (values: readonly number[], name = 'a'): Line => ({
  name,
  units: 'm',
  times: values.map((_, at) => at),
  values,
});

describe('a picture of curves', () => {
  it('has the least value at the bottom and the greatest at the top', () => {
    expect(sparkline(line([0, 1, 2, 3, 4, 5, 6, 7]), 8)).to.equal('▁▂▃▄▅▆▇█');
    const [, points = ''] = /points="([^"]*)"/.exec(svgOf([line([0, 10, 5])])) ?? [];
    const [first, second, third] = points.split(' ').map((point) => Number(point.split(',')[1]));
    expect(first).to.be.above(third as number);
    expect(third).to.be.above(second as number);
  });

  it('is one of curves that are flat, huge, single, empty or not numbers', () => {
    for (const values of [
      [3, 3],
      [1e308, -1e308],
      [5],
      [],
      [Number.NaN, 1 / 0, -1 / 0],
      [1e-300, 2e-300],
      [0, 1 / 0, 1],
    ]) {
      const svg = svgOf([line(values)]);
      expect(svg, `${values}`).to.match(/^<svg .*<\/svg>\n$/s);
      if (values.every(Number.isFinite)) expect(svg, `${values}`).to.not.match(/NaN|Infinity/);
      expect([...sparkline(line(values), 10)]).to.have.length(10);
    }
  });

  it('has names as texts', () => {
    expect(svgOf([line([1, 2], '<script>&"')])).to.include('>&lt;script&gt;&amp;&quot; (m)</text>');
  });
});
