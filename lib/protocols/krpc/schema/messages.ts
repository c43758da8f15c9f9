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

export type ConnectionRequest = Message<'krpc.schema.ConnectionRequest'> & {
  type: number;
  clientName: string;
  clientIdentifier: Uint8Array;
};
export type ConnectionResponse = Message<'krpc.schema.ConnectionResponse'> & {
  status: number;
  message: string;
  clientIdentifier: Uint8Array;
};
export type Argument = Message<'krpc.schema.Argument'> & { position: number; value: Uint8Array; isNull: boolean };
export type ProcedureCall = Message<'krpc.schema.ProcedureCall'> & {
  service: string;
  procedure: string;
  arguments: Argument[];
  serviceId: number;
  procedureId: number;
};
export type Request = Message<'krpc.schema.Request'> & { calls: ProcedureCall[] };
export type ErrorMessage = Message<'krpc.schema.Error'> & {
  service: string;
  name: string;
  description: string;
  stackTrace: string;
};
export type ProcedureResult = Message<'krpc.schema.ProcedureResult'> & {
  error?: ErrorMessage;
  value: Uint8Array;
  isNull: boolean;
};
export type Response = Message<'krpc.schema.Response'> & { error?: ErrorMessage; results: ProcedureResult[] };
export type StreamResult = Message<'krpc.schema.StreamResult'> & { id: bigint; result?: ProcedureResult };
export type StreamUpdate = Message<'krpc.schema.StreamUpdate'> & { results: StreamResult[] };
export type TypeMessage = Message<'krpc.schema.Type'> & {
  code: number;
  service: string;
  name: string;
  types: TypeMessage[];
};
export type ParameterMessage = Message<'krpc.schema.Parameter'> & {
  name: string;
  type?: TypeMessage;
  defaultValue: Uint8Array;
  nullable: boolean;
  hasDefaultValue: boolean;
  defaultValueIsNull: boolean;
};
interface Documented {
  name: string;
  documentation: string;
  deprecated: boolean;
  deprecatedReason: string;
}
export type ProcedureMessage = Message<'krpc.schema.Procedure'> &
  Documented & {
    parameters: ParameterMessage[];
    returnType?: TypeMessage;
    returnIsNullable: boolean;
    gameScenes: number[];
  };
export type ClassMessage = Message<'krpc.schema.Class'> & Documented;
export type ExceptionMessage = Message<'krpc.schema.Exception'> & Documented;
export type EnumerationValueMessage = Message<'krpc.schema.EnumerationValue'> & Documented & { value: number };
export type EnumerationMessage = Message<'krpc.schema.Enumeration'> &
  Documented & { values: EnumerationValueMessage[] };
export type ServiceMessage = Message<'krpc.schema.Service'> &
  Documented & {
    procedures: ProcedureMessage[];
    classes: ClassMessage[];
    enumerations: EnumerationMessage[];
    exceptions: ExceptionMessage[];
  };
export type Services = Message<'krpc.schema.Services'> & { services: ServiceMessage[] };
export type StreamMessage = Message<'krpc.schema.Stream'> & { id: bigint };
export type EventMessage = Message<'krpc.schema.Event'> & { stream?: StreamMessage };
export type DictionaryEntry = Message<'krpc.schema.DictionaryEntry'> & { key: Uint8Array; value: Uint8Array };
export type Dictionary = Message<'krpc.schema.Dictionary'> & { entries: DictionaryEntry[] };
export type StatusMessage = Message<'krpc.schema.Status'> & {
  version: string;
  bytesRead: bigint;
  bytesWritten: bigint;
  bytesReadRate: number;
  bytesWrittenRate: number;
  rpcsExecuted: bigint;
  rpcRate: number;
  oneRpcPerUpdate: boolean;
  maxTimePerUpdate: number;
  adaptiveRateControl: boolean;
  blockingRecv: boolean;
  recvTimeout: number;
  timePerRpcUpdate: number;
  pollTimePerRpcUpdate: number;
  execTimePerRpcUpdate: number;
  streamRpcs: number;
  streamRpcsExecuted: bigint;
  streamRpcRate: number;
  timePerStreamUpdate: number;
};

/** Fields as `type name=number`; `*` repeats a field. Enumerations are int32, which has the same bytes. */
const MESSAGES: Readonly<Record<string, string>> = {
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
};

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

const schemaOf = <M extends Message>(name: string): GenMessage<M> =>
  registry.getMessage(`${PACKAGE}.${name}`) as DescMessage as GenMessage<M>;

/** The schemas of the messages, for `encodeMessage` and `decodeMessage`. */
export const Schema = {
  connectionRequest: schemaOf<ConnectionRequest>('ConnectionRequest'),
  connectionResponse: schemaOf<ConnectionResponse>('ConnectionResponse'),
  procedureCall: schemaOf<ProcedureCall>('ProcedureCall'),
  request: schemaOf<Request>('Request'),
  error: schemaOf<ErrorMessage>('Error'),
  response: schemaOf<Response>('Response'),
  procedure: schemaOf<ProcedureMessage>('Procedure'),
  class: schemaOf<ClassMessage>('Class'),
  exception: schemaOf<ExceptionMessage>('Exception'),
  enumeration: schemaOf<EnumerationMessage>('Enumeration'),
  stream: schemaOf<StreamMessage>('Stream'),
  event: schemaOf<EventMessage>('Event'),
  dictionary: schemaOf<Dictionary>('Dictionary'),
  dictionaryEntry: schemaOf<DictionaryEntry>('DictionaryEntry'),
  status: schemaOf<StatusMessage>('Status'),
  services: schemaOf<Services>('Services'),
  streamUpdate: schemaOf<StreamUpdate>('StreamUpdate'),
} as const;

/** The bytes of a message; fields that are left out have their defaults. */
export const encodeMessage = <M extends Message>(
  schema: GenMessage<M>,
  fields: Parameters<typeof create<GenMessage<M>>>[1],
): Uint8Array => toBinary(schema, create(schema, fields));

/** Throws an Error for bytes that are no such message. Fields with other numbers are ignored. */
export const decodeMessage = <M extends Message>(schema: GenMessage<M>, bytes: Uint8Array): M =>
  fromBinary(schema, bytes, { readUnknownFields: false }) as M;
