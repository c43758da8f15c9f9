// A typed function of a simulation as a procedure.
import type { CallableDescription, ResultDescription } from '../../../model/state/callable.js';
import { prepareArguments } from '../../../serving/session/call-arguments.js';
import type { Procedure } from '../service/procedure.js';
import type { KrpcValue } from '../values/type.js';
import { Identifiers, parameterOf } from './identifiers.js';
import { fromRemote, mayBeNull, type NamedTypes, remoteType, toRemote } from './remote-values.js';
import { RESERVED_PARAMETERS } from './reserved-words.js';

export function functionProcedure(name: string, callable: CallableDescription, types: NamedTypes): Procedure {
  const { takes = [], gives } = callable;
  const names = new Identifiers(RESERVED_PARAMETERS);
  return {
    name,
    about: aboutOf(callable),
    parameters: takes.map((parameter) => ({
      name: names.take(parameter.name, parameterOf(parameter.name)),
      type: remoteType(parameter.type, types),
      ...(mayBeNull(parameter.type) ? { isNullable: true } : {}),
    })),
    ...(gives ? { returns: remoteType(gives.type, types), returnsNull: mayBeNull(gives.type) } : {}),
    isChange: true,
    call: async ({ session }, given) => {
      const values = takes.map(({ type }, index) => ({
        value: fromRemote(type, given[index] as KrpcValue),
        units: undefined,
      }));
      const { value } = await session.submit({
        kind: 'call',
        name: callable.name,
        values: prepareArguments(callable, values),
      });
      return gives && value !== undefined ? toRemote(gives.type, value) : undefined;
    },
  };
}

/** What it does, and what its parameters and result are. */
function aboutOf({ name, about, takes = [], gives }: CallableDescription): string {
  const parts = [about === '' ? `Calls ${name}.` : about];
  for (const parameter of takes) {
    const told = noteOf(parameter);
    if (told !== '') parts.push(`${parameter.name}: ${told}`);
  }
  const given = gives ? noteOf(gives) : '';
  if (given !== '') parts.push(`gives: ${given}`);
  return parts.join('\n');
}

const noteOf = ({ about, units }: ResultDescription): string =>
  [about, units === '--' || units === '1' ? '' : `[${units}]`].filter((text) => text !== '').join(' ');
