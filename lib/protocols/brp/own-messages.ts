// Tells the protocol's messages from those of JSON-RPC, which come to the same port.

import type { Source } from '../../source/source.js';
import { parseJson } from '../json-rpc/json-text.js';
import { RpcError } from '../json-rpc/rpc-error.js';

const PREFIXES = ['world.', 'bevy/', 'registry.', 'schedule.', 'brp.', 'brp_extras/'];
const REQUEST = /^"request"\s*:\s*"[A-Z]/;
/**
 * Methods of JSON-RPC on the same port; a simulation called `var` or `sim` has its functions under the other names
 * only.
 */
const OTHERS = /^(?:var|sim)\//;

/** Characters that are looked at from a member's name on, besides the first word of a method. */
const WINDOW = 64;
/** The most members that are looked at: a batch has no more requests. */
const MOST_LOOKS = 1000;
/** A member whose value begins beyond the window. */
const CUT_OFF = /^"\w+"\s*:?\s*$/;

export class OwnMessages {
  private readonly method: RegExp;
  private readonly functions: string;
  private readonly window: number;

  constructor(private readonly source: Source) {
    this.functions = `${source.info.name}/`;
    const starts = [...PREFIXES, this.functions].map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.method = new RegExp(`^"method"\\s*:\\s*"(?:${starts.join('|')})`);
    this.window = WINDOW + this.functions.length;
  }

  /** A fast look: false only for messages that are surely not the protocol's. */
  mayBe(message: Uint8Array): boolean {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    return this.mayHave(bytes, '"method"', this.method) || this.mayHave(bytes, '"request"', REQUEST);
  }

  /**
   * Whether a member may have a value that fits. Looks at a bounded number of members; a message of a megabyte takes
   * about a millisecond.
   */
  private mayHave(bytes: Buffer, member: string, pattern: RegExp): boolean {
    let looks = 0;
    for (let at = bytes.indexOf(member); at >= 0; at = bytes.indexOf(member, at + member.length)) {
      const text = bytes.toString('latin1', at, at + this.window);
      if (pattern.test(text) || CUT_OFF.test(text) || looks++ > MOST_LOOKS) return true;
    }
    return false;
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
  !Object.hasOwn(value, 'jsonrpc') &&
  !Object.hasOwn(value, 'method');
