// A typed function of a simulation as a procedure.
import type { CallableDescription, ParameterDescription, ResultDescription } from '../../model/callable.js';
import { prepareArguments } from '../../session/call-arguments.js';
import type { Parameter, Procedure } from '../service/procedure.js';
import type { KrpcValue } from '../values/type.js';
import { fromRemote, mayBeNull, type NamedTypes, remoteType, toRemote } from './remote-values.js';

export function functionProcedure(name: string, callable: CallableDescription, types: NamedTypes): Procedure {
  const { takes = [], gives } = callable;
  return {
    name,
    about: aboutOf(callable),
    parameters: takes.map((parameter) => parameterOf(parameter, types)),
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

/** A parameter of the procedure; kRPC writes its name with a small letter. */
const parameterOf = ({ name, type }: ParameterDescription, types: NamedTypes): Parameter => ({
  name,
  type: remoteType(type, types),
  ...(mayBeNull(type) ? { isNullable: true } : {}),
});

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
