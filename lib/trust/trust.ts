// Who may come in, and what they may do: the one place that every endpoint asks.
import type { Clock } from '../session/clock.js';
import { hostOf, isLoopback } from '../transport/address.js';
import type { AddressTrust, Admission, Refusal } from '../transport/front-end.js';
import type { HttpRequest } from '../transport/http-request.js';
import { AllowList } from './allow-list.js';
import { RateLimit } from './rate-limit.js';
import { RequestPolicy, type TokenRights, UNKNOWN_TOKEN } from './request-policy.js';

export interface TrustOptions {
  /** Address ranges that may connect. Default: all that can reach the bound address, if that is loopback. */
  readonly allow?: readonly string[];
  /** Bearer tokens for HTTP, and what each may do. With any token here every request needs one. */
  readonly tokens?: ReadonlyMap<string, TokenRights>;
  /** Names by which HTTP clients may call this server, besides addresses and localhost. */
  readonly hostNames?: readonly string[];
  /** Origins of web pages elsewhere that may use this server; `*` for all. */
  readonly corsOrigins?: readonly string[];
  /** HTTP requests that one address may make in a second. Default: no limit. */
  readonly requestsPerSecond?: number;
}

const NOT_ALLOWED: Refusal = { status: 403, message: 'this address may not connect' };
/** Of a request whose admission may not ask. */
export const TOO_MANY: Refusal = {
  status: 429,
  message: 'this client makes more requests in a second than this server allows',
};
/** Wrong tokens of an address in a second; twice as many may come at once. */
const WRONG_TOKENS_PER_SECOND = 10;
const TOO_MANY_GUESSES: Refusal = {
  status: 429,
  message: 'this address has sent too many wrong tokens; for a second none is looked at',
};

export class Trust {
  /** Clients of Trick's protocol may narrow it. */
  readonly allowed: AllowList;
  private readonly policy: RequestPolicy;
  private readonly rate: RateLimit;
  private readonly guesses: RateLimit;

  /** @param host the main address that is bound. Throws a RangeError for an allow list that holds no ranges. */
  constructor(
    private readonly options: TrustOptions,
    host: string,
    readonly clock: Clock,
  ) {
    const { allow, hostNames: hosts = [], corsOrigins = [], tokens = new Map(), requestsPerSecond } = options;
    this.allowed = new AllowList(allow);
    this.policy = new RequestPolicy({ hosts, corsOrigins, tokens, isLoopback: isLoopback(host) });
    this.rate = new RateLimit(requestsPerSecond ?? Number.POSITIVE_INFINITY, clock);
    this.guesses = new RateLimit(WRONG_TOKENS_PER_SECOND, clock);
  }

  /** Throws one sentence when other machines reach one of the hosts and nothing says who may come. */
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
   * Whether a peer may speak a protocol that carries no token: from other machines only an allow list lets anybody in.
   * @param peer `127.0.0.1:53412`, IPv6 in brackets.
   * @param trust `local`: only this machine, whatever the allow list says.
   */
  admitsAddress(peer: string, trust: AddressTrust = 'address'): boolean {
    if (!this.allowed.allows(peer)) return false;
    return (trust === 'address' && (this.options.allow?.length ?? 0) > 0) || isLoopback(hostOf(peer));
  }

  /**
   * The refusal of an address that may not connect at all, whatever it sends. What clients of Trick's protocol narrow is
   * that protocol: they lock nobody else out, a watchdog least of all.
   */
  refusalOf(peer: string): Refusal | undefined {
    return this.allowed.isWithin(peer) ? undefined : NOT_ALLOWED;
  }

  /** Looks at Host, Origin and token; what a refusal means to the client is for the endpoint to say. */
  admit(request: HttpRequest): Admission | Refusal {
    const client = hostOf(request.peer);
    if (!this.guesses.hasLeft(client)) return TOO_MANY_GUESSES;
    const admitted = this.policy.admit(request);
    if (admitted === UNKNOWN_TOKEN) this.guesses.take(client);
    return 'status' in admitted ? admitted : this.admission(request, admitted);
  }

  /** The same without a token, for those who never carry one: preflights and watchdogs. It may change nothing. */
  admitWithoutToken(request: HttpRequest): Admission | Refusal {
    const admitted = this.policy.admitOrigin(request);
    return 'status' in admitted ? admitted : this.admission(request, { mayChange: false, ...admitted });
  }

  private admission({ peer }: HttpRequest, admitted: Omit<Admission, 'mayAsk'>): Admission {
    const client = hostOf(peer);
    return { ...admitted, mayAsk: () => this.rate.take(client) };
  }
}
