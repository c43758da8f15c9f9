// How calls and answers are wrapped in JSON: the part in which protocols of JSON-RPC's family differ.
import { parseJsonText } from './json-text.js';
import { RpcCode, RpcError } from './rpc-error.js';

export interface RpcRequest {
  readonly method: string;
  readonly params: unknown;
  /** What the answer carries to say which request it answers. */
  readonly id: unknown;
  /** False for a notification: it is carried out and not answered. */
  readonly isAnswered: boolean;
}

export interface Envelope {
  /** The value that a message is; a list is a batch. Throws an RpcError for what cannot be read. */
  parse(message: Uint8Array): unknown;
  /** One request of a message. Throws an RpcError for what is none. */
  read(value: unknown): RpcRequest;
  /** The id to refuse with what `read` has refused; of `undefined` when nothing could be parsed. */
  idOf(value: unknown): unknown;
  /** The answer to a batch that holds nothing. Throws an RpcError to refuse it. */
  emptyBatch(): string;
  /** What stands before and behind the text of a result. */
  around(id: unknown): readonly [before: string, after: string];
  error(id: unknown, error: RpcError): string;
}

/** JSON-RPC 2.0, to the letter. */
export const jsonRpc2: Envelope = {
  parse: parseJsonText,
  read: readRequest,
  idOf(value) {
    const id = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : null;
    return isId(id) ? id : null;
  },
  emptyBatch: () => {
    throw invalid('a batch holds at least one request');
  },
  around: (id) => [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, '}'],
  error: errorAnswer,
};

/** An error response of JSON-RPC 2.0 as text. */
export function errorAnswer(id: unknown, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

const invalid = (sentence: string): RpcError => new RpcError(RpcCode.invalidRequest, sentence);

function readRequest(value: unknown): RpcRequest {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(
      `a request is an object, not ${Array.isArray(value) ? 'a list' : JSON.stringify(value)?.slice(0, 40)}`,
    );
  }
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalid('a request says "jsonrpc":"2.0"');
  if (typeof method !== 'string') throw invalid('a request names its "method" as text');
  if (id !== undefined && !isId(id)) throw invalid('an "id" is text, a number or null');
  return { method, params, id, isAnswered: id !== undefined };
}

const isId = (id: unknown): id is string | number | null =>
  id === null || typeof id === 'string' || typeof id === 'number';
