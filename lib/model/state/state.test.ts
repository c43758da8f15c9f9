// The state: objects, components, pointers and mirrored values.
import { expect } from 'chai';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { Sensor } from '../../testing/aids/fixture/structures.js';
import { Catalog } from './catalog.js';
import { double, int, pointer, struct, text } from './declare.js';
import { vector } from './declare-containers.js';
import { readVariable } from './read.js';
import { State } from './state.js';
import type { Variable } from './variable.js';

const Body = struct('Body', { position: double(2), name: text(8) });

const read = (state: State, path: string) => {
  const variable = new Catalog(state.describe()).find(path);
  return variable && readVariable(variable, state.arena.memory);
};

describe('objects and components', () => {
  it('are numbered, have parents and type names', () => {
    const state = new State();
    const ship = state.addObject('ship');
    state.addObject('pod', { parent: ship, typeName: 'Pod' });
    const described = state
      .describe()
      .objects.map(({ name, number, parent, type }) => [name, number, parent, type.name]);
    expect(described).to.deep.equal([
      ['ship', 1, null, 'ShipSimObject'],
      ['pod', 2, 1, 'Pod'],
    ]);
    state.removeObject('ship');
    expect(state.describe().objects.map(({ name, parent }) => [name, parent])).to.deep.equal([['pod', null]]);
    expect(state.addObject('ship').number).to.equal(3);
  });

  it('raise the version whenever one comes or goes', () => {
    const state = new State();
    const versions = [state.version];
    const ship = state.addObject('ship');
    versions.push(state.version);
    ship.component('body', Body);
    versions.push(state.version);
    ship.remove('body');
    versions.push(state.version);
    state.removeObject('ship');
    versions.push(state.version);
    expect([...new Set(versions)].sort((a, b) => a - b)).to.deep.equal(versions);
  });

  it('are described anew only when they have changed', () => {
    const state = new State();
    const still = state.addObject('still');
    still.component('body', Body);
    const [before] = state.describe().objects;
    state.addObject('other');
    expect(state.describe().objects[0]).to.equal(before);
    still.component('more', Body);
    expect(state.describe().objects[0]?.type.members.map(({ name }) => name)).to.deep.equal(['body', 'more']);
    expect(before?.type.members).to.have.length(1);
  });

  it('leave their memory, zeroed, to what comes next', () => {
    const state = new State();
    const a = state.addObject('a');
    for (let i = 0; i < 100; i++) {
      a.component('list', Body, { position: [i + 1, 2], name: 'x' });
      a.component('aimed', pointer(double()), [1, 2, 3]);
      a.remove('list');
      a.remove('aimed');
    }
    const used = state.arena.usedBytes;
    const body = a.component('list', Body);
    expect([[...body.position], body.name]).to.deep.equal([[0, 0], '']);
    expect(state.arena.usedBytes).to.equal(used);
    expect(used).to.be.lessThan(256);
  });

  it('do not overlap while they come and go', () => {
    const state = new State();
    const o = state.addObject('o');
    const kinds = [Body, double(7), vector(int(), 9), Sensor];
    for (let i = 0; i < 60; i++) o.component(`c${i}`, kinds[i % 4] as typeof Body);
    for (let i = 0; i < 60; i += 3) o.remove(`c${i}`);
    for (let i = 60; i < 90; i++) o.component(`c${i}`, kinds[(i * 7) % 4] as typeof Body);
    const members = [...(state.describe().objects[0]?.type.members ?? [])].sort(
      (a, b) => a.offsetBytes - b.offsetBytes,
    );
    const size: Record<string, number> = { Body: 32, Sensor: 32 };
    let end = 64;
    for (const { type, offsetBytes } of members) {
      expect(offsetBytes).to.be.at.least(end);
      expect(offsetBytes % 8).to.equal(0);
      end = offsetBytes + (type.kind === 'struct' ? (size[type.name] as number) : type.kind === 'array' ? 56 : 44);
    }
    expect(members).to.have.length(70);
    expect(state.arena.usedBytes).to.be.at.least(end);
  });

  it('take references and pointers with them', () => {
    const { state, fx, all } = createFixture(SMALL);
    const extra = fx.component('extra', Sensor, { label: 'extra' });
    all.vehicle.spare.pointTo(extra);
    expect(read(state, 'fx.all.vehicle.spare.label')).to.equal('extra');
    fx.remove('extra');
    fx.component('intruder', Sensor, { label: 'intruder' });
    expect(read(state, 'fx.extra.label')).to.equal(undefined);
    expect(read(state, 'fx.all.vehicle.spare')).to.equal(null);
    expect(read(state, 'fx.all.vehicle.spare.label')).to.equal(undefined);
    expect(all.vehicle.spare.isNull).to.equal(true);
  });

  it('keep other pointers when one component goes', () => {
    const { state, fx, all } = createFixture(SMALL);
    fx.component('extra', Sensor);
    fx.remove('extra');
    expect([...all.dyn]).to.deep.equal([11, 22, 33]);
    expect(read(state, 'fx.all.dyn_sensors[1].label')).to.equal('d1');
  });

  const REFUSALS: readonly [string, (state: State) => unknown][] = [
    ['there is an object fx already', (state) => state.addObject('fx')],
    ['there is no object fz; did you mean fx?', (state) => state.removeObject('fz')],
    ['object fx has a component body already', (state) => state.addObject('fx2') && again(state)],
    ['object o has no component bdy; did you mean body?', (state) => withBody(state).remove('bdy')],
    ['starts with no digit: not "5a"', (state) => state.addObject('5a')],
    ['starts with no digit: not "a b"', (state) => state.addObject('o').component('a b', Body)],
  ];
  const withBody = (state: State) => {
    const o = state.addObject('o');
    o.component('body', Body);
    return o;
  };
  const again = (state: State) => {
    state.removeObject('fx');
    const fx = state.addObject('fx');
    fx.component('body', Body);
    return fx.component('body', Body);
  };
  for (const [sentence, act] of REFUSALS) {
    it(`answer: ${sentence}`, () => {
      const state = new State();
      state.addObject('fx');
      expect(() => act(state)).to.throw(Error, sentence);
    });
  }

  it('cannot be added to an object that is gone', () => {
    const state = new State();
    const old = state.addObject('o');
    state.removeObject('o');
    expect(() => old.component('body', Body)).to.throw('object o has been removed');
    state.addObject('o');
    expect(() => old.component('body', Body)).to.throw('object o has been removed');
  });
});

