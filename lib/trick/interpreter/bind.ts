// The arguments of a call put under a client-defined function's parameter names.
import { ScriptError } from './error.js';
import type { Arguments, DefinedFunction, Value } from './values.js';

export function bindParameters(
  { definition, defaults }: DefinedFunction,
  { positional, keywords }: Arguments,
): Map<string, Value> {
  const { name, parameters } = definition;
  if (positional.length > parameters.length) {
    throw new ScriptError(
      'TypeError',
      `${name}() takes ${parameters.length} positional argument${parameters.length === 1 ? '' : 's'} but ${positional.length} ${positional.length === 1 ? 'was' : 'were'} given`,
    );
  }
  const bound = new Map<string, Value>();
  for (const [index, value] of positional.entries()) bound.set(parameters[index]?.name as string, value);
  for (const [keyword, value] of keywords) {
    if (!parameters.some((parameter) => parameter.name === keyword)) {
      throw new ScriptError('TypeError', `${name}() got an unexpected keyword argument '${keyword}'`);
    }
    if (bound.has(keyword))
      throw new ScriptError('TypeError', `${name}() got multiple values for argument '${keyword}'`);
    bound.set(keyword, value);
  }
  for (const [index, parameter] of parameters.entries()) {
    const standard = defaults[index];
    if (bound.has(parameter.name)) continue;
    if (standard === undefined)
      throw new ScriptError('TypeError', `${name}() missing 1 required positional argument: '${parameter.name}'`);
    bound.set(parameter.name, standard);
  }
  return bound;
}
