// The functions of the language that take a value and the name of an attribute: hasattr, getattr, setattr.
import { ScriptError } from './error.js';
import { only } from './signature.js';
import { typeName } from './type-name.js';
import type { Callable, Run, ScriptValue, Tools } from './values.js';

function nameIn(value: ScriptValue): string {
  if (typeof value === 'string') return value;
  throw new ScriptError('TypeError', `attribute name must be string, not '${typeName(value)}'`);
}

/** Undefined for an attribute that is not there. */
function* found(holder: ScriptValue, name: string, tools: Tools): Run<ScriptValue | undefined> {
  try {
    return yield* tools.attribute(holder, name);
  } catch (error) {
    if (error instanceof ScriptError && error.kind === 'AttributeError') return undefined;
    throw error;
  }
}

export const ATTRIBUTE_FUNCTIONS: Readonly<Record<string, Callable['call']>> = {
  *hasattr(args, tools) {
    const [holder = null, name = null] = only('hasattr', args, 2, 2);
    return (yield* found(holder, nameIn(name), tools)) !== undefined;
  },
  *getattr(args, tools) {
    const [holder = null, given = null, other] = only('getattr', args, 2, 3);
    const name = nameIn(given);
    if (other === undefined) return yield* tools.attribute(holder, name);
    const value = yield* found(holder, name, tools);
    return value === undefined ? other : value;
  },
  *setattr(args, tools) {
    const [holder = null, name = null, value = null] = only('setattr', args, 3, 3);
    yield* tools.setAttribute(holder, nameIn(name), value);
    return null;
  },
};
