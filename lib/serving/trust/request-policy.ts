// Decides who may make a request, by its Host, Origin and token.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isNameOf } from '../transport/address.js';
import type { Admission, Refusal } from '../transport/front-end.js';
import type { HttpRequest } from '../transport/http-request.js';

export type TokenRights = 'read-only' | 'read-write';

interface PolicyOptions {
  /** Names, besides IP addresses, localhost and this machine's own name, that clients may use for this server. */
  readonly hosts: readonly string[];
  /** Whether only loopback is bound: then only loopback names may be used. */
  readonly isLoopback: boolean;
  /** Origins of other sites' pages that may use this server; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** With at least one token, every request needs one: `Authorization: Bearer` or `?token=`. */
  readonly tokens: ReadonlyMap<string, TokenRights>;
}

/** What a request may do, and the headers of its answer. */
type Admitted = Omit<Admission, 'mayAsk'>;

/** The refusal of an unknown token, which may be a guess. */
export const UNKNOWN_TOKEN: Refusal = { status: 401, message: 'this server does not know that token' };

const digest = (token: string): string => createHash('sha256').update(token).digest('base64');

export class RequestPolicy {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;
  /** By digest, so that the time of a look-up reveals nothing about a token. */
  private readonly rights: ReadonlyMap<string, TokenRights>;
  private readonly isLoopback: boolean;

  constructor({ hosts, isLoopback, corsOrigins, tokens }: PolicyOptions) {
    this.hosts = new Set(hosts.map((host) => host.toLowerCase()));
    this.origins = new Set(corsOrigins);
    this.rights = new Map([...tokens].map(([token, rights]) => [digest(token), rights]));
    this.isLoopback = isLoopback;
  }

  /** Checks Host and Origin, then the token. */
  admit(request: HttpRequest): Admitted | Refusal {
    const origin = this.admitOrigin(request);
    if ('status' in origin) return origin;
    const mayChange = this.admitToken(request);
    return typeof mayChange === 'object' ? mayChange : { mayChange, headers: origin.headers };
  }

  /** Checks only Host and Origin, for a preflight, which never carries a token. */
  admitOrigin(request: HttpRequest): Pick<Admitted, 'headers'> | Refusal {
    const host = request.host?.toLowerCase();
    if (host !== undefined && !this.isOwnName(nameOf(host))) {
      const message = `this server is not called ${JSON.stringify(nameOf(host))}; name it with --host-name if it is`;
      return { status: 403, message };
    }
    const { origin } = request.headers;
    if (origin === undefined) return { headers: {} };
    const isAllowed = this.origins.has(origin) || this.origins.has('*');
    if (!isAllowed && hostOfOrigin(origin) !== host) {
      return { status: 403, message: `pages from ${origin} may not use this server; allow them with --cors ${origin}` };
    }
    if (!isAllowed) return { headers: {} };
    const exposed = 'varwire-subscription-id, varwire-effective-cycle-ms';
    const headers = {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      vary: 'origin',
    };
    return { headers };
  }

  /**
   * Whoever owns a name can make it point at loopback (DNS rebinding); that cannot be done with an address, and this
   * machine's own name is nobody else's.
   */
  private isOwnName(name: string): boolean {
    if (name === 'localhost' || isNameOf(hostname(), name) || this.hosts.has(name)) return true;
    if (/^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]') return true;
    return !this.isLoopback && (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name));
  }

  private admitToken(request: HttpRequest): boolean | Refusal {
    if (this.rights.size === 0) return true;
    const token = tokenOf(request);
    if (token === undefined) {
      return { status: 401, message: 'this server needs a token: Authorization: Bearer TOKEN, or ?token=TOKEN' };
    }
    const rights = this.rights.get(digest(token));
    return rights ? rights === 'read-write' : UNKNOWN_TOKEN;
  }
}

/** The token that a request carries. */
export function tokenOf({ headers, query }: Pick<HttpRequest, 'headers' | 'query'>): string | undefined {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  return (bearer ?? query.get('token') ?? undefined)?.trim();
}

/** The name in a Host header, without the port. */
const nameOf = (host: string): string => host.replace(/:\d*$/, '');

function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
