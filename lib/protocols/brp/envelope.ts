// How calls and answers of the protocol are written: JSON-RPC, with the rules of each generation.
import { BEYOND_NUMBERS, type Envelope, isBeyondNumbers, type RpcRequest } from '../json-rpc/envelope.js';
import { parseJson } from '../json-rpc/json-text.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { beginningOf, invalidRequest } from './brp-error.js';
import { type Generation, generationOf, isBefore } from './generation.js';
import { repeatedMembers } from './repeated-members.js';

const EMPTY = 'EOF while parsing a value at line 1 column 0';
const MEMBERS = ['jsonrpc', 'method', 'id', 'params'];

/** Bevy: bevy_remote::BrpRequest, BrpResponse. Every request is answered, with or without an id. */
export class BrpEnvelope implements Envelope {
  /** The member that a request names twice. */
  private readonly repeated = new WeakMap<object, string>();

  /**
   * @param preferred the generation of calls whose name does not tell theirs.
   * @param onError called with the code of each error that is written.
   */
  constructor(
    private readonly preferred: Generation,
    private readonly onError: (code: number) => void = () => undefined,
  ) {}

  async parse(message: Uint8Array, turn: () => Promise<void>): Promise<unknown> {
    if (message.length === 0) throw invalidRequest(EMPTY);
    const value = await parsed(message, turn);
    for (const [request, member] of await repeatedMembers(message, value, turn)) this.repeated.set(request, member);
    return value;
  }

  read(value: unknown): RpcRequest {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw invalidRequest(`invalid type: ${beginningOf(value)}, expected a request object`);
    }
    const { jsonrpc, method, params, id } = value as Record<string, unknown>;
    const generation = this.generationOf(value);
    if (!isBefore(generation, '0.19')) this.requireMembers(value);
    if (Object.hasOwn(value, '__proto__')) throw invalidRequest('a request has no member `__proto__`');
    // Bevy's pages show requests without it.
    if (Object.hasOwn(value, 'jsonrpc') && jsonrpc !== '2.0')
      throw invalidRequest('JSON-RPC request requires "jsonrpc": "2.0"');
    if (!Object.hasOwn(value, 'method')) throw invalidRequest('missing field `method`');
    if (typeof method !== 'string') {
      throw invalidRequest(`invalid type: ${beginningOf(method)}, expected a string`);
    }
    if (isBeyondNumbers(id)) throw invalidRequest(BEYOND_NUMBERS);
    return { method, params, id: shownId(id, generation), isAnswered: true };
  }

  idOf(value: unknown): unknown {
    return (value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : null) ?? null;
  }

  emptyBatch(): string {
    return '[]';
  }

  around(id: unknown): readonly [before: string, after: string] {
    return [`${headOf(id)},"result":`, '}'];
  }

  error(id: unknown, { code, message }: RpcError): string {
    this.onError(code);
    return `${headOf(id)},"error":${JSON.stringify({ code, message })}}`;
  }

  private generationOf(value: unknown): Generation {
    const method = value !== null && typeof value === 'object' ? (value as { method?: unknown }).method : undefined;
    return generationOf(typeof method === 'string' ? method : '', this.preferred);
  }

  private requireMembers(request: object): void {
    const stray = Object.keys(request).find((name) => !MEMBERS.includes(name));
    if (stray !== undefined) {
      const expected = MEMBERS.map((name) => `\`${name}\``).join(', ');
      throw invalidRequest(`unknown field \`${stray.slice(0, 100)}\`, expected one of ${expected}`);
    }
    const repeated = this.repeated.get(request);
    if (repeated !== undefined) throw invalidRequest(`duplicate field \`${repeated}\``);
  }
}

/** Since 0.19 an answer has no id when the request had none. */
const shownId = (id: unknown, generation: Generation): unknown =>
  isBefore(generation, '0.19') ? (id ?? null) : (id ?? undefined);

const headOf = (id: unknown): string => `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${JSON.stringify(id)}`}`;

/** Text that is no JSON is a request that is not valid: Bevy has no other code for it. */
async function parsed(message: Uint8Array, turn: () => Promise<void>): Promise<unknown> {
  try {
    return await parseJson(message, turn);
  } catch (error) {
    throw error instanceof RpcError && error.code === RpcCode.parse ? invalidRequest(error.message) : error;
  }
}
