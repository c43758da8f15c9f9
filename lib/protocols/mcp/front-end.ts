// The Model Context Protocol at POST /mcp, loaded by the first request.
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { bracketed, formatAddress, hostOf } from '../../serving/transport/address.js';
import type { Admission, Endpoint, FrontEnd } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import { callerOfRequest } from '../json-rpc/caller.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import { RpcCode } from '../json-rpc/rpc-error.js';
import type { CallMethod } from './tool.js';

/** The answer to many messages in one would have no bound. */
const NO_BATCHES = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: RpcCode.invalidRequest, message: 'one message at a time: batches are not taken' },
});

export interface McpOptions {
  readonly registry: SessionRegistry;
  readonly clients: ClientSessions;
  readonly calls: MethodCalls;
  readonly version: string;
  /** Answers what is asked of recorded runs. */
  readonly runs?: CallMethod | undefined;
}

export class McpFrontEnd implements FrontEnd {
  readonly name = 'mcp';

  constructor(private readonly options: McpOptions) {}

  endpoints(): readonly Endpoint[] {
    const answer = (exchange: HttpExchange, admission: Admission): Promise<void> => this.answer(exchange, admission);
    const routes = ['POST', 'GET', 'DELETE'].map((method) => ({ method, path: '/mcp', answer }));
    return [
      {
        ...{ kind: 'http', trust: 'request', at: 'main', name: 'mcp', speaks: ['Model Context Protocol'], routes },
        examples: ({ host, port, isTls }) => [
          { label: 'MCP', text: `${isTls ? 'https' : 'http'}://${formatAddress(host, port)}/mcp` },
        ],
      },
    ];
  }

  close(): void {
    // Nothing lasts longer than its request.
  }

  private async answer(exchange: HttpExchange, admission: Admission): Promise<void> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { MOST_MESSAGE_BYTES, toolServer } = await import('./server.js');
    const body = exchange.method === 'POST' ? await exchange.readBody(MOST_MESSAGE_BYTES) : undefined;
    if (body?.toString('latin1', 0, 1000).trimStart().startsWith('[')) {
      const json = { 'content-type': 'application/json', ...admission.headers };
      return void exchange.respond(400, json, NO_BATCHES);
    }
    const facts = this.factsOf(exchange, admission);
    await facts.turn();
    const handler = createMcpHandler(() => toolServer(facts));
    const response = await handler.fetch(requestOf(exchange, body));
    const text = await response.text();
    await facts.turn();
    exchange.respond(response.status, { ...Object.fromEntries(response.headers), ...admission.headers }, text);
    await handler.close();
  }

  private factsOf(exchange: HttpExchange, { mayChange, mayAsk }: Admission) {
    const { registry, clients, calls, version, runs } = this.options;
    const session = clients.of(bracketed(hostOf(exchange.peer)));
    const caller = callerOfRequest(session.account, exchange, registry.turns, mayAsk);
    const context = calls.contextOf(session, caller, mayChange);
    const call = async (method: string, params: object): Promise<unknown> => {
      const { result, heldBytes } = await calls.call(context, method, params);
      session.account.give('unreadBytes', heldBytes);
      return result;
    };
    return { version, mayChange, call, runs, turn: caller.turn };
  }
}

/** The request as the library takes it; the server has checked its address, Host and Origin. */
function requestOf({ method, path, headers }: HttpExchange, body: Uint8Array | undefined): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  return new Request(`http://localhost${path}`, { method, headers: given, ...(body && { body: Buffer.from(body) }) });
}
