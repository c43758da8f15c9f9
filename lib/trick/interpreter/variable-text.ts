// The text of any value as print shows it; arrays as Trick shows them. Trick: PythonPrint::write_rvalue
import type { Type } from '../../model/type.js';
import { quantityText, str } from './text.js';
import { Quantity, type Run, type ScriptValue, type Tools, VariableProxy } from './values.js';

/** What `print` and `str` show; gives way now and then. */
export function* textOf(value: ScriptValue, tools: Tools): Run<string> {
  if (value instanceof VariableProxy && value.variable.type.kind !== 'struct') return yield* arrayText(value, tools);
  return yield* str(value, tools.meter);
}

/** `[1 m, 2 m]`, rows without a blank between them: `[[1, 2],[3, 4]]`; a null pointer is NULL. */
function* arrayText(array: VariableProxy, tools: Tools): Run<string> {
  const { meter } = tools;
  const { type } = array.variable;
  let text = '';
  for (const element of tools.iterate(array)) {
    if (meter.isTurnOver) yield 'turn';
    const isRow = element instanceof VariableProxy;
    const written = isRow ? yield* textOf(element, tools) : elementText(element, elementOf(type), tools);
    meter.allocate(written.length);
    text += text === '' ? written : `${isRow ? ',' : ', '}${written}`;
  }
  return text === '' && type.kind === 'pointer' ? 'NULL' : `[${text}]`;
}

function elementText(value: ScriptValue, type: Type | undefined, { meter }: Tools): string {
  if (value instanceof Quantity) {
    if (typeof value.magnitude !== 'boolean') return quantityText(value, meter);
    const truth = value.magnitude ? 'True' : 'False';
    return value.hasUnits ? `${truth} ${value.units}` : truth;
  }
  if (typeof value === 'string') return quoted(value);
  if (type?.kind === 'enumeration') return labelOf(type.labels, Number(value)) ?? `${value}`;
  return value === null ? 'NULL' : `${value as bigint}`;
}

const labelOf = (labels: Readonly<Record<string, number>>, value: number): string | undefined =>
  Object.keys(labels).find((label) => labels[label] === value);

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\b': '\\b', '"': '\\"' };
const quoted = (text: string): string =>
  `"${text.replace(/[\n\t\x08"]/g, (character) => ESCAPES[character] as string)}"`;

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'array' || type.kind === 'sequence') return type.element;
  return type.kind === 'pointer' ? type.target : undefined;
}
