// A typed function of a simulation as a procedure.
import type { CallableDescription, ResultDescription } from '../../../model/state/callable.js';
import { prepareArguments } from '../../../serving/session/call-arguments.js';
import { type Procedure, procedure } from '../service/procedure.js';
import type { KrpcValue } from '../values/type.js';
import { Identifiers, parameterOf } from './identifiers.js';
import { type NamedTypes, remoteOf } from './remote.js';
import { RESERVED_PARAMETERS } from './reserved-words.js';

/** @param named structures are tuples, by value. */
export function functionProcedure(
  name: string,
  callable: CallableDescription,
  named: Pick<NamedTypes, 'enumeration'>,
): Procedure {
  const { takes = [], gives } = callable;
  const names = new Identifiers(RESERVED_PARAMETERS);
  const taken = takes.map((parameter) => ({ ...parameter, remote: remoteOf(parameter.type, named) }));
  const given = gives && remoteOf(gives.type, named);
  const parameters = taken.map(({ name: own, remote: { type, isNullable } }) => [
    names.take(own, parameterOf(own)),
    { type, ...(isNullable && { isNullable }) },
  ]);
  return procedure(name, aboutOf(callable), Object.fromEntries(parameters), {
    ...(given && { returns: given.type, returnsNull: given.isNullable }),
    isChange: true,
    call: async ({ session }, values) => {
      const plain = taken.map(({ remote }, i) => ({ value: remote.take(values[i] as KrpcValue), units: undefined }));
      const { value } = await session.submit({
        kind: 'call',
        name: callable.name,
        values: prepareArguments(callable, plain),
      });
      return value === undefined ? undefined : given?.give(value);
    },
  });
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
