// Decides who may connect and what they may do; every endpoint asks here.
import { networkOf } from '../network/network.js';
import type { Clock } from '../scheduling/clock.js';
import { hostOf, isLoopback } from '../transport/address.js';
import type { AddressTrust, Admission, Refusal } from '../transport/front-end.js';
import type { HttpRequest } from '../transport/http-request.js';
import { AllowList } from './allow-list.js';
import { RateLimit } from './rate-limit.js';
import { RequestPolicy, type TokenRights, tokenOf, UNKNOWN_TOKEN } from './request-policy.js';

/** Who may come in. */
export interface TrustOptions {
  /** Address ranges that may connect. Default: every address that can reach the bound address, if that is loopback. */
  readonly allow?: readonly string[];
  /** Bearer tokens for HTTP, and what each may do. With at least one token every request needs one. */
  readonly tokens?: ReadonlyMap<string, TokenRights>;
  /** Names, besides addresses and localhost, that HTTP clients may use for this server. */
  readonly hostNames?: readonly string[];
  /** Origins of other sites' pages that may use this server; `*` for all. */
  readonly corsOrigins?: readonly string[];
  /** HTTP requests per second that one address may make; twice as many may come at once. Default: no limit. */
  readonly requestsPerSecond?: number;
}

const NOT_ALLOWED: Refusal = { status: 403, message: 'this address may not connect' };
const STRANGER: Refusal = {
  status: 403,
  message: 'other machines may come in here only with an allow list or tokens',
};
/** The refusal of a request whose `mayAsk` is false. */
export const TOO_MANY: Refusal = {
  status: 429,
  message: 'this client makes more requests in a second than this server allows',
};
/** Wrong tokens per second that one address may send, or as many as requests; twice as many may come at once. */
const WRONG_TOKENS_PER_SECOND = 10;
/** Nobody guesses a token of so many characters: it is looked at always, so that wrong ones keep no right one out. */
const LONG_TOKEN = 16;
const TOO_MANY_GUESSES: Refusal = {
  status: 429,
  message: 'this address has sent too many wrong tokens; for a second none of fewer than 16 characters is looked at',
};

/** Who may come in: every endpoint asks it before a front-end sees a client. */
export class Trust {
  /** Clients of Trick's protocol may narrow it. */
  readonly allowed: AllowList;
  private readonly policy: RequestPolicy;
  private readonly rate: RateLimit;
  /** Counted apart from requests: behind a proxy others of the address send right ones. */
  private readonly guesses: RateLimit;

  /** @param host the bound main address. Throws a RangeError for an allow list with text that is not a range. */
  constructor(
    private readonly options: TrustOptions,
    host: string,
    readonly clock: Clock,
  ) {
    const { allow, hostNames: hosts = [], corsOrigins = [], tokens = new Map() } = options;
    const { requestsPerSecond = Number.POSITIVE_INFINITY } = options;
    this.allowed = new AllowList(allow);
    this.policy = new RequestPolicy({ hosts, corsOrigins, tokens, isLoopback: isLoopback(host) });
    this.rate = new RateLimit(requestsPerSecond, clock);
    this.guesses = new RateLimit(Math.min(WRONG_TOKENS_PER_SECOND, requestsPerSecond), clock);
  }

  /** Throws one sentence when other machines can reach one of the hosts and the options do not say who may connect. */
  require(hosts: Iterable<string>): void {
    const { tokens, allow } = this.options;
    if (tokens?.size || allow?.length) return;
    const open = [...hosts].find((host) => !isLoopback(host));
    if (open === undefined) return;
    throw new Error(
      `${open} can be reached from other machines: name who may connect with --allow, or give tokens with --token-file`,
    );
  }

  /**
   * The refusal of a peer on another machine, when the options do not say who may connect: for a server of another
   * program, which may be bound to any address.
   */
  refusalOfStranger(peer: string): Refusal | undefined {
    const { tokens, allow } = this.options;
    return tokens?.size || allow?.length || isLoopback(hostOf(peer)) ? undefined : STRANGER;
  }

  /**
   * Whether a peer may use a protocol without tokens: peers on other machines need an allow list.
   * @param peer `127.0.0.1:53412`, IPv6 in brackets.
   * @param trust `local`: only this machine, whatever the allow list says.
   */
  admitsAddress(peer: string, trust: AddressTrust = 'address'): boolean {
    if (!this.allowed.allows(peer)) return false;
    return (trust === 'address' && (this.options.allow?.length ?? 0) > 0) || isLoopback(hostOf(peer));
  }

  /**
   * The refusal of an address that may not connect at all. It ignores ranges that clients of Trick's protocol have
   * added: those narrow Trick's protocol only, so that no client can lock out a watchdog.
   */
  refusalOf(peer: string): Refusal | undefined {
    return this.allowed.isWithin(peer) ? undefined : NOT_ALLOWED;
  }

  /** Checks Host, Origin and token. The endpoint decides how to tell the client about a refusal. */
  admit(request: HttpRequest): Admission | Refusal {
    const client = networkOf(hostOf(request.peer));
    const tooMany = this.refusalOfGuess(client);
    if (tooMany && (tokenOf(request)?.length ?? 0) < LONG_TOKEN) return tooMany;
    const admitted = this.policy.admit(request);
    if (admitted === UNKNOWN_TOKEN) return tooMany ?? this.countGuess(client);
    return 'status' in admitted ? admitted : this.admission(request, admitted);
  }

  /** Why an address may not try one more token now. */
  private refusalOfGuess(client: string): Refusal | undefined {
    return this.guesses.hasLeft(client) ? undefined : TOO_MANY_GUESSES;
  }

  private countGuess(client: string): Refusal {
    this.guesses.take(client);
    return UNKNOWN_TOKEN;
  }

  /** Checks a request that carries no token (a preflight or a watchdog's). It may change nothing. */
  admitWithoutToken(request: HttpRequest): Admission | Refusal {
    const admitted = this.policy.admitOrigin(request);
    return 'status' in admitted ? admitted : this.admission(request, { mayChange: false, ...admitted });
  }

  /** Headers that let a page of an allowed origin read an answer, whatever the answer is. */
  pageHeaders(request: HttpRequest): Admission['headers'] {
    const admitted = this.policy.admitOrigin(request);
    return 'status' in admitted ? {} : admitted.headers;
  }

  private admission({ peer }: HttpRequest, admitted: Omit<Admission, 'mayAsk'>): Admission {
    const client = networkOf(hostOf(peer));
    return { ...admitted, mayAsk: () => this.rate.take(client) };
  }
}
