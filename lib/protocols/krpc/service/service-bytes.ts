// The bytes of the message Services, made procedure by procedure because a large simulation has thousands.
import { encodeMessage, Schema } from '../schema/messages.js';
import { varint } from '../schema/varint.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import type { KrpcType } from '../values/type.js';
import type { Parameter, Procedure, Service } from './procedure.js';
import type { ServiceTable } from './service-table.js';

/** Default values hold no objects. */
export const NO_OBJECTS: ObjectNumbers = {
  numberOf() {
    throw new TypeError('an object cannot be a default value');
  },
  objectOf: () => undefined,
};

/** So many procedures are encoded between two turns. */
const PROCEDURES_PER_TURN = 64;

export async function servicesBytes({ services }: ServiceTable, turn: () => Promise<void>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const { service } of services) {
    const body = Buffer.concat(await serviceParts(service, turn));
    parts.push(tagOf(1), varint(body.length), body);
  }
  return Buffer.concat(parts);
}

const tagOf = (field: number): Uint8Array => varint(field * 8 + 2);

/** The fields of the message Service, in any order of their numbers. */
async function serviceParts(service: Service, turn: () => Promise<void>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const add = (field: number, body: Uint8Array): void => void parts.push(tagOf(field), varint(body.length), body);
  add(1, Buffer.from(service.name));
  for (const [index, procedure] of service.procedures.entries()) {
    if (index % PROCEDURES_PER_TURN === 0) await turn();
    add(2, procedureBytes(procedure));
  }
  for (const one of service.classes) add(3, encodeMessage(Schema.class, documented(one)));
  for (const one of service.enumerations) {
    const values = one.values.map((value) => ({ ...documented(value), value: value.value }));
    add(4, encodeMessage(Schema.enumeration, { ...documented(one), values }));
  }
  for (const one of service.exceptions) add(5, encodeMessage(Schema.exception, documented(one)));
  add(6, Buffer.from(documentation(service.about)));
  return parts;
}

function procedureBytes(procedure: Procedure): Uint8Array {
  const { parameters, returns, returnsNull = false } = procedure;
  return encodeMessage(Schema.procedure, {
    ...documented(procedure),
    parameters: parameters.map(parameterFields),
    ...(returns ? { returnType: typeFields(returns), returnIsNullable: returnsNull } : {}),
  });
}

/** Clients before 0.7 see a default by its bytes, later ones by the flag. */
function parameterFields({ name, type, isNullable = false, byDefault }: Parameter) {
  const fields = { name, type: typeFields(type), nullable: isNullable };
  if (byDefault === undefined) return fields;
  const defaultValue = encodeValue(type, byDefault, NO_OBJECTS);
  return { ...fields, defaultValue, hasDefaultValue: true, defaultValueIsNull: byDefault === null };
}

interface TypeFields {
  code: number;
  service: string;
  name: string;
  types: TypeFields[];
}

const typeFields = ({ code, service = '', name = '', types = [] }: KrpcType): TypeFields => ({
  code,
  service,
  name,
  types: types.map(typeFields),
});

export interface Documented {
  readonly name: string;
  readonly about: string;
  readonly deprecated?: string;
}

const documented = ({ name, about, deprecated }: Documented) => ({
  name,
  documentation: documentation(about),
  ...(deprecated === undefined ? {} : { deprecated: true, deprecatedReason: deprecated }),
});

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The XML in which clients read documentation. */
export function documentation(about: string): string {
  if (about === '') return '';
  return `<doc>\n<summary>\n${about.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)}\n</summary>\n</doc>`;
}
