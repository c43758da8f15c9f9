// Methods of the table, called for a client of another protocol: with the same checks, turns, bounds and sentences.
import type { Session } from '../../serving/session/session.js';
import type { CallContext } from './call-context.js';
import { type Caller, GONE } from './caller.js';
import type { RpcAnswer } from './dispatcher.js';
import { RpcError } from './rpc-error.js';

export interface MethodCalls {
  /** What calls of a client are made in. */
  contextOf(session: Session, caller: Caller, mayChange: boolean): CallContext;
  /** The result of a method. Rejects with an RpcError, whose message is one sentence, or a GoneError when the client has gone. */
  call(context: CallContext, method: string, params: object): Promise<CallResult>;
}

export interface CallResult {
  readonly result: unknown;
  /** Bytes taken from the account as `unreadBytes`: count them in the outbound, or give them back. */
  readonly heldBytes: number;
}

interface Answered {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One call, by a dispatcher of JSON-RPC. */
export async function callMethod(
  dispatcher: { answer(message: Uint8Array, context: CallContext): Promise<RpcAnswer<unknown>> },
  context: CallContext,
  method: string,
  params: object,
): Promise<CallResult> {
  const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const { text, heldBytes } = await dispatcher.answer(message, context);
  if (!text) throw GONE;
  const { result, error } = JSON.parse(`${text}`) as Answered;
  if (!error) return { result, heldBytes };
  context.account.give('unreadBytes', heldBytes);
  throw new RpcError(error.code, error.message, error.data);
}
