// A state that is told to another thread in pieces: checkpoints are written and read there as here.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog } from '../../model/state/catalog.js';
import { array, double, int, pointer, struct } from '../../model/state/declare.js';
import { Memory } from '../../model/state/memory.js';
import { State } from '../../model/state/state.js';
import { runs } from '../../testing/aids/run-counts.js';
import { type CatalogPiece, ModelReceiver, ModelSender } from './model-pieces.js';
import { type LoadPlan, modelOf, type ReadModel, readModelOf, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const Engine = struct('Engine', { thrust: double(), stages: int(2) });
const Ship = struct('Ship', { engine: pointer(Engine), spare: array(Engine, 2), mass: double() });
const NAMES = ['a', 'b', 'c', 'd'];

/** A state and what another thread knows of it. */
class Told {
  readonly state = new State();
  readonly sender = new ModelSender();
  readonly receiver = new ModelReceiver();
  pieces: CatalogPiece[] = [];
  private known = new Catalog(this.state.describe());

  get catalog(): Catalog {
    const changes = this.state.changesSince(this.known.version);
    this.known = changes ? new Catalog(changes, this.known) : new Catalog(this.state.describe());
    return this.known;
  }

  /** What the other thread knows after it was told. */
  model(): ReadModel {
    const model = readModelOf(this.state, this.catalog);
    this.pieces = [...this.sender.pieces(model.catalog)];
    for (const piece of this.pieces) this.receiver.take(structuredClone(piece));
    return this.receiver.model<ReadModel>(structuredClone(this.sender.end(model)));
  }

  /** A plan that came back. */
  returned(plan: LoadPlan): LoadPlan {
    const fresh = plan.fresh.map((memory) => ({ ...memory, type: this.receiver.types.packed(memory.type) }));
    const types = structuredClone(fresh).map(({ type }) => this.sender.types.returned(type));
    return { ...plan, fresh: plan.fresh.map((memory, index) => ({ ...memory, type: types[index] ?? memory.type })) };
  }

  addObjects(name: string, count: number): void {
    for (let k = 0; k < count; k++) this.state.addObject(`${name}_${k}`);
  }
}

/** Changes a state by one random step; a step that is refused changes nothing. */
function change(state: State, [what, name, other]: readonly [number, string, string]): void {
  try {
    if (what === 0) state.addObject(name).component('ship', Ship, { engine: [{ thrust: 1 }], mass: 2 });
    else if (what === 1) state.removeObject(name);
    else if (what === 2) state.object(name).component(other, Engine, { thrust: 3 });
    else if (what === 3) state.object(name).remove(other);
    else if (what === 4) state.allocations.name(state.allocations.allocate(Ship.type, 2, false), name);
    else if (what === 5) state.allocations.remove(state.allocations.named(name));
    else if (what === 6) state.addType(struct(`T${name}`, { x: int(), ship: pointer(Ship) }), {});
    else state.allocations.allocate(Engine.type, 3, false);
  } catch {}
}

describe('a state that is told in pieces', () => {
  it('is written and read there as here, whatever has changed meanwhile', () => {
    const step = fc.tuple(fc.nat(7), fc.constantFrom(...NAMES), fc.constantFrom(...NAMES));
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 12 }), (turns) => {
        const told = new Told();
        const { state } = told;
        let before: string | undefined;
        for (const steps of turns) {
          for (const one of steps) change(state, one);
          const { memory } = state.arena;
          const there = told.model();
          const here = writeCheckpoint(modelOf(state), memory);
          expect(writeCheckpoint(there, new Memory(memory.buffer))).to.equal(here);
          expect(told.returned(planLoad(there, here))).to.deep.equal(planLoad(readModelOf(state), here));
          // An earlier checkpoint makes memory that is gone, of types that both sides know.
          before ??= here;
          const plan = attempt(() => told.returned(planLoad(there, before as string)));
          expect(plan).to.deep.equal(attempt(() => planLoad(readModelOf(state), before as string)));
          if (typeof plan === 'object') takeOver(state, plan).end();
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('is not told again, only what has changed', () => {
    const told = new Told();
    told.addObjects('o', 2000);
    told.model();
    expect(told.pieces.flatMap(({ objects }) => objects)).to.have.length(2000);
    told.model();
    expect(told.pieces).to.deep.equal([]);
    told.state.addObject('new');
    told.state.removeObject('o_7');
    told.model();
    expect(told.pieces.flatMap(({ objects }) => objects.map(({ name }) => name))).to.deep.equal(['new']);
    expect(told.pieces.flatMap(({ removed }) => removed)).to.deep.equal(['o_7']);
  });

  it('comes in pieces of a few hundred, at first and when much has changed', () => {
    const told = new Told();
    for (const name of ['first', 'second']) {
      told.addObjects(name, 5000);
      told.model();
      expect(told.pieces.length).to.be.above(15);
      for (const { objects } of told.pieces) expect(objects.length).to.be.at.most(256);
    }
  });

  it('keeps few types that are gone', () => {
    const told = new Told();
    for (let round = 0; round < 25_000; round++) {
      const { allocations } = told.state;
      const made = allocations.allocate(array(double(), 1 + (round % 7)).type, 1, false);
      allocations.name(made, 'x');
      if (round % 10 === 0) told.model();
      allocations.remove(made);
      if (round % 1000 === 999) expect(told.sender.types.count).to.be.below(11_000);
    }
  });
});

/** A refusal as its sentence. */
function attempt<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    return (error as Error).message;
  }
}
