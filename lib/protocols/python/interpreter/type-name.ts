// The names of types, for error sentences.
import {
  Bytes,
  ClassValue,
  DictionaryValue,
  HostVariable,
  isModule,
  isObject,
  ListValue,
  type ObjectValue,
  Quantity,
  RangeValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

/** Python's name of a value's type, for error sentences. */
export function typeName(value: ScriptValue): string {
  if (value === null) return 'NoneType';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'str';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: object): string {
  if (value instanceof ListValue) return 'list';
  if (value instanceof TupleValue) return 'tuple';
  if (value instanceof DictionaryValue) return 'dict';
  if (value instanceof RangeValue) return 'range';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Quantity) return value.form.typeName(value.magnitude);
  if (value instanceof HostVariable) return value.typeName;
  if (isObject(value as ScriptValue)) return (value as ObjectValue).typeName;
  if (value instanceof ClassValue) return 'type';
  return isModule(value as ScriptValue) ? 'module' : 'function';
}
