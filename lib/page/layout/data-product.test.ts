// Pages of Trick's data products as layouts, and what of them is told to be left out.
import { expect } from 'chai';
import type { XmlElement } from '../../../grammar/data-product/element.js';
import { productOf } from '../../../grammar/data-product/product.js';
import { layoutOfProduct } from './data-product.js';

type Content = string | readonly XmlElement[];
const element = (name: string, content: Content = [], attributes: Record<string, string> = {}): XmlElement => ({
  name,
  attributes,
  text: typeof content === 'string' ? content : '',
  children: typeof content === 'string' ? [] : content,
});
const TIME = element('var', 'sys.exec.out.time');
const curve = (name: string, attributes: Record<string, string> = {}, x = TIME): XmlElement =>
  element('curve', [x, element('var', name, attributes)]);

describe("pages of Trick's data products", () => {
  it('become tabs of plots in rows and columns, with units, scales, ends of axes and x', () => {
    const flight = element(
      'page',
      [
        element('title', 'Flight'),
        element('plot', [element('title', 'Height'), curve('ball.pos[1]', { units: 'ft', scale: '2', bias: '1' })], {
          ymin: '0',
          ymax: '100',
        }),
        element('plot', [element('yaxis', [element('units', 'km')]), curve('ball.pos[0]')]),
        element('plot', [curve('ball.pos[1]', {}, element('var', 'ball.pos[0]'))]),
      ],
      { hcells: '2', vcells: '2' },
    );
    const { layout, leftOut } = layoutOfProduct(
      productOf(element('product', [element('title', 'Ball'), flight]), 'DP_ball.xml'),
      'DP_ball.xml',
      '',
    );
    expect(leftOut).to.equal(undefined);
    const [tab] = layout.tabs;
    expect(tab.name).to.equal('Flight');
    expect(tab.panels.map(({ place: { x, y, columns } }) => [x, y, columns])).to.deep.equal([
      [0, 0, 12],
      [12, 0, 12],
      [0, 9, 12],
    ]);
    const [height, across, plane] = tab.panels.map(({ settings }) => settings);
    expect(height).to.deep.include({
      title: 'Height',
      lines: [{ alias: 'ball.pos[1]', units: 'ft', scale: 2, bias: 1 }],
    });
    expect(height!.ranges).to.deep.equal({ ft: { min: 0, max: 100, isLogarithmic: false } });
    expect(across!.lines).to.deep.equal([{ alias: 'ball.pos[0]', units: 'km' }]);
    expect(plane!.x).to.deep.equal({ alias: 'ball.pos[0]' });
  });

  it('have tables of the first run, the first of several names, and one sentence of what is left out', () => {
    const cases = element('curve', [
      element('varcase', [TIME, element('var', 'a.x')]),
      element('varcase', [TIME, element('var', 'b.x')]),
    ]);
    const product = element('product', [
      element('tstart', '-1e20'),
      element('tstop', '5'),
      element('extfn'),
      element('page', [
        element('plot', [cases, curve('a.y', { line_color: 'red', label: 'up' })], {
          xmin: '2',
          ymax: '9',
          y_scale: 'log',
        }),
      ]),
      element('table', [element('column', [TIME]), element('column', [element('var', 'a.x', { units: 'm' })])]),
    ]);
    const { layout, leftOut } = layoutOfProduct(productOf(product, 'DP_ball.xml'), 'DP_ball.xml', 'run1', {
      run2: { names: [{ name: 'a.x', there: 'b.x' }] },
    });
    expect(layout.tabs.map(({ name }) => name)).to.deep.equal(['ball 1', 'Table 1']);
    expect(layout.tabs[0].panels[0]!.settings).to.deep.include({
      lines: [{ alias: 'a.x' }, { alias: 'a.y', colour: 'red', label: 'up' }],
      ...{ from: 2, to: 5, ranges: { '': { min: undefined, max: 9, isLogarithmic: true } } },
    });
    expect(layout.runs?.run2?.names?.[0]).to.include({ name: 'a.x', there: 'b.x' });
    expect(layout.tabs[1]!.panels[0]!.settings).to.deep.equal({ rows: [{ alias: 'run1.a.x', units: 'm' }] });
    expect(leftOut).to.equal(
      'DP_ball.xml has what this page leaves out: outside functions, tstart and tstop, rows of tables but for those at the time of the playback',
    );
  });

  it('are refused without plots and tables', () => {
    expect(() => productOf(element('product'), 'DP_none.xml')).to.throw(
      "DP_none.xml has no plots and no tables, as files of Trick's data products have",
    );
  });
});
