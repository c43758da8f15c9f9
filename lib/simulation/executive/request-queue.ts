// Applies clients' requests between ticks, in arrival order, for a short time per tick.

import { Mode } from '../../model/frame/header.js';
import type { Value } from '../../model/state/read.js';
import { isThrown, thrownStack, thrownText } from '../../model/state/thrown.js';
import { StalePlanError } from '../checkpoint/plan.js';
import { applyRequest, type Controlled, type Finish, Later } from './apply.js';
import { isFrameSoon } from './frame-soon.js';
import { type Answer, type Control, FunctionError, type Request, RequestError, type ServerControl } from './request.js';
import { loadInto, type Preparation, StateCopy } from './state-copy.js';
import { refused, WritePlan } from './write.js';

/** A request's outcome: an answer, or the sentence that refuses it. */
export type Outcome = Answer | { readonly error: string };

/** How long requests may delay the next frame; the other requests wait until after it. */
export const SLICE_MILLIS = 2;
/** After the end of the run, no frame waits: what was asked before is carried out for this long. */
export const LAST_SLICE_MILLIS = 100;
/** How often a checkpoint is read again when the state's objects change meanwhile. */
const MOST_TRIES = 5;
/** Control actions that no frame shows. */
const UNSEEN: ReadonlySet<(Control | ServerControl)['action']> = new Set(['hold', 'let-go']);

/** Whether a frame must show what a request did. */
const isSeen = (request: Request): boolean => {
  if (request.kind === 'control') return !UNSEEN.has(request.control.action);
  return request.kind === 'record' ? request.control.action !== 'mark' : request.kind !== 'schedule';
};

/** A request of more writes is made ready in slices before it is carried out at once. */
const MANY_WRITES = 64;

interface Pending {
  readonly request: Request;
  readonly plan?: WritePlan | undefined;
  /** The copy of the state that it begins with, or that comes of it. */
  readonly copy?: Preparation | undefined;
  readonly respond: (outcome: Outcome) => void;
  /** The end of the request, when its slow part is done. */
  readonly finish?: Finish;
  /** How often it has been begun. */
  readonly tries?: number;
}

/** Whether a request can be carried out now, or is refused then. */
function isReady({ plan, copy }: Pending, isOver: () => boolean): boolean {
  try {
    return (plan ?? copy)?.prepare(isOver) ?? true;
  } catch {
    return true;
  }
}

interface Applied {
  readonly isChange: boolean;
  /** Whether it only asks for a frame. */
  readonly isLook: boolean;
  /** @param frame number of the frame that shows it. */
  readonly outcome: (frame: number) => Outcome;
}

type Answerable = Applied & Pick<Pending, 'respond'>;

export class RequestQueue {
  private pending: Pending[] = [];
  /** Those who have asked for a frame only, and get the next one. */
  private looking: Answerable[] = [];

  /** @param publish makes a frame that shows what was done. */
  constructor(
    private readonly running: Controlled,
    private readonly publish: () => void,
  ) {}

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  add(request: Request, respond: (outcome: Outcome) => void): void {
    const isLong = request.kind === 'write' && request.writes.length > MANY_WRITES;
    const plan = isLong ? new WritePlan(this.running, request) : undefined;
    this.pending.push({ request, respond, plan, copy: this.copyFor(request) });
  }

  private copyFor(request: Request): Preparation | undefined {
    if (request.kind === 'checkpoint') return new StateCopy(this.running, request.by);
    return request.kind === 'load-checkpoint' ? loadInto(this.running.state) : undefined;
  }

  /** Whether nothing can be done before the next frame. */
  get isIdle(): boolean {
    const [first] = this.pending;
    return !first || (first.copy?.waitsForFrame ?? false);
  }

  /** Whether a request waits for memory that is made ready, or behind others. */
  get isPreparing(): boolean {
    return this.pending.some(({ copy }) => copy !== undefined);
  }

  /** Drops all requests without an answer; what has been begun is still ended. */
  clear(): void {
    const begun = this.pending.filter(({ finish }) => finish);
    this.pending = begun.map((one) => ({ ...one, respond: () => undefined }));
    this.looking = [];
  }

  /** Answers those who have asked for a frame only: it is there. */
  published(frame: number): void {
    const { looking } = this;
    this.looking = [];
    for (const { respond, outcome } of looking) respond(outcome(frame));
  }

  /**
   * Carries out waiting requests until the slice is over; all of them are shown by one frame.
   * @param latestFrame number of the latest frame.
   * @returns how many milliseconds it took.
   */
  apply(latestFrame: () => number): number {
    const { nowMillis } = this.running;
    const startMillis = nowMillis();
    const applied: Answerable[] = [];
    const isOver = () => nowMillis() - startMillis >= this.sliceMillis;
    for (let next = this.nextReady(isOver); next; next = isOver() ? undefined : this.nextReady(isOver)) {
      if (next === this.pending[0]) this.pending.shift();
      else this.pending.splice(this.pending.indexOf(next), 1);
      const done = this.applyOne(next);
      if (done) applied.push({ ...done, respond: next.respond });
    }
    if (applied.length > 0 && applied.every(({ isLook }) => isLook)) this.looking.push(...applied.splice(0));
    const mustShow = this.looking.length > 0 && !isFrameSoon(this.running);
    const isPublished = mustShow || applied.some(({ isChange }) => isChange);
    if (isPublished) this.publish();
    const frame = latestFrame();
    if (isPublished) this.published(frame);
    for (const { respond, outcome } of applied) respond(outcome(frame));
    return nowMillis() - startMillis;
  }

  /** While the first waits to copy the state, new holds pass: a tick must know what it waits for. */
  private nextReady(isOver: () => boolean): Pending | undefined {
    const [first] = this.pending;
    if (!first || isReady(first, isOver)) return first;
    return first.copy && this.pending.find(({ request }) => this.passes(request));
  }

  /** What ends or moves a hold stays behind what was asked before, which the held tick waits for. */
  private passes(request: Request): boolean {
    if (request.kind !== 'control') return request.kind === 'schedule';
    const { control } = request;
    return control.action === 'hold' && !this.running.holds.has(control.id);
  }

  private get sliceMillis(): number {
    return this.running.executive.mode === Mode.exit ? LAST_SLICE_MILLIS : SLICE_MILLIS;
  }

  /** Undefined when the answer comes later. */
  private applyOne({ request, plan, respond, finish, tries = 0 }: Pending): Applied | undefined {
    try {
      const value = finish ? refused(finish) : plan ? plan.apply() : applyRequest(this.running, request);
      if (value instanceof Later) {
        refused(() => value.start((end) => this.pending.push({ request, respond, finish: end, tries: tries + 1 })));
        return undefined;
      }
      // The answer of a request that ended later has only the frame.
      const answered = value as Value | undefined;
      const outcome = (frame: number) => (answered === undefined ? { frame } : { frame, value: answered });
      return { isChange: isSeen(request), isLook: request.kind === 'look', outcome };
    } catch (error) {
      const isStale = isThrown((error as Error).cause, StalePlanError);
      if (isStale && tries < MOST_TRIES) return this.applyOne({ request, respond, tries });
      if (!(error instanceof RequestError)) this.running.say(`a request failed: ${thrownStack(error)}`, 'error');
      return {
        isChange: error instanceof FunctionError,
        isLook: false,
        outcome: () => ({ error: thrownText(error) }),
      };
    }
  }
}
