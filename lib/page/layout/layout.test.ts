import { expect } from 'chai';
import fc from 'fast-check';
import type { XmlElement } from '../../../grammar/data-product/element.js';
import { hashOf, jsonOfHash } from './address.js';
import { addLayout, addPanel, addTab, placePanel, removePanel, removeTab, shownTab } from './changes.js';
import { firstLayout } from './first-layout.js';
import { compacted, freePlace, GRID_COLUMNS, type GridPlace, overlap } from './grid.js';
import { EMPTY_LAYOUT, type Layout, layoutOf } from './layout.js';
import { layoutOfTrickView } from './trick-view.js';

const SIZE = { columns: 8, rows: 6 };
const added = (layout: Layout, count: number): Layout =>
  Array.from({ length: count }).reduce<Layout>(
    (so_far) => addPanel(so_far, { type: 'table', settings: {}, size: SIZE }).layout,
    layout,
  );
const placesOf = (layout: Layout): GridPlace[] => shownTab(layout).panels.map(({ place }) => place);

const place = fc.record({
  x: fc.integer({ min: 0, max: 16 }),
  y: fc.integer({ min: 0, max: 40 }),
  columns: fc.integer({ min: 1, max: 8 }),
  rows: fc.integer({ min: 1, max: 12 }),
});

describe('the grid', () => {
  it('puts new panels side by side, then below', () => {
    expect(placesOf(added(EMPTY_LAYOUT, 4)).map(({ x, y }) => [x, y])).to.deep.equal([
      [0, 0],
      [8, 0],
      [16, 0],
      [0, 6],
    ]);
  });

  it('never lets two panels overlap, whatever is moved where', () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 12 }), fc.nat(11), (places, first) => {
        const panels = places.map((one, k) => ({ id: String(k), place: one }));
        const laid = compacted(panels, String(first));
        expect(laid.map(({ id }) => id)).to.deep.equal(panels.map(({ id }) => id));
        laid.forEach((one, k) => {
          expect(one.place.x + one.place.columns).to.be.at.most(GRID_COLUMNS);
          for (const other of laid.slice(k + 1)) expect(overlap(one.place, other.place)).to.equal(false);
        });
        // Nothing could move up any further.
        expect(compacted(laid)).to.deep.equal(laid);
      }),
    );
  });

  it('makes room where a panel is dropped, and closes the gap that it left', () => {
    const layout = added(EMPTY_LAYOUT, 3);
    const [first, second, third] = placesOf(placePanel(layout, 'panel-3', { x: 0, y: 0, columns: 8, rows: 6 }));
    expect(third).to.deep.equal({ x: 0, y: 0, columns: 8, rows: 6 });
    expect(first).to.deep.equal({ x: 0, y: 6, columns: 8, rows: 6 });
    expect(second).to.deep.equal({ x: 8, y: 0, columns: 8, rows: 6 });
    expect(placesOf(removePanel(placePanel(layout, 'panel-3', third as GridPlace), 'panel-3'))[0]).to.include({ y: 0 });
  });

  it('finds a free place of any size', () => {
    expect(freePlace([], { columns: 99, rows: 3 })).to.deep.equal({ x: 0, y: 0, columns: GRID_COLUMNS, rows: 3 });
  });
});

