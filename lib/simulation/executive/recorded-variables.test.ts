// What may be recorded: paths, patterns, views and whole structures.
import { expect } from 'chai';
import { array, chars, double, int, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { recordedPaths } from './recorded-variables.js';

const Tank = struct('Tank', { level: double(), name: text(8), at: double(2) });

describe('what is recorded', () => {
  const state = new State();
  const plant = state.addObject('plant');
  const tanks = plant.component('tanks', array(Tank, 2));
  const heat = plant.component('heat', double());
  const grid = plant.component('grid', int([2, 2]));
  plant.component('label', chars(8));
  plant.component('queue', vector(double(), 4));
  const [first] = tanks;

  const FIRST = ['plant.tanks[0].level', 'plant.tanks[0].at[0]', 'plant.tanks[0].at[1]'];
  const GRID = ['plant.grid[0][0]', 'plant.grid[0][1]', 'plant.grid[1][0]', 'plant.grid[1][1]'];

  it('is given by path, by structure and by array', () => {
    expect(recordedPaths(state, ['plant.heat', 'plant.tanks[0]', 'plant.grid'])).to.deep.equal([
      'plant.heat',
      ...FIRST,
      ...GRID,
    ]);
  });

  it('is given by pattern', () => {
    expect(recordedPaths(state, ['plant.tanks[*].level', 'plant.h?at'])).to.deep.equal([
      'plant.tanks[0].level',
      'plant.tanks[1].level',
      'plant.heat',
    ]);
    expect(recordedPaths(state, ['*'])).to.have.length(6 + 1 + 4);
    expect(() => recordedPaths(state, ['pump.*'])).to.throw('no number of the simulation so far matches pump.*');
    expect(recordedPaths(state, ['plant.queue[1]'])).to.deep.equal(['plant.queue[1]']);
  });

  it('is given by view, each number once', () => {
    expect(recordedPaths(state, [first, first.at, heat, grid[1]])).to.deep.equal([
      ...FIRST,
      'plant.heat',
      ...GRID.slice(2),
    ]);
    expect(() => recordedPaths(state, [{}])).to.throw('what is recorded is a path, a pattern or a view');
  });

  it('leaves a path that does not exist to the recording', () => {
    expect(recordedPaths(state, ['plant.nothing', 'plant.label'])).to.deep.equal(['plant.nothing', 'plant.label']);
  });
});
