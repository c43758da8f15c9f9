// How calls and answers are written in JSON, which is where the protocols of JSON-RPC's family differ.
import { parseJsonRequests } from './json-text.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';

export interface RpcRequest {
  readonly method: string;
  readonly params: unknown;
  /** The id that the answer carries. */
  readonly id: unknown;
  /** False for a notification: it is carried out but not answered. */
  readonly isAnswered: boolean;
}

export interface Envelope {
  /**
   * Parses a short message at once; a long one resolves after turns of the client. A list, or a LongList, is a batch. Throws
   * an RpcError for a message that cannot be parsed.
   */
  parse(message: Uint8Array, turn: () => Promise<void>): unknown;
  /** Reads one request of a message. Throws an RpcError for a value that is not a request. */
  read(value: unknown): RpcRequest;
  /**
   * The id of the error for a value that `read` has refused; the value is undefined when the message could not be
   * parsed.
   */
  idOf(value: unknown): unknown;
  /** The answer to an empty batch. Throws an RpcError to refuse it. */
  emptyBatch(): string;
  /** The texts before and after a result. */
  around(id: unknown): readonly [before: string, after: string];
  error(id: unknown, error: RpcError): string;
}

/** JSON-RPC 2.0, exactly as specified. */
export const jsonRpc2: Envelope = {
  parse: parseJsonRequests,
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

/** The text of an error response of JSON-RPC 2.0. */
export function errorAnswer(id: unknown, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

const invalid = (sentence: string): RpcError => new RpcError(RpcCode.invalidRequest, sentence);

/** Of a long text only the beginning is written, because it takes time. */
function shown(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function readRequest(value: unknown): RpcRequest {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(`a request is an object, not ${shown(value)}`);
  }
  if (Object.hasOwn(value, '__proto__')) throw invalid('a request has no member "__proto__"');
  const { jsonrpc, method, params, id } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalid('a request says "jsonrpc":"2.0"');
  if (typeof method !== 'string') throw invalid('a request names its "method" as text');
  if (isBeyondNumbers(id)) throw invalid(BEYOND_NUMBERS);
  if (id !== undefined && !isId(id)) throw invalid('an "id" is text, a number or null');
  return { method, params, id, isAnswered: id !== undefined };
}

const isId = (id: unknown): id is string | number | null =>
  id === null || typeof id === 'string' || Number.isFinite(id);

/** Whether an id is a number such as 1e400, which no answer can carry. */
export const isBeyondNumbers = (id: unknown): boolean => typeof id === 'number' && !Number.isFinite(id);
export const BEYOND_NUMBERS = 'an "id" of so large a number cannot be answered: a number goes to 1.8e308';
