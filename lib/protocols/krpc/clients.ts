// The clients that are connected, by the identifiers that they were given.
import type { RpcClient } from './client/rpc-client.js';

export class Clients {
  private readonly byId = new Map<string, RpcClient>();

  get all(): readonly RpcClient[] {
    return [...this.byId.values()];
  }

  get streams(): number {
    return this.all.reduce((sum, { streams }) => sum + streams.size, 0);
  }

  add(client: RpcClient): void {
    this.byId.set(keyOf(client.id), client);
  }

  delete(client: RpcClient): void {
    this.byId.delete(keyOf(client.id));
  }

  find(id: Uint8Array): RpcClient | undefined {
    return this.byId.get(keyOf(id));
  }
}

const keyOf = (id: Uint8Array): string => Buffer.from(id).toString('hex');

/** The identifier in a WebSocket's query, in which clients leave base64 unescaped: a plus reads as a blank. */
export const identifierIn = (query: URLSearchParams): Uint8Array =>
  Buffer.from((query.get('id') ?? '').replaceAll(' ', '+'), 'base64');
