// The text of any value as `print` and `str` show it.
import { Instance } from './defined-class.js';
import { str } from './text.js';
import { HostVariable, type Run, type ScriptValue, type Tools } from './values.js';

const NO_ARGUMENTS = { positional: [], keywords: [] };

/** Gives way now and then. */
export function* textOf(value: ScriptValue, tools: Tools): Run<string> {
  if (value instanceof HostVariable) return yield* value.text(tools);
  const own = value instanceof Instance ? value.attribute('__str__') : undefined;
  return yield* str(own === undefined ? value : yield* tools.call(own, NO_ARGUMENTS), tools.meter);
}
