// A simulation on another thread as a source: frames through shared memory, everything else through messages.

import type { Frame } from '../model/frame/reader.js';
import type { Catalog } from '../model/state/catalog.js';
import type { Figures } from '../model/state/fair-share.js';
import { thrownStack, thrownText } from '../model/state/thrown.js';
import type { JobPlace } from '../simulation/executive/job-classes.js';
import type { JobTime, Vitals } from '../simulation/executive/vitals.js';
import { ALL_ABILITIES } from './abilities.js';
import { AnswerPace } from './answer-pace.js';
import { FrameDelivery } from './frame-delivery.js';
import type { FromSimulation, ToSimulation } from './protocol.js';
import {
  type Abilities,
  type Answer,
  type FrameListener,
  type LogLevel,
  NoAnswerError,
  type PlaybackState,
  type Request,
  RequestError,
  refusalOfRequest,
  type SimMessage,
  type Source,
  type SourceInfo,
  type Unsubscribe,
} from './source.js';
import { cpuSecondsOf } from './this-thread.js';
import { TypeUnpacker } from './type-numbers.js';

const MOST_UNHEARD = 100;

interface PendingAnswer {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class RemoteSource implements Source {
  private readonly delivery: FrameDelivery;
  private readonly types = new TypeUnpacker();
  private readonly waiting = new Map<number, PendingAnswer>();
  private readonly pace = new AnswerPace();
  private readonly messageListeners = new Set<(message: SimMessage) => void>();
  /** What was said before anybody listened. */
  private readonly unheard: SimMessage[] = [];
  private readonly endListeners = new Set<(reason: string, exitCode: number) => void>();
  private lastId = 0;
  private knownInfo: SourceInfo | undefined;
  /** Until the abilities are known, the simulation's thread refuses what it cannot do. */
  private knownAbilities = ALL_ABILITIES;
  private endReason: string | undefined;
  private frozenBy: string | undefined;
  private silence: string | undefined;
  private standstill: string | undefined;
  private exitCode = 0;
  private closing: Promise<void> | undefined;
  private readonly start = deferred<void>();

  /**
   * @param send sends a message to the simulation's thread and wakes it.
   * @param stop ends that thread, after it has been told to close.
   * @param isOnDemand while nobody listens, reads frames only when they are asked for.
   * @param vitals where that thread records what it is doing.
   * @param nowMillis by which the delivery of frames gives way.
   */
  constructor(
    private readonly send: (message: ToSimulation) => void,
    private readonly stop: () => Promise<void>,
    isOnDemand = false,
    private readonly vitals?: Vitals,
    nowMillis?: () => number,
  ) {
    const failed = (error: unknown) =>
      this.tell('error', `a listener failed: ${thrownStack(error) || thrownText(error)}`);
    this.delivery = new FrameDelivery(failed, isOnDemand, nowMillis);
  }

  /** Resolves when the first frame has come; rejects with the sentence why the simulation did not start. */
  get started(): Promise<void> {
    return this.start.promise;
  }
  get info(): SourceInfo {
    if (!this.knownInfo) throw new Error('the source has not started yet');
    return this.knownInfo;
  }
  get abilities(): Abilities {
    return this.knownAbilities;
  }
  get catalog(): Catalog {
    return this.delivery.catalog;
  }
  get frame(): Frame {
    return this.delivery.frame;
  }
  get lapped(): number {
    return this.delivery.lapped;
  }
  get skipped(): number {
    return this.delivery.skipped;
  }
  get fault(): string | undefined {
    return this.silence ?? this.standstill ?? this.frozenBy;
  }
  get playback(): PlaybackState | undefined {
    return undefined;
  }
  get requestOverruns(): number {
    return this.vitals?.requestOverruns ?? 0;
  }
  get shared(): ReadonlyMap<string, Readonly<Figures>> {
    return this.vitals?.shared ?? new Map();
  }
  get jobs(): readonly JobTime[] {
    return this.vitals?.jobs ?? [];
  }
  get cpuSeconds(): number | undefined {
    const thread = this.vitals?.thread;
    return thread === undefined ? undefined : cpuSecondsOf(thread);
  }
  get schedule(): readonly JobPlace[] {
    return this.vitals?.schedule ?? [];
  }

