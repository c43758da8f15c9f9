// One client of any front-end: its name, its outgoing messages, and which frame its next read must show.

import { convertFor, type Rule } from '../../model/state/assign.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import type { Value } from '../../model/state/read.js';
import {
  type Answer,
  NoAnswerError,
  type Request,
  RequestError,
  refusalOf,
  type Source,
  type Write,
} from '../../source/source.js';
import type { Account } from '../scheduling/account.js';
import { demandFrame } from './frame-demand.js';
import type { Outbound } from './outbound.js';
import { toOwnUnits } from './own-units.js';
import { findBeside } from './reference.js';
import { tooMany } from './request-rates.js';

/** What is known of a session: for the list of connections and the log. */
export interface SessionFacts {
  readonly frontEnd: string;
  /** Such as `127.0.0.1:53412`. */
  readonly peer: string;
  readonly transport: string;
  /** The session of the client for which this one was opened, which is listed as one with it. */
  readonly openedBy?: Session;
  /**
   * For a session that the server itself opened: the address of the client whose text it runs, empty for the operator. For
   * one of a group that a client has joined: the client's address.
   */
  readonly owner?: string;
}

/** Characters of the name that a client gives itself. */
const LONGEST_TAG = 200;

/** The name as it is kept: cut. */
export const tagOf = (name: string): string => name.slice(0, LONGEST_TAG);

/** Checkpoints that one client may have written or read at a time. */
const MOST_FILES = 8;

/** Made once: blocks may ask thousands of times, and an error's stack costs more than the rest. */
const TOO_MANY_FILES = new RequestError(
  `a client may have ${MOST_FILES} checkpoints written or read at a time; wait for their answers`,
);

const isFileWork = ({ kind }: Request): boolean => kind === 'checkpoint' || kind === 'load-checkpoint';

type Shared = Extract<Request, { readonly by?: unknown }>;
const SHARED: ReadonlySet<Request['kind']> = new Set<Shared['kind']>([
  'record',
  'frame-log',
  'spawn',
  'insert',
  'declare',
  'resize',
  'name-memory',
  'delete-memory',
  'aim',
  'checkpoint',
  'load-checkpoint',
  'layout',
]);
/** Clients may not make frames of any length. */
const isOfFrames = (request: Request): boolean =>
  request.kind === 'control' && /^(software|freeze)-frame$/.test(request.control.action);
const isShared = (request: Request): request is Shared => SHARED.has(request.kind) || isOfFrames(request);

/** One client, as the server knows it: its subscriptions, its queue of messages, and what it has done. */
export class Session {
  /** The name that the client gave itself. Trick: var_set_client_tag */
  tag = '';
  /** The paths that it is sent repeatedly, as its front-end knows them. */
  reading: () => Iterable<string> = () => [];
  /** Ends the connection of a client that takes none of what it is sent, or may hold no more of it. */
  letGo: (reason: string) => void = () => undefined;
  private unsettled = 0;
  private files = 0;
  /** Resolves when the last checkpoint that is being loaded has been. */
  private loading: Promise<void> | undefined;
  private unanswered: RequestError | undefined;
  private lastAnswer: Promise<void> = Promise.resolve();
  private lookProblem: Error | undefined;

  constructor(
    readonly id: number,
    readonly facts: SessionFacts,
    readonly source: Source,
    readonly account: Account,
    readonly outbound: Outbound,
    private readonly onClose: (session: Session) => void,
  ) {}

  /** Sends a request to the simulation. Reads after `settled` show what it changed. */
  submit(request: Request): Promise<Answer> {
    const sent = this.offer(request);
    return sent instanceof Promise ? sent : Promise.reject(sent);
  }

  /** As `submit`, but returns the error of a request that is refused before it is sent. */
  offer(request: Request): Promise<Answer> | RequestError {
    const refusal = tooMany(this.account, request);
    if (refusal) return refusal;
    if (isFileWork(request) && this.files >= MOST_FILES) return TOO_MANY_FILES;
    return this.settling(this.inOrder(request));
  }

  /** The client for which counts what this session takes of a total that all share. */
  get client(): ClientOrOperator {
    const { owner = this.account.network, openedBy } = this.facts;
    return owner === '' ? 'operator' : { address: owner, session: (openedBy ?? this).id };
  }

  /** Adds who asks to a request that takes from a total for all clients, or may be another's matter. */
  private withClient(request: Request): Request {
    return isShared(request) ? { ...request, by: this.client } : request;
  }

  /** Requests after a checkpoint that is being loaded wait for it, because it would overwrite their effects. */
  private inOrder(request: Request): Promise<Answer> {
    const submit = () => this.source.submit(this.withClient(request));
    if (isFileWork(request)) return this.counted(request, submit);
    return this.loading?.then(submit) ?? submit();
  }

  private counted({ kind }: Request, submit: () => Promise<Answer>): Promise<Answer> {
    this.files++;
    const answer = this.loading?.then(submit) ?? submit();
    const over = (): void => {
      this.files--;
      if (this.loading === ended) this.loading = undefined;
    };
    const ended = answer.then(over, over);
    if (kind === 'load-checkpoint') this.loading = ended;
    return answer;
  }

  /** Makes `settled` wait for an answer. */
  private settling<Settled>(answer: Promise<Settled>): Promise<Settled> {
    this.unsettled++;
    const done = (): void => {
      this.unsettled--;
    };
    const failed = (error: unknown): void => {
      if (error instanceof NoAnswerError) this.unanswered = error;
      done();
    };
    // An early refusal must not hide that an older request is still on its way. What `Promise.all` resolves with would keep
    // one list for each request that came before.
    const before = this.lastAnswer;
    const settled = answer.then(done, failed);
    this.lastAnswer = before.then(() => settled);
    return answer;
  }

  /**
   * Resolves when the latest frame shows all changes that this session has asked for; undefined when it already does.
   */
  get settled(): Promise<unknown> | undefined {
    return this.unsettled > 0 ? this.lastAnswer : undefined;
  }

  /** Why something that this session has asked for was never answered; told once. */
  takeUnanswered(): RequestError | undefined {
    const error = this.unanswered;
    this.unanswered = undefined;
    if (this.lookProblem === error) this.lookProblem = undefined;
    return error;
  }

  /**
   * Asks for a frame with what the latest one does not carry, which a lease holds: look again after `settled`. Throws the
   * RequestError that says why the frame that was asked for before did not come; the next look asks anew.
   */
  look(): void {
    const { lookProblem } = this;
    this.lookProblem = undefined;
    if (lookProblem && this.unanswered === lookProblem) this.unanswered = undefined;
    if (lookProblem) throw lookProblem;
    this.settling(demandFrame(this.source)).catch((error: Error) => {
      this.lookProblem = error;
    });
  }

  /** Throws the RequestError of a source that cannot be written. */
  requireWritable(): void {
    const refusal = refusalOf(this.source, 'write');
    if (refusal) throw refusal;
  }

  /**
   * Checks a value for a variable, in `units` or else in the variable's own. Throws UnknownVariableError,
   * AssignmentError, UnitsError, or the RequestError of a source that cannot be written; each has one sentence.
   */
  prepareWrite(path: string, value: Value, units?: string, rule?: Rule): Write {
    this.requireWritable();
    const variable = findBeside(this.source, path);
    const { version } = this.source.catalog;
    const own = units === undefined ? value : toOwnUnits(variable, value, units);
    return { path: variable.path, value: convertFor(variable, own, rule), catalogVersion: version };
  }

  close(): void {
    this.outbound.close();
    this.account.close();
    this.onClose(this);
  }
}