describe('a layout', () => {
  it('is read from what it is written as', () => {
    const layout = addTab(added(EMPTY_LAYOUT, 5), 'Second');
    expect(layoutOf(JSON.parse(JSON.stringify(layout)))).to.deep.equal(layout);
  });

  it('is read from anything that has tabs, and refused with one sentence from anything else', () => {
    for (const given of [undefined, null, 7, 'x', [], {}, { version: 1 }]) {
      expect(() => layoutOf(given)).to.throw(/^this is no layout of varwire: it has no list of tabs$/);
    }
    expect(() => layoutOf({ version: 2, tabs: [] })).to.throw('this layout is of version 2');
    expect(layoutOf({ version: 1, tabs: [] })).to.deep.equal(EMPTY_LAYOUT);
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.array(fc.anything()), (tabs, panels) => {
        const layout = layoutOf({ version: 1, tabs: [...tabs, { panels }] });
        expect(layout.tabs.length).to.be.above(0);
        expect(layout.tabs.map(({ id }) => id)).to.include(layout.shown);
      }),
    );
  });

  it('gives panels with one id different ones', () => {
    const panel = { id: 'a', type: 'table', place: { x: 0, y: 0, columns: 4, rows: 4 } };
    const { panels } = shownTab(layoutOf({ version: 1, tabs: [{ panels: [panel, panel] }] }));
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(2);
  });

  it('keeps its last tab, and shows the neighbour of one that goes', () => {
    const two = addTab(EMPTY_LAYOUT, 'Second');
    expect(removeTab(two, two.shown).shown).to.equal('tab-1');
    expect(removeTab(EMPTY_LAYOUT, 'tab-1')).to.equal(EMPTY_LAYOUT);
  });

  it('takes another as further tabs, without two panels of one id', () => {
    const both = addLayout(added(EMPTY_LAYOUT, 2), added(EMPTY_LAYOUT, 2));
    expect(both.tabs).to.have.length(2);
    expect(both.shown).to.equal(both.tabs[1]?.id);
    const ids = both.tabs.flatMap(({ panels }) => panels.map(({ id }) => id));
    expect(new Set(ids).size).to.equal(4);
  });

  it('goes through an address', async () => {
    const layout = added(EMPTY_LAYOUT, 20);
    const hash = await hashOf(layout);
    expect(hash).to.match(/^layout=[\w-]+$/);
    expect(await jsonOfHash(`#${hash}`)).to.deep.equal(layout);
    expect(await jsonOfHash('#other')).to.equal(undefined);
    const broken = await jsonOfHash(`#${hash.slice(0, 40)}`).catch((error: Error) => error.message);
    expect(broken).to.equal('the layout in this address is broken; it may have been cut when it was copied');
  });
});

const element = (name: string, content: string | readonly XmlElement[]): XmlElement => ({
  name,
  text: typeof content === 'string' ? content : '',
  children: typeof content === 'string' ? [] : content,
});
const variable = (name: string, units: string): XmlElement =>
  element('variable', [element('name', name), element('value', '1.0'), element('units', units)]);

describe("Trick View's files", () => {
  const time = variable('trick_sys.sched.time_tics', '--');
  const height = variable('ball.position[1]', 'ft');
  const chart = (domain: string, ...plotted: string[]): XmlElement =>
    element('stripChart', [
      element('domainVariable', domain),
      ...plotted.map((name) => element('plottedVariable', name)),
      element('mode', 'Strip'),
    ]);

  it('become a table and plots', () => {
    const file = element('trickView', [
      element('cyclePeriod', '0.5'),
      time,
      height,
      chart('trick_sys.sched.time_tics', 'ball.position[1]'),
      chart('ball.position[0]', 'ball.position[1]'),
    ]);
    const { tabs } = layoutOfTrickView(file, 'TV_ball.tv');
    expect(tabs[0].name).to.equal('TV_ball');
    expect(tabs[0].panels.map(({ type, settings }) => [type, settings])).to.deep.equal([
      ['table', { rows: [{ alias: 'ball.position[1]', units: 'ft' }] }],
      ['strip-chart', { lines: [{ alias: 'ball.position[1]', units: 'ft' }] }],
      ['xy-plot', { trajectories: [{ x: 'ball.position[0]', y: 'ball.position[1]' }] }],
    ]);
  });

  it('are refused when they have nothing to show', () => {
    expect(() => layoutOfTrickView(element('html', [time]), 'page.xml')).to.throw(
      'page.xml has no variables and no strip charts, as files of Trick View have',
    );
  });
});