  /** The cycles in seconds of simulation time on which frames are read; 0 for each frame. */
  protected get readCycles(): Iterable<number> {
    return this.delivery.leases.cycleSeconds;
  }

  onFrame(listener: FrameListener): Unsubscribe {
    return this.delivery.onFrame(listener);
  }

  onMessage(listener: (message: SimMessage) => void): Unsubscribe {
    this.messageListeners.add(listener);
    const before = this.unheard.splice(0);
    // When those who listen to this listener are there, too.
    if (before.length > 0) setImmediate(() => before.forEach(listener));
    return () => this.messageListeners.delete(listener);
  }

  onEnd(listener: (reason: string, exitCode: number) => void): Unsubscribe {
    if (this.endReason !== undefined) listener(this.endReason, this.exitCode);
    else this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  submit(request: Request): Promise<Answer> {
    if (this.endReason !== undefined)
      return Promise.reject(new RequestError(`the simulation has ended: ${this.endReason}`));
    const refusal = refusalOfRequest(this, request);
    if (refusal) return Promise.reject(refusal);
    if (this.silence !== undefined) return Promise.reject(new RequestError(this.silence));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ kind: 'request', id, request });
    });
  }

  past(number: number, object?: string): Frame | undefined {
    return this.delivery.past(number, object);
  }

  /**
   * Refuses waiting requests with the sentence while a turn of the thread does not end; undefined when it continues.
   */
  setSilence(sentence: string | undefined): void {
    this.tellChange(this.silence, sentence);
    this.silence = sentence;
    if (sentence === undefined || this.waiting.size === 0) return;
    this.send({ kind: 'forget' });
    for (const { reject } of this.waiting.values()) reject(new NoAnswerError(sentence));
    this.waiting.clear();
  }

  /** Notes that no frame comes although the simulation runs; undefined when frames come again. */
  setStandstill(sentence: string | undefined): void {
    this.tellChange(this.standstill, sentence);
    this.standstill = sentence;
  }

  private tellChange(before: string | undefined, now: string | undefined): void {
    if (before === undefined && now !== undefined) this.tell('error', now);
    else if (before !== undefined && now === undefined) this.tell('warning', 'the simulation goes on');
  }

  /** Closes the source; a second call waits for the first. */
  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    this.send({ kind: 'close' });
    await this.stop();
    this.end('the server is closing');
  }

  /** Takes a message from the simulation's thread. */
  receive(message: FromSimulation): void {
    switch (message.kind) {
      case 'poke':
        this.delivery.framesCame();
        break;
      case 'layout':
        this.delivery.enter(this.types.unpack(message.layout));
        break;
      case 'outcome':
        this.settle(message.id, message.outcome);
        break;
      case 'fault':
        this.frozenBy = message.reason;
        break;
      case 'message':
        if (this.messageListeners.size === 0 && this.unheard.length < MOST_UNHEARD) this.unheard.push(message.message);
        for (const listener of this.messageListeners) listener(message.message);
        break;
      case 'ready':
        this.knownInfo = message.info;
        this.knownAbilities = message.abilities;
        this.delivery.drain();
        this.start.resolve();
        break;
      case 'failed':
        this.end(message.error, 1);
        break;
      case 'ended':
        this.delivery.finish();
        this.end(message.reason, message.exitCode);
        break;
    }
  }

  /** Ends the source when the simulation is gone; all waiting requests are refused. */
  end(reason: string, exitCode = 0): void {
    if (this.endReason !== undefined) return;
    this.endReason = reason;
    this.exitCode = exitCode;
    this.start.reject(new Error(reason));
    for (const { reject } of this.waiting.values()) reject(new RequestError(`the simulation has ended: ${reason}`));
    this.waiting.clear();
    for (const listener of this.endListeners) listener(reason, exitCode);
  }

  private settle(id: number, outcome: Answer | { readonly error: string }): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    // The frame that shows the answer is in the ring, though the message about it may still be on its way.
    this.delivery.drain();
    this.pace.pass(() => {
      if ('error' in outcome) waiting?.reject(new RequestError(outcome.error));
      else this.delivery.whenDelivered(outcome.frame, () => waiting?.resolve(outcome));
    });
  }

  private tell(level: LogLevel, text: string): void {
    for (const listener of this.messageListeners) listener({ level, text, timeSeconds: this.frame.timeSeconds });
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // A source may end although nobody waits for its start.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
