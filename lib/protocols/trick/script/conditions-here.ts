// Conditions of events on the simulation's thread, compiled from the trees that the server sends.

import type { Catalog } from '../../../model/state/catalog.js';
import type { Memory } from '../../../model/state/memory.js';
import { compiled, type Expression, type ScriptValue, type Seen } from '../../python/index.js';
import { printedAsTrick } from '../commands/convert.js';
import { valueAt } from './variables.js';

/** Modules that mean the same on the simulation's thread. */
export const CONDITION_MODULES: ReadonlySet<string> = new Set(['trick', 'math']);

/** The simulation as it stands. */
interface Reached {
  readonly catalog: Catalog;
  readonly memory: Memory;
  readonly timeSeconds: number;
  /** Reads a component's state where it lives in other objects, or that of all. */
  refresh(component?: string): void;
}

/** Returns undefined where only the server can say whether the condition holds. */
export const compileCondition = (expression: unknown, reached: Reached): (() => boolean | undefined) =>
  compiled(expression as Expression, seenIn(reached));

function seenIn(reached: Reached): Seen {
  const commands: Readonly<Record<string, () => ScriptValue>> = {
    'trick.exec_get_sim_time': () => printedAsTrick(reached.timeSeconds),
  };
  return {
    variable: (path) => {
      const [component = path] = /^\w+(\.\w+)?/.exec(path) ?? [];
      const [top = path] = component.split('.');
      return () => {
        const { catalog, memory } = reached;
        const object = catalog.object(top);
        const variable = object && !object.isAdded ? catalog.find(path) : undefined;
        if (!variable) return undefined;
        // What a pointer points at may be anywhere.
        reached.refresh(variable.hops.length > 0 ? undefined : component);
        return valueAt(path, { catalog, frame: { memory } });
      };
    },
    function: (path) => (Object.hasOwn(commands, path) ? commands[path] : undefined),
    modules: CONDITION_MODULES,
  };
}
