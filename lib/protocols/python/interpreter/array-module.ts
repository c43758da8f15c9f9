// The module `array`, whose arrays are lists here.

import { itemsIn } from './classes.js';
import { ScriptError } from './error.js';
import { fixedModule } from './modules.js';
import { only } from './signature.js';
import { typeName } from './type-name.js';
import { ListValue, type ModuleValue, type Run, type ScriptValue, type Tools } from './values.js';

const TYPE_CODES = 'bBhHiIlLqQfd';

/** `array("f")`, `array("i", [1, 2])`; the type code is checked, but has no effect. */
function* array(args: Parameters<typeof only>[1], tools: Tools): Run<ScriptValue> {
  const [code = null, values = null] = only('array', args, 1, 2);
  if (typeof code !== 'string')
    throw new ScriptError('TypeError', `array() argument 1 must be a unicode character, not ${typeName(code)}`);
  if (code.length !== 1 || !TYPE_CODES.includes(code))
    throw new ScriptError('ValueError', 'bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)');
  return new ListValue(values === null ? [] : yield* itemsIn(values, tools));
}

export const arrayModule: ModuleValue = fixedModule('array', {
  array: { kind: 'callable', name: 'array', takesElements: true, call: array },
});