describe('initial values of the wrong shape', () => {
  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  const CASES: readonly [any, string][] = [
    [{ position: 5 }, 'o.body.position is a double[2]; the number 5 does not fit'],
    [{ position: [1, 'x'] }, 'o.body.position[1] is a double; the text "x" does not fit'],
    [{ position: [1, 2, 3] }, 'o.body.position takes 2 elements, not 3'],
    [{ position: { x: 1 } }, 'o.body.position is a double[2]; a structure does not fit'],
    [{ positoin: [1, 2] }, 'o.body has no member positoin; did you mean position?'],
    [{ name: 'far too long' }, 'o.body.name has room for 8 bytes of text, not 12'],
    [{ name: 3 }, 'o.body.name is a std::string; the number 3 does not fit'],
    [7, 'o.body is a Body; the number 7 does not fit'],
    [[1], 'o.body is a Body; a list of 1 does not fit'],
    [null, 'o.body is a Body; null does not fit'],
    [{ position: [1, undefined] }, 'o.body.position[1] is a double; no value was given'],
  ];
  for (const [initial, sentence] of CASES) {
    it(`are refused: ${sentence}`, () => {
      const state = new State();
      const o = state.addObject('o');
      expect(() => o.component('body', Body, initial)).to.throw(sentence);
      expect(state.describe().objects[0]?.type.members).to.deep.equal([]);
      expect(o.component('body', Body).name).to.equal('');
    });
  }
});

describe('a mirror', () => {
  const setUp = () => {
    const state = new State();
    const own = { position: [1, 2] as [number, number], name: 'own' };
    const taken: unknown[] = [];
    const o = state.addObject('o');
    o.mirror('body', Body, {
      get: () => own,
      set: (body) => taken.push([[...body.position], body.name]),
    });
    o.mirror('count', int(), { get: () => taken.length });
    return { state, own, taken, catalog: new Catalog(state.describe()) };
  };

  it("is filled by its getter at the snapshot's asking", () => {
    const { state, own } = setUp();
    expect(read(state, 'o.body.name')).to.equal('');
    state.pullMirrors();
    expect(read(state, 'o.body')).to.deep.equal({ position: [1, 2], name: 'own' });
    own.position[1] = 5;
    state.pullMirrors();
    expect(read(state, 'o.body.position[1]')).to.equal(5);
  });

  it('hands what a client wrote to its setter', () => {
    const { state, taken, catalog } = setUp();
    state.pullMirrors();
    const { offsetBytes } = catalog.find('o.body.position[1]') as Variable;
    state.arena.memory.view.setFloat64(offsetBytes, 9, true);
    state.pushMirror('o.body');
    state.pushMirror('o.count');
    state.pushMirror('o.nosuch');
    expect(taken).to.deep.equal([[[1, 9], 'own']]);
  });

  it('without a setter is read-only throughout', () => {
    const state = new State();
    state.addObject('o').mirror('body', Body, { get: () => ({}) });
    const catalog = new Catalog(state.describe());
    expect(catalog.find('o.body')?.access).to.equal('read-only');
    expect(catalog.find('o.body.position[0]')?.access).to.equal('read-only');
  });

  it('that gives a wrong shape says where, and changes nothing', () => {
    const state = new State();
    let position: unknown = [1, 2];
    state.addObject('o').mirror('body', Body, { get: () => ({ name: 'new', position }) as never });
    state.pullMirrors();
    position = [1, '2'];
    expect(() => state.pullMirrors()).to.throw('o.body.position[1] is a double; the text "2" does not fit');
    expect(read(state, 'o.body')).to.deep.equal({ name: 'new', position: [1, 2] });
  });

  it('goes like any other component', () => {
    const { state, own } = setUp();
    state.removeObject('o');
    own.position = [] as never;
    state.pullMirrors();
    expect(state.describe().objects).to.deep.equal([]);
  });
});
