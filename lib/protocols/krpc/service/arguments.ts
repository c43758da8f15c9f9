// The arguments of a call, decoded and completed by defaults.
import { DecodeError, decodeValue, UnknownInstanceError } from '../values/decode.js';
import type { ObjectNumbers } from '../values/encode.js';
import { describeType, type KrpcValue, type NamedCall, TypeCode } from '../values/type.js';
import type { Parameter } from './procedure.js';
import type { FoundProcedure } from './service-table.js';

/** An argument is missing or of another type. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** Throws an ArgumentError, or an UnknownInstanceError for the number of an object that the client does not know. */
export function argumentsOf(found: FoundProcedure, call: NamedCall, objects: ObjectNumbers): readonly KrpcValue[] {
  // An argument beyond the signature is ignored, as kRPC does.
  const given = new Map(call.arguments.map((argument) => [argument.position, argument]));
  return found.procedure.parameters.map((parameter, position) => {
    const argument = given.get(position);
    const place = `${parameter.name} in ${found.service}.${found.procedure.name}`;
    if (!argument) return defaultOf(parameter, place);
    const value = argument.isNull ? null : decode(parameter, argument.value, place, objects);
    if (value !== null || parameter.isNullable || parameter.byDefault === null) return value;
    throw new ArgumentError(
      `Incorrect argument type for parameter ${place}. Expected an argument of type ${describeType(parameter.type)}, got null`,
    );
  });
}

function defaultOf({ byDefault }: Parameter, place: string): KrpcValue {
  if (byDefault !== undefined) return byDefault;
  throw new ArgumentError(`Argument not specified for parameter ${place}`);
}

function decode({ type, isNullable }: Parameter, bytes: Uint8Array, place: string, objects: ObjectNumbers): KrpcValue {
  try {
    // Clients before 0.7 write a null of a collection or text as the byte 0.
    if (isNullable && type.code !== TypeCode.class && bytes.length === 1 && bytes[0] === 0)
      return nullOrEmpty(type.code);
    return decodeValue(type, bytes, objects);
  } catch (error) {
    if (error instanceof UnknownInstanceError) throw error;
    if (!(error instanceof DecodeError)) throw error;
    throw new ArgumentError(
      `Incorrect argument type for parameter ${place}. Expected an argument of type ${describeType(type)}: ${error.message}`,
    );
  }
}

/** The byte 0 is an empty text, and no collection. */
const nullOrEmpty = (code: TypeCode): KrpcValue => (code === TypeCode.string ? '' : null);
