// Services in JSON, from which kRPC's krpc-clientgen generates the code of clients.
import { encodeValue } from '../values/encode.js';
import { type KrpcType, TypeCode } from '../values/type.js';
import type { Parameter, Procedure, Service } from './procedure.js';
import { type Documented, documentation, NO_OBJECTS } from './service-bytes.js';
import type { ServiceTable } from './service-table.js';

/** `procedureCall` is `PROCEDURE_CALL`. */
const CODES: ReadonlyMap<number, string> = new Map(
  Object.entries(TypeCode).map(([name, code]) => [code, name.replace(/[A-Z]/g, '_$&').toUpperCase()]),
);

/** All services by name. kRPC: core/src/Service/Scanner, GetObjectData of the signatures */
export const definitionsOf = ({ services }: ServiceTable): object =>
  Object.fromEntries(services.map(({ service, number }) => [service.name, definitionOf(service, number)]));

const definitionOf = ({ about, procedures, classes, enumerations, exceptions }: Service, id: number): object => ({
  id,
  documentation: documentation(about),
  procedures: Object.fromEntries(procedures.map((one, index) => [one.name, procedureOf(one, index + 1)])),
  classes: byName(classes),
  enumerations: Object.fromEntries(
    enumerations.map((one) => [
      one.name,
      {
        ...described(one),
        values: one.values.map((value) => ({ name: value.name, value: value.value, ...described(value) })),
      },
    ]),
  ),
  exceptions: byName(exceptions),
});

function procedureOf(procedure: Procedure, id: number): object {
  const { parameters, returns, returnsNull = false } = procedure;
  return {
    id,
    parameters: parameters.map(parameterOf),
    ...(returns && { return_type: typeOf(returns), return_is_nullable: returnsNull }),
    ...described(procedure),
  };
}

const parameterOf = ({ name, type, byDefault, isNullable }: Parameter): object => ({
  name,
  type: typeOf(type),
  ...(byDefault !== undefined && {
    default_value: Buffer.from(encodeValue(type, byDefault, NO_OBJECTS)).toString('base64'),
  }),
  ...(isNullable && { nullable: true }),
});

const typeOf = ({ code, service, name, types }: KrpcType): object => ({
  code: CODES.get(code),
  ...(service !== undefined && { service }),
  ...(name !== undefined && { name }),
  ...(types && { types: types.map(typeOf) }),
});

const byName = (all: readonly Documented[]): object => Object.fromEntries(all.map((one) => [one.name, described(one)]));

const described = ({ about, deprecated }: Documented): object => ({
  documentation: documentation(about),
  ...(deprecated !== undefined && { deprecated: true, deprecated_reason: deprecated }),
});
