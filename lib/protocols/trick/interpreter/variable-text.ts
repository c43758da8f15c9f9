// The text of any value as print shows it; arrays as Trick shows them. Trick: PythonPrint::write_rvalue
import type { Type } from '../../../model/state/type.js';
import { Instance } from './defined-class.js';
import { quantityText, str } from './text.js';
import { Quantity, type Run, type ScriptValue, type Tools, VariableProxy } from './values.js';

/** What `print` and `str` show; gives way now and then. */
export function* textOf(value: ScriptValue, tools: Tools): Run<string> {
  if (value instanceof VariableProxy && value.variable.type.kind !== 'struct') return yield* arrayText(value, tools);
  const own = value instanceof Instance ? value.attribute('__str__') : undefined;
  return yield* str(own === undefined ? value : yield* tools.call(own, NO_ARGUMENTS), tools.meter);
}

const NO_ARGUMENTS = { positional: [], keywords: [] };

/**
 * `[1 m, 2 m]`, rows of a fixed array without a blank between them: `[[1, 2],[3, 4]]`; a null pointer, and what is behind
 * one, is NULL.
 */
function* arrayText(array: VariableProxy, tools: Tools): Run<string> {
  const { meter } = tools;
  const { type } = array.variable;
  if (!tools.hasElements(array)) return 'NULL';
  const element = elementOf(type);
  const comma = type.kind === 'array' && element?.kind === 'array' ? ',' : ', ';
  let text = '';
  for (const item of tools.iterate(array)) {
    if (meter.isTurnOver) yield 'turn';
    const isRow = item instanceof VariableProxy;
    const written = isRow ? yield* textOf(item, tools) : elementText(item, element, tools);
    meter.allocate(written.length);
    text += text === '' ? written : `${comma}${written}`;
  }
  return text === '' && type.kind === 'pointer' ? 'NULL' : `[${text}]`;
}

function elementText(value: ScriptValue, type: Type | undefined, { meter }: Tools): string {
  if (value instanceof Quantity) {
    if (typeof value.magnitude !== 'boolean') return quantityText(value, meter);
    const truth = value.magnitude ? 'True' : 'False';
    return value.hasUnits ? `${truth} ${value.units}` : truth;
  }
  if (value === '' && type?.kind === 'array') return `[${Array(type.length).fill(0).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  return value === null ? 'NULL' : `${value as bigint}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\b': '\\b', '"': '\\"' };
const quoted = (text: string): string =>
  `"${text.replace(/[\n\t\x08"]/g, (character) => ESCAPES[character] as string)}"`;

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'array' || type.kind === 'sequence') return type.element;
  return type.kind === 'pointer' ? type.target : undefined;
}
