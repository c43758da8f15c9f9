// kRPC's types: their numbers on the wire, and how sentences call them.

/** Numbers of the types. kRPC: krpc.proto, Type.TypeCode */
export const TypeCode = {
  none: 0,
  double: 1,
  float: 2,
  sint32: 3,
  sint64: 4,
  uint32: 5,
  uint64: 6,
  bool: 7,
  string: 8,
  bytes: 9,
  class: 100,
  enumeration: 101,
  event: 200,
  procedureCall: 201,
  stream: 202,
  status: 203,
  services: 204,
  tuple: 300,
  list: 301,
  set: 302,
  dictionary: 303,
} as const;
export type TypeCode = (typeof TypeCode)[keyof typeof TypeCode];

/** A type of kRPC's values. */
export interface KrpcType {
  readonly code: TypeCode;
  /** The service and name of a class or an enumeration. */
  readonly service?: string;
  readonly name?: string;
  /** The types of a collection's items; of a dictionary, the types of its key and value. */
  readonly types?: readonly KrpcType[];
  /** What sentences call it, if that is not its service and name. */
  readonly spelling?: string;
}

/** A floating-point number of 64 bits. */
export const DOUBLE: KrpcType = { code: TypeCode.double };
/** A floating-point number of 32 bits. */
export const FLOAT: KrpcType = { code: TypeCode.float };
/** An integer of 32 bits. */
export const SINT32: KrpcType = { code: TypeCode.sint32 };
/** An integer of 64 bits, as bigint. */
export const SINT64: KrpcType = { code: TypeCode.sint64 };
/** An integer of 32 bits from 0 up. */
export const UINT32: KrpcType = { code: TypeCode.uint32 };
/** An integer of 64 bits from 0 up, as bigint. */
export const UINT64: KrpcType = { code: TypeCode.uint64 };
/** A truth value. */
export const BOOL: KrpcType = { code: TypeCode.bool };
/** Text. */
export const STRING: KrpcType = { code: TypeCode.string };
/** Bytes. */
export const BYTES: KrpcType = { code: TypeCode.bytes };
/** An event: a stream of truth values. */
export const EVENT: KrpcType = { code: TypeCode.event };
export const PROCEDURE_CALL: KrpcType = { code: TypeCode.procedureCall };
export const STREAM: KrpcType = { code: TypeCode.stream };
export const STATUS: KrpcType = { code: TypeCode.status };
export const SERVICES: KrpcType = { code: TypeCode.services };

/**
 * Objects of a class of a service.
 * @param spelling what sentences call it, if that is not `service.name`.
 */
export const classOf = (service: string, name: string, spelling?: string): KrpcType => ({
  code: TypeCode.class,
  service,
  name,
  ...(spelling !== undefined && { spelling }),
});
/** An enumeration of a service, as its number. */
export const enumerationOf = (service: string, name: string): KrpcType => ({
  code: TypeCode.enumeration,
  service,
  name,
});
/** A list. */
export const listOf = (item: KrpcType): KrpcType => ({ code: TypeCode.list, types: [item] });
/** A set. */
export const setOf = (item: KrpcType): KrpcType => ({ code: TypeCode.set, types: [item] });
/** A tuple of one or more values. */
export const tupleOf = (...items: readonly KrpcType[]): KrpcType => ({ code: TypeCode.tuple, types: items });
/** A dictionary, as a Map. */
export const dictionaryOf = (key: KrpcType, value: KrpcType): KrpcType => ({
  code: TypeCode.dictionary,
  types: [key, value],
});

/** An object on the server: a client knows it by a number. Two with the same key are the same object. */
export interface RemoteObject {
  readonly key: string;
  /** Bytes that it takes besides its key, counted for each client that knows it. Default 0. */
  readonly keptBytes?: number;
}

/** A stream or the stream of an event, by its number. */
export interface StreamHandle {
  readonly streamId: number;
}

/** A call as a client names it: by names, or by numbers that are not 0. */
export interface NamedCall {
  readonly service: string;
  readonly procedure: string;
  readonly serviceId: number;
  readonly procedureId: number;
  readonly arguments: readonly { readonly position: number; readonly value: Uint8Array; readonly isNull: boolean }[];
}

/**
 * A value: numbers and enumerations are numbers, 64-bit integers bigint, lists and tuples lists. Status and Services are
 * their bytes.
 */
export type KrpcValue =
  | number
  | bigint
  | boolean
  | string
  | null
  | Uint8Array
  | RemoteObject
  | StreamHandle
  | NamedCall
  | readonly KrpcValue[]
  | ReadonlySet<KrpcValue>
  | ReadonlyMap<KrpcValue, KrpcValue>;

const NAMES = new Map<number, string>(Object.entries(TypeCode).map(([name, code]) => [code, name]));

/** Such as `double`, `Ball.Body`, `list(double)`. */
export function describeType({ code, service, name, types = [], spelling }: KrpcType): string {
  if (spelling !== undefined) return spelling;
  if (name !== undefined) return `${service}.${name}`;
  const own = NAMES.get(code) ?? `type ${code}`;
  return types.length === 0 ? own : `${own}(${types.map(describeType).join(', ')})`;
}

/** Whether two types are the same one. */
export function isSameType(one: KrpcType, other: KrpcType): boolean {
  const [items, others] = [one.types ?? [], other.types ?? []];
  if (one.code !== other.code || one.service !== other.service || one.name !== other.name) return false;
  return items.length === others.length && items.every((item, index) => isSameType(item, others[index] as KrpcType));
}
