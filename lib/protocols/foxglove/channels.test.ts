// Channels of a catalog that changes, and the schemas that Foxglove and Lichtblick understand.
import { expect } from 'chai';
import { Catalog, type SimObject } from '../../model/state/catalog.js';
import { array, bits, double, enumeration, int, longLong, pointer, struct, text } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { Channels, MOST_CHANNELS } from './channels.js';

const turn = async (): Promise<void> => undefined;

describe('channels of Foxglove', () => {
  it('keep their ids while the object is the same, and never give one to another', async () => {
    const object = (name: string, type: 'double' | 'int'): SimObject => {
      const state = new State();
      state.addObject(name).component('x', type === 'double' ? double() : int());
      return state.describe().objects[0] as SimObject;
    };
    const source = { catalog: catalogOf(1, [object('a', 'double'), object('b', 'double')]) };
    const channels = new Channels(source);
    const ids = async () =>
      Object.fromEntries([...(await channels.all(turn)).values()].map(({ topic, id }) => [topic, id]));
    expect(await ids()).to.deep.equal({ '/varwire/log': 0, '/a': 1, '/b': 2 });
    source.catalog = catalogOf(2, [object('b', 'double')]);
    expect(await ids()).to.deep.equal({ '/varwire/log': 0, '/b': 2 });
    source.catalog = catalogOf(3, [object('a', 'double'), object('b', 'int')]);
    expect(await ids()).to.deep.equal({ '/varwire/log': 0, '/a': 3, '/b': 4 });
  });

  it('are those of the first objects only', async () => {
    const state = new State();
    for (let k = 0; k < MOST_CHANNELS + 5; k++) state.addObject(`o${k}`);
    const channels = new Channels({ catalog: new Catalog(state.describe()) });
    expect([(await channels.all(turn)).size, channels.leftOut]).to.deep.equal([MOST_CHANNELS + 1, 5]);
  });

  it('have schemas without null, lists of types and lists within lists', async () => {
    const state = new State();
    const object = state.addObject('all');
    object.component('mass', double({ units: 'kg', about: 'with fuel' }));
    object.component('big', longLong());
    object.component('mode', enumeration('Mode', { off: 0, on: 4 }));
    object.component('flag', bits(3));
    object.component('label', text(20));
    object.component('rows', double([3, 2]));
    object.component('parts', array(struct('Part', { x: double({ units: 'm' }) }), 2));
    object.component('far', pointer(double()));
    const [, channel] = [...(await new Channels({ catalog: new Catalog(state.describe()) }).all(turn)).values()];
    const part = { type: 'object', properties: { x: { type: 'number', description: '[m]', 'x-unit': 'm' } } };
    expect(JSON.parse(channel?.schema ?? '')).to.deep.equal({
      type: 'object',
      properties: {
        mass: { type: 'number', description: 'with fuel [kg]', 'x-unit': 'kg' },
        big: { type: 'integer' },
        mode: {
          type: 'integer',
          oneOf: [
            { title: 'off', const: 0 },
            { title: 'on', const: 4 },
          ],
        },
        flag: { type: 'integer' },
        label: { type: 'string' },
        parts: { type: 'array', items: part },
        far: { type: 'array', items: { type: 'number' } },
      },
    });
  });
});

const catalogOf = (version: number, objects: readonly SimObject[]): Catalog =>
  new Catalog({ version, arenaBytes: 100, objects, functions: [] });
