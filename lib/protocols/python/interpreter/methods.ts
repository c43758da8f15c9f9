// Finds the methods of lists, texts and dictionaries by the value that they belong to.
import { DICTIONARY_METHODS } from './dictionary-methods.js';
import { LIST_METHODS, TUPLE_METHODS } from './list-methods.js';
import { TEXT_METHODS } from './text-methods.js';
import {
  type Arguments,
  BoundMethod,
  type CallResult,
  DictionaryValue,
  ListValue,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

type Methods = Readonly<Record<string, (self: never, args: Arguments, tools: Tools) => CallResult>>;

function methodsOf(value: ScriptValue): Methods {
  if (typeof value === 'string') return TEXT_METHODS;
  if (value instanceof ListValue) return LIST_METHODS;
  if (value instanceof TupleValue) return TUPLE_METHODS;
  return value instanceof DictionaryValue ? DICTIONARY_METHODS : {};
}

/** The method of a value, bound to it; undefined when it has none of that name. */
export function methodOf(value: ScriptValue, name: string): BoundMethod | undefined {
  const methods = methodsOf(value);
  if (!Object.hasOwn(methods, name)) return undefined;
  const method = methods[name] as (self: ScriptValue, args: Arguments, tools: Tools) => CallResult;
  return new BoundMethod(name, value, method);
}

export const methodNames = (value: ScriptValue): string[] => Object.keys(methodsOf(value));
