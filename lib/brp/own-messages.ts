// Tells the protocol's messages from those of JSON-RPC, which come to the same port.
import { parseJsonText } from '../json-rpc/json-text.js';
import type { Slice, Sliced } from '../session/turns.js';
import type { Source } from '../source/source.js';

const PREFIXES = ['world.', 'bevy/', 'registry.', 'schedule.', 'brp.', 'brp_extras/'];
const REQUEST = /"request"\s*:\s*"[A-Z]+"/;
/** Methods of JSON-RPC here; a simulation of such a name has its functions under the others' names only. */
const OTHERS = /^(?:var|sim)\//;

export class OwnMessages {
  private readonly method: RegExp;
  private readonly functions: string;

  constructor(private readonly source: Source) {
    this.functions = `${source.info.name}/`;
    const starts = [...PREFIXES, this.functions].map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.method = new RegExp(`"method"\\s*:\\s*"(?:${starts.join('|')})`);
  }

  /** A fast look: false only for messages that are surely not the protocol's. */
  mayBe(message: Uint8Array): boolean {
    const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1');
    return this.method.test(text) || REQUEST.test(text);
  }

  /** Whether a message is the protocol's; a batch is when one of its requests is. */
  *isOwn(message: Uint8Array, slice: Slice): Sliced<boolean> {
    let value: unknown;
    try {
      value = yield* parseJsonText(message, slice);
    } catch {
      return false;
    }
    return isProposal(value) || (Array.isArray(value) ? value : [value]).some((request) => this.names(request));
  }

  private names(request: unknown): boolean {
    const method =
      typeof request === 'object' && request !== null ? (request as { method?: unknown }).method : undefined;
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
  !Object.hasOwn(value, 'jsonrpc');
