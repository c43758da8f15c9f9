// The methods behind POST /jsonrpc and WebSocket /ws, and which clients may call them.

import { analysisMethods } from '../json-rpc/analysis-methods.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import { type CallContext, refuseChanges, translateError } from '../json-rpc/call-context.js';
import { checkpointMethods } from '../json-rpc/checkpoint-methods.js';
import { Dispatcher, type DispatcherHooks } from '../json-rpc/dispatcher.js';
import { functionMethods } from '../json-rpc/function-methods.js';
import { historyMethods } from '../json-rpc/history-method.js';
import type { Method } from '../json-rpc/method.js';
import { openRpc, type ServiceFacts } from '../json-rpc/openrpc.js';
import { runMethods } from '../json-rpc/run-methods.js';
import { scene } from '../json-rpc/scene-method.js';
import { sessionMethods } from '../json-rpc/session-methods.js';
import { simMethods } from '../json-rpc/sim-methods.js';
import { varCatalogMethods } from '../json-rpc/var-catalog-methods.js';
import { type ValueStream, varStreamMethods } from '../json-rpc/var-stream-methods.js';
import { varTreeMethods } from '../json-rpc/var-tree-methods.js';
import { varValueMethods } from '../json-rpc/var-value-methods.js';
import { wait } from '../json-rpc/wait-method.js';

export type RpcDispatcher = Dispatcher<CallContext, ValueStream>;

interface Wishes extends ServiceFacts<CallContext>, Pick<DispatcherHooks<CallContext>, 'onFault' | 'onError'> {
  readonly moreMethods: readonly Method<CallContext>[];
}

export interface RpcMethods {
  readonly dispatcher: RpcDispatcher;
  /** All methods, rpc.discover included. */
  readonly all: readonly Method<CallContext, unknown>[];
  /** The OpenRPC document of all methods, for people to read. */
  readonly page: (baseUrl: string, turn: () => Promise<void>) => Promise<AnswerText>;
}

export function rpcMethods({ version, moreMethods, onFault, onError }: Wishes): RpcMethods {
  const methods = [
    ...varCatalogMethods,
    ...varTreeMethods,
    ...varValueMethods,
    ...varStreamMethods,
    ...historyMethods,
    ...analysisMethods,
    ...runMethods,
    ...simMethods,
    wait,
    scene,
    ...checkpointMethods,
    ...sessionMethods,
    ...functionMethods,
    ...moreMethods,
  ];
  const { method, page } = openRpc(methods, { version, baseUrlOf: ({ baseUrl }) => baseUrl });
  const dispatcher = new Dispatcher<CallContext, ValueStream>([...methods, method], {
    callerOf: (context) => context,
    guard: refuseChanges,
    translate: translateError,
    ...(onFault && { onFault }),
    ...(onError && { onError }),
  });
  return { dispatcher, page, all: [...methods, method] };
}
