// text.format(): fields in braces, by number, by name or in order.
import { ScriptError } from './error.js';
import { formatValue } from './format-spec.js';
import { grown } from './operators.js';
import { asciiOnly, repr } from './text.js';
import { textOf } from './text-of.js';
import type { Arguments, Run, ScriptValue, Tools } from './values.js';

/** A field such as `{name!r:>10}`. A field holds no expression: it can only name an argument. */
const FIELD = /^([^!:{}[\].]*)(?:!([sra]))?(?::([^{}]*))?$/;

/** Characters that are looked at one by one in the time of one step. */
const READ_PER_STEP = 8;

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly format: string;
}

export function* formatTemplate(template: string, args: Arguments, tools: Tools): Run<string> {
  const { meter } = tools;
  const lookUp = argumentsOf(args);
  meter.spend(template.length / READ_PER_STEP);
  let text = '';
  for (let at = 0; at < template.length; ) {
    if (meter.isTurnOver) yield 'turn';
    const brace = nextBrace(template, at);
    text = grown(text, template.slice(at, brace), meter);
    if (brace === template.length) break;
    if (template[brace] === template[brace + 1]) {
      text = grown(text, template[brace] as string, meter);
      at = brace + 2;
      continue;
    }
    const end = endOfField(template, brace);
    const field = parseField(template.slice(brace + 1, end));
    text = grown(text, yield* written(lookUp(field.name), field, tools), meter);
    at = end + 1;
  }
  return text;
}

/** The next brace of either kind, or the end. */
function nextBrace(template: string, from: number): number {
  for (let at = from; at < template.length; at++) if (template[at] === '{' || template[at] === '}') return at;
  return template.length;
}

function endOfField(template: string, start: number): number {
  if (template[start] === '}') throw new ScriptError('ValueError', "Single '}' encountered in format string");
  const end = template.indexOf('}', start);
  if (end < 0) throw new ScriptError('ValueError', "Single '{' encountered in format string");
  return end;
}

function parseField(field: string): Field {
  const match = FIELD.exec(field);
  if (!match) throw new ScriptError('ValueError', `a field of format() is {name!r:format} here, not {${field}}`);
  const [, name = '', conversion, format = ''] = match;
  return { name, conversion, format };
}

/** Finds the argument of a field. Throws as Python does. */
function argumentsOf({ positional, keywords }: Arguments): (name: string) => ScriptValue {
  let next = 0;
  let isNumbered = false;
  return (name) => {
    if (name !== '' && !/^\d+$/.test(name)) {
      const found = keywords.find(([keyword]) => keyword === name);
      if (!found) throw new ScriptError('KeyError', `'${name}'`);
      return found[1];
    }
    isNumbered ||= name !== '';
    if (isNumbered && (next > 0 || name === '')) throw mixedFields(name);
    const index = isNumbered ? Number(name) : next++;
    const value = positional[index];
    if (value !== undefined) return value;
    throw new ScriptError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
  };
}

function mixedFields(name: string): ScriptError {
  const [manual, automatic] = ['manual field specification', 'automatic field numbering'];
  const [from, to] = name === '' ? [manual, automatic] : [automatic, manual];
  return new ScriptError('ValueError', `cannot switch from ${from} to ${to}`);
}

/** A value as a field of a template or of an f-string writes it. */
export function* written(
  value: ScriptValue,
  { conversion, format }: Pick<Field, 'conversion' | 'format'>,
  tools: Tools,
): Run<string> {
  if (conversion === undefined && format !== '') return formatValue(value, format, tools.meter);
  const isStr = conversion === undefined || conversion === 's';
  const text = yield* isStr ? textOf(value, tools) : repr(value, tools.meter);
  const shown = conversion === 'a' ? asciiOnly(text) : text;
  return format === '' ? shown : formatValue(shown, format, tools.meter);
}
