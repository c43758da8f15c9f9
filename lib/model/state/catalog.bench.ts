// Microseconds to describe a catalog, copy it to another thread, index it and find a variable, by the number of
// variables: `node build/lib/model/state/catalog.bench.js`.
import { Catalog } from './catalog.js';
import { double } from './declare.js';
import { State } from './state.js';

const SIZES = [10, 100, 1000, 10_000, 100_000, 1_000_000];
const VARIABLES_IN_OBJECT = 10;
const ROUNDS = 5;

function stateOf(variables: number): State {
  const state = new State();
  for (let object = 0; object < variables / VARIABLES_IN_OBJECT; object++) {
    const handle = state.addObject(`object${object}`);
    for (let k = 0; k < VARIABLES_IN_OBJECT; k++) handle.component(`variable${k}`, double());
  }
  return state;
}

for (const variables of SIZES) {
  const last = `object${variables / VARIABLES_IN_OBJECT - 1}.variable9`;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const state = stateOf(variables);
    const start = performance.now();
    const catalog = new Catalog(structuredClone(state.describe()));
    if (!catalog.find(last)) throw new Error(`${last} was not found`);
    best = Math.min(best, performance.now() - start);
  }
  console.log(`${variables} ${(best * 1000).toFixed(1)}`);
}
