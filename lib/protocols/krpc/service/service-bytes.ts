// The bytes of the message Services, made procedure by procedure because a large simulation has thousands.
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { encodeMessage, type MessageOf, Schema } from '../schema/messages.js';
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

/** The tags of fields with messages: in Services, and in Service. */
const [SERVICES_TAG, PROCEDURES_TAG] = [0x0a, 0x12] as const;

export async function servicesBytes({ services }: ServiceTable, turn: () => Promise<void>): Promise<Uint8Array> {
  const writer = new BinaryWriter();
  for (const { service } of services) {
    writer
      .uint32(SERVICES_TAG)
      .fork()
      .raw(encodeMessage(Schema.Service, serviceFields(service)));
    for (const [index, procedure] of service.procedures.entries()) {
      if (index % PROCEDURES_PER_TURN === 0) await turn();
      writer.uint32(PROCEDURES_TAG).bytes(encodeMessage(Schema.Procedure, procedureFields(procedure)));
    }
    writer.join();
  }
  return writer.finish();
}

/** All but the procedures. */
const serviceFields = ({ name, about, classes, enumerations, exceptions }: Service) => ({
  ...documented({ name, about }),
  classes: classes.map(documented),
  enumerations: enumerations.map((one) => ({
    ...documented(one),
    values: one.values.map((value) => ({ ...documented(value), value: value.value })),
  })),
  exceptions: exceptions.map(documented),
});

function procedureFields(procedure: Procedure) {
  const { parameters, returns, returnsNull = false } = procedure;
  return {
    ...documented(procedure),
    parameters: parameters.map(parameterFields),
    ...(returns ? { returnType: typeFields(returns), returnIsNullable: returnsNull } : {}),
  };
}

/** Clients before 0.7 see a default by its bytes, later ones by the flag. */
function parameterFields({ name, type, isNullable = false, byDefault }: Parameter) {
  const fields = { name, type: typeFields(type), nullable: isNullable };
  if (byDefault === undefined) return fields;
  const defaultValue = encodeValue(type, byDefault, NO_OBJECTS);
  return { ...fields, defaultValue, hasDefaultValue: true, defaultValueIsNull: byDefault === null };
}

interface TypeFields extends Pick<MessageOf<'Type'>, 'code' | 'service' | 'name'> {
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
