// The messages of kRPC's protocol: their fields by number, and the functions that read and write them.
import { create, createFileRegistry, type DescMessage, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

/** Fields as `type name=number`; `*` repeats a field. Enumerations are int32, which has the same bytes. */
const MESSAGES = {
  ConnectionRequest: 'int32 type=1; string client_name=2; bytes client_identifier=3',
  ConnectionResponse: 'int32 status=1; string message=2; bytes client_identifier=3',
  Argument: 'uint32 position=1; bytes value=2; bool is_null=3',
  ProcedureCall:
    'string service=1; string procedure=2; Argument* arguments=3; uint32 service_id=4; uint32 procedure_id=5',
  Request: 'ProcedureCall* calls=1',
  Error: 'string service=1; string name=2; string description=3; string stack_trace=4',
  ProcedureResult: 'Error error=1; bytes value=2; bool is_null=3',
  Response: 'Error error=1; ProcedureResult* results=2',
  StreamResult: 'uint64 id=1; ProcedureResult result=2',
  StreamUpdate: 'StreamResult* results=1',
  Type: 'int32 code=1; string service=2; string name=3; Type* types=4',
  Parameter:
    'string name=1; Type type=2; bytes default_value=3; bool nullable=4; bool has_default_value=5; bool default_value_is_null=6',
  Procedure:
    'string name=1; Parameter* parameters=2; Type return_type=3; bool return_is_nullable=4; string documentation=5; int32* game_scenes=6; bool deprecated=7; string deprecated_reason=8',
  Class: 'string name=1; string documentation=2; bool deprecated=3; string deprecated_reason=4',
  Exception: 'string name=1; string documentation=2; bool deprecated=3; string deprecated_reason=4',
  EnumerationValue:
    'string name=1; int32 value=2; string documentation=3; bool deprecated=4; string deprecated_reason=5',
  Enumeration:
    'string name=1; EnumerationValue* values=2; string documentation=3; bool deprecated=4; string deprecated_reason=5',
  Service:
    'string name=1; Procedure* procedures=2; Class* classes=3; Enumeration* enumerations=4; Exception* exceptions=5; string documentation=6; bool deprecated=7; string deprecated_reason=8',
  Services: 'Service* services=1',
  Stream: 'uint64 id=1',
  Event: 'Stream stream=1',
  DictionaryEntry: 'bytes key=1; bytes value=2',
  Dictionary: 'DictionaryEntry* entries=1',
  Status:
    'string version=1; uint64 bytes_read=2; uint64 bytes_written=3; float bytes_read_rate=4; float bytes_written_rate=5; uint64 rpcs_executed=6; float rpc_rate=7; bool one_rpc_per_update=8; uint32 max_time_per_update=9; bool adaptive_rate_control=10; bool blocking_recv=11; uint32 recv_timeout=12; float time_per_rpc_update=13; float poll_time_per_rpc_update=14; float exec_time_per_rpc_update=15; uint32 stream_rpcs=16; uint64 stream_rpcs_executed=17; float stream_rpc_rate=18; float time_per_stream_update=19',
} as const;

type Name = keyof typeof MESSAGES;
interface Scalars {
  float: number;
  uint64: bigint;
  int32: number;
  bool: boolean;
  string: string;
  bytes: Uint8Array;
  uint32: number;
}
type Value<Type> = Type extends keyof Scalars ? Scalars[Type] : Type extends Name ? MessageOf<Type> : never;
type CamelCase<Text> = Text extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Text & string;
/** A field of the table; one that is a message may be left out. */
type Field<Text> = Text extends `${infer Type}* ${infer Own}=${string}`
  ? { [One in CamelCase<Own>]: Value<Type>[] }
  : Text extends `${infer Type} ${infer Own}=${string}`
    ? Type extends Name
      ? { [One in CamelCase<Own>]?: Value<Type> }
      : { [One in CamelCase<Own>]: Value<Type> }
    : never;
type Fields<Text> = Text extends `${infer One}; ${infer Rest}` ? Field<One> & Fields<Rest> : Field<Text>;
/** A message of kRPC, by the fields in the table. */
export type MessageOf<One extends Name> = Message<`krpc.schema.${One}`> & Fields<(typeof MESSAGES)[One]>;

const PACKAGE = 'krpc.schema';
const SCALARS: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  float: FieldDescriptorProto_Type.FLOAT,
  uint64: FieldDescriptorProto_Type.UINT64,
  int32: FieldDescriptorProto_Type.INT32,
  bool: FieldDescriptorProto_Type.BOOL,
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  uint32: FieldDescriptorProto_Type.UINT32,
};

function field(text: string): FieldDescriptorProto {
  const [, typeName = '', star, name = '', number] = /^(\w+)(\*?) (\w+)=(\d+)$/.exec(text) ?? [];
  const scalar = SCALARS[typeName];
  return create(FieldDescriptorProtoSchema, {
    name,
    number: Number(number),
    label: star ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    type: scalar ?? FieldDescriptorProto_Type.MESSAGE,
    ...(scalar === undefined ? { typeName: `.${PACKAGE}.${typeName}` } : {}),
  });
}

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'krpc.proto',
    package: PACKAGE,
    syntax: 'proto3',
    messageType: Object.entries(MESSAGES).map(([name, fields]) => ({ name, field: fields.split('; ').map(field) })),
  }),
  () => undefined,
);

/** The schemas of the messages, for `encodeMessage` and `decodeMessage`. */
export const Schema = Object.fromEntries(
  Object.keys(MESSAGES).map((name) => [name, registry.getMessage(`${PACKAGE}.${name}`) as DescMessage]),
) as unknown as { readonly [One in Name]: GenMessage<MessageOf<One>> };

/** The bytes of a message; fields that are left out have their defaults. */
export const encodeMessage = <M extends Message>(
  schema: GenMessage<M>,
  fields: Parameters<typeof create<GenMessage<M>>>[1],
): Uint8Array => toBinary(schema, create(schema, fields));

/** Throws an Error for bytes that are no such message. Fields with other numbers are ignored. */
export const decodeMessage = <M extends Message>(schema: GenMessage<M>, bytes: Uint8Array): M =>
  fromBinary(schema, bytes, { readUnknownFields: false }) as M;