describe('the layout of a simulation that ships none', () => {
  const listed = (alias: string, unit: string, dim: readonly number[] = [], type_path = 'double') =>
    ({ alias, unit, dim, type_path, about: '', access: 'read-write' }) as const;

  it('has a table and plots by unit', () => {
    const [tab] = firstLayout([
      listed('ball.count', '1', [], 'int'),
      listed('ball.gain', '1'),
      listed('ball.position', 'm', [2]),
      listed('ball.velocity', 'm/s', [2]),
      listed('ball.image', '1', [640, 480]),
    ]).tabs;
    expect(tab.panels.map(({ type, settings }) => [type, settings])).to.deep.equal([
      ['table', { rows: ['ball.count', 'ball.gain', 'ball.position', 'ball.velocity'].map((alias) => ({ alias })) }],
      ['xy-plot', { trajectories: [{ x: 'ball.position[0]', y: 'ball.position[1]' }] }],
      ['strip-chart', { lines: [{ alias: 'ball.position[0]' }, { alias: 'ball.position[1]' }] }],
      ['strip-chart', { lines: [{ alias: 'ball.velocity[0]' }, { alias: 'ball.velocity[1]' }] }],
    ]);
  });

  it('fills a window, and has more plots, side by side, on a wall', () => {
    const units = ['m', 'm/s', 'Pa', 'K', 'A'];
    const variables = [listed('o.at', 'm', [2]), ...units.map((unit, k) => listed(`o.x${k}`, unit))];
    const placesIn = (rows: number, widthPixels: number) =>
      firstLayout(variables, { rows, widthPixels }).tabs[0].panels.map(({ type, place }) => [type, place]);
    expect(placesIn(27, 1130)).to.deep.equal([
      ['table', { x: 0, y: 0, columns: 9, rows: 8 }],
      ['xy-plot', { x: 0, y: 8, columns: 9, rows: 19 }],
      ['strip-chart', { x: 9, y: 0, columns: 15, rows: 13 }],
      ['strip-chart', { x: 9, y: 13, columns: 15, rows: 14 }],
    ]);
    const wall = placesIn(63, 3500);
    expect(wall.filter(([type]) => type === 'strip-chart')).to.deep.equal(
      [0, 1, 2, 3, 4].map((k) => [
        'strip-chart',
        { x: k % 2 === 0 ? 6 : 15, y: 21 * Math.floor(k / 2), columns: 9, rows: 21 },
      ]),
    );
    expect(placesIn(3, 390).map(([, place]) => (place as { rows: number }).rows)).to.deep.equal([8, 12, 10, 10]);
  });

  it('shows what is in space before the plots', () => {
    const variables = ['m', 'm/s', 'Pa'].map((unit, k) => listed(`o.x${k}`, unit));
    const placesOf = (...pictures: string[]) =>
      firstLayout(variables, { rows: 20, widthPixels: 1130 }, { pictures }).tabs[0].panels.map(({ type, place }) => [
        type,
        place,
      ]);
    const table = ['table', { x: 0, y: 0, columns: 9, rows: 5 }];
    expect(placesOf('scene')).to.deep.equal([
      table,
      ['scene', { x: 9, y: 0, columns: 15, rows: 10 }],
      ['strip-chart', { x: 9, y: 10, columns: 15, rows: 10 }],
    ]);
    expect(placesOf('scene', 'ground-track')).to.deep.equal([
      table,
      ['scene', { x: 9, y: 0, columns: 7, rows: 10 }],
      ['ground-track', { x: 16, y: 0, columns: 8, rows: 10 }],
      ['strip-chart', { x: 9, y: 10, columns: 7, rows: 10 }],
      ['strip-chart', { x: 16, y: 10, columns: 8, rows: 10 }],
    ]);
  });

  it('shows as many values as a window has room for, where there is no trajectory', () => {
    const many = Array.from({ length: 100 }, (_, k) => listed(`o.x${k}`, 'm'));
    for (const [rows, values] of [
      [20, 20],
      [40, 43],
    ] as const) {
      const [table] = firstLayout(many, { rows, widthPixels: 1130 }).tabs[0].panels;
      expect(table?.settings.rows).to.have.length(values);
      expect(table?.place.rows).to.equal(rows);
    }
  });

  it('is empty for a simulation without variables', () => {
    expect(firstLayout([]).tabs[0].panels).to.deep.equal([]);
  });
});
