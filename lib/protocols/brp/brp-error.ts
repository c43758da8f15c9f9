// The protocol's errors in Bevy's words: clients match some of them by their text.
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';

/** Bevy: bevy_remote::error_codes */
export const BrpCode = {
  entityNotFound: -23401,
  componentError: -23402,
  componentNotPresent: -23403,
  selfReparent: -23404,
  resourceError: -23501,
  resourceNotPresent: -23502,
} as const;

const LONGEST_NAME = 200;
/** A client's name as it is repeated to the client. */
const shown = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

export const entityNotFound = (entity: string): RpcError =>
  new RpcError(BrpCode.entityNotFound, `Entity ${entity} not found`);

export const componentError = (sentence: string): RpcError => new RpcError(BrpCode.componentError, sentence);

export const unknownComponent = (path: string): RpcError =>
  componentError(`Unknown component type: \`${shown(path)}\``);

export const unusedComponent = (path: string): RpcError =>
  componentError(`Component \`${shown(path)}\` isn't registered or used in the world`);

export const invalidValue = (path: string, reason: string): RpcError =>
  componentError(`${shown(path)} is invalid: ${reason}`);

export const componentNotPresent = (path: string, entity: string): RpcError =>
  new RpcError(BrpCode.componentNotPresent, `Component \`${shown(path)}\` not present in Entity ${entity}`);

export const selfReparent = (entity: string): RpcError =>
  new RpcError(BrpCode.selfReparent, `Cannot reparent Entity ${entity} to itself`);

export const resourceError = (sentence: string): RpcError => new RpcError(BrpCode.resourceError, sentence);

export const unknownResource = (path: string): RpcError => resourceError(`Unknown resource type: \`${shown(path)}\``);

export const resourceNotPresent = (path: string): RpcError =>
  new RpcError(BrpCode.resourceNotPresent, `Resource \`${shown(path)}\` not present in the world`);

export const unknownSchedule = (label: string): RpcError => invalidParams(`Unknown schedule: \`${shown(label)}\``);

export const methodNotFound = (name: string): RpcError =>
  new RpcError(RpcCode.methodNotFound, `Method \`${shown(name)}\` not found`);

export const tooManyChanges = (): RpcError =>
  new RpcError(RpcCode.tooMany, 'objects come and go faster than they can be looked at; ask again later');

export const invalidParams = (sentence: string): RpcError => new RpcError(RpcCode.invalidParams, sentence);

export const invalidRequest = (sentence: string): RpcError => new RpcError(RpcCode.invalidRequest, sentence);

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error as it stands in an answer. */
export const errorObject = ({ code, message, data }: RpcError): ErrorObject =>
  data === undefined ? { code, message } : { code, message, data };

const SHOWN_CHARACTERS = 40;

/** The JSON text of what is no list or object. Of a long text only the beginning is written, because it takes time. */
const textOf = (value: unknown): string =>
  JSON.stringify(typeof value === 'string' ? value.slice(0, SHOWN_CHARACTERS + 1) : value) ?? 'nothing';

/** The beginning of a value, or the kind of one that has others in it. */
export function beginningOf(value: unknown): string {
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'object' && value !== null) return 'map';
  return textOf(value).slice(0, SHOWN_CHARACTERS);
}

/** The kind of a value, and its beginning when it has no others in it. */
export function kindOf(value: unknown): string {
  if (value === null || typeof value === 'object') return beginningOf(value);
  const text = textOf(value);
  return `${typeof value} ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
}
