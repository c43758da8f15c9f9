// Attributes of modules and of the server's own objects; attributes of variables are parts of their paths.
import { didYouMean, nearestNames } from '../../../model/state/suggest.js';
import { Method } from './defined-class.js';
import { ScriptError } from './error.js';
import { methodNames, methodOf } from './methods.js';
import { only } from './signature.js';
import { typeName } from './type-name.js';
import {
  type Callable,
  ClassValue,
  DefinedFunction,
  isModule,
  isObject,
  Quantity,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

export function attributeOf(holder: ScriptValue, name: string): ScriptValue {
  const value = knownAttribute(holder, name);
  if (value === undefined) throw noAttribute(holder, name);
  return value;
}

function knownAttribute(holder: ScriptValue, name: string): ScriptValue | undefined {
  if (isModule(holder) || isObject(holder)) return holder.attribute(name);
  if (holder instanceof ClassValue) return name === '__name__' ? holder.name : holder.attribute(name);
  if (holder instanceof DefinedFunction && name === '__get__') return binderOf(holder);
  if (holder instanceof Quantity && name === 'units') return holder.units;
  const item = holder instanceof TupleValue ? holder.attribute(name) : undefined;
  return item === undefined ? methodOf(holder, name) : item;
}

/** `function.__get__(self)` makes a method of a function. */
const binderOf = (called: DefinedFunction): Callable => ({
  kind: 'callable',
  name: '__get__',
  call: (args) => new Method(only('__get__', args, 1, 2)[0] as ScriptValue, called),
});

export function setAttribute(holder: ScriptValue, name: string, value: ScriptValue, tools: Tools): void {
  if ((isObject(holder) || holder instanceof ClassValue) && holder.setAttribute(name, value, tools)) return;
  // `sys.path += [...]` stores what is there already.
  if (isModule(holder) && (holder.attribute(name) === value || holder.setAttribute?.(name, value))) return;
  if (isObject(holder)) throw noAttribute(holder, name);
  throw new ScriptError('AttributeError', `'${typeName(holder)}' object has no attribute '${name}'`);
}

function noAttribute(holder: ScriptValue, name: string): ScriptError {
  const near = didYouMean(
    nearestNames(name, isModule(holder) || isObject(holder) ? holder.names() : methodNames(holder)),
  );
  return new ScriptError('AttributeError', `${described(holder)} has no attribute '${name}'${near}`);
}

function described(holder: ScriptValue): string {
  if (isModule(holder)) return `module '${holder.name}'`;
  return holder instanceof ClassValue ? `type object '${holder.name}'` : `'${typeName(holder)}' object`;
}
