// Tells the protocol's messages from those of JSON-RPC, which come to the same port.
import type { Source } from '../../source/source.js';
import { parseJson } from '../json-rpc/json-text.js';
import { RpcError } from '../json-rpc/rpc-error.js';

const PREFIXES = ['world.', 'bevy/', 'registry.', 'schedule.', 'brp.', 'brp_extras/'];
/**
 * Methods of JSON-RPC on the same port; a simulation called `var` or `sim` has its functions under the other names
 * only.
 */
const OTHERS = /^(?:var|sim)\//;

export class OwnMessages {
  private readonly pattern: RegExp;
  private readonly functions: string;

  constructor(private readonly source: Source) {
    this.functions = `${source.info.name}/`;
    const starts = [...PREFIXES, this.functions].map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.pattern = new RegExp(`"method"\\s*:\\s*"(?:${starts.join('|')})|"request"\\s*:\\s*"[A-Z]`);
  }

  /** A fast look: false only for messages that are surely not the protocol's. */
  mayBe(message: Uint8Array): boolean {
    return this.pattern.test(Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1'));
  }

  /** Whether a message is the protocol's; a batch is when one of its requests is. */
  async isOwn(message: Uint8Array, turn: () => Promise<void>): Promise<boolean> {
    let value: unknown;
    await turn();
    try {
      value = await parseJson(message, turn);
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
    return isProposal(value) || (Array.isArray(value) ? value : [value]).some((request) => this.names(request));
  }

  private names(request: unknown): boolean {
    const method = (request as { method?: unknown } | null)?.method;
    if (typeof method !== 'string' || OTHERS.test(method)) return false;
    if (PREFIXES.some((prefix) => method.startsWith(prefix))) return true;
    const { functions } = this.source.catalog;
    return method.startsWith(this.functions) && functions.has(method.slice(this.functions.length));
  }
}

/** Whether it is a request of the proposal before Bevy's protocol. */
export const isProposal = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { request?: unknown }).request === 'string' &&
  !Object.hasOwn(value, 'jsonrpc') &&
  !Object.hasOwn(value, 'method');
