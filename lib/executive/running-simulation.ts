// A simulation that has been built: its state, executive, pacing and functions, and the turn that drives them.
import type { FrameHeader, Reason } from '../frame/header.js';
import { Mode, Reason as Reasons } from '../frame/header.js';
import { Catalog } from '../model/catalog.js';
import { State } from '../model/state.js';
import { applyRequest, type Controlled } from './apply.js';
import { Executive } from './executive.js';
import { Pacer } from './pacer.js';
import { type Layout, Publisher } from './publisher.js';
import { type Answer, type Request, RequestError } from './request.js';
import type { JobOptions, Sim, SimFunction, SimulationDefinition } from './simulation.js';
import { addTrickObjects, type CommandLineFacts } from './trick-objects.js';

const TICS_PER_SECOND = 1_000_000;

/** A request's outcome: an answer, or the sentence that refuses it. */
export type Outcome = Answer | { readonly error: string };

export interface RunningEvents {
  readonly layout: (layout: Layout) => void;
  /** A frame is in the ring. */
  readonly poke: () => void;
  readonly say: (level: 'normal' | 'informational' | 'warning' | 'error', text: string, timeSeconds: number) => void;
  readonly ended: (reason: string) => void;
}

export interface RunningOptions {
  readonly facts: CommandLineFacts;
  readonly arguments: readonly string[];
  /** Milliseconds from any fixed point. */
  readonly nowMillis: () => number;
}

interface Pending {
  readonly request: Request;
  readonly respond: (outcome: Outcome) => void;
}

export class RunningSimulation implements Controlled {
  readonly state = new State();
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly functions = new Map<string, SimFunction>();
  readonly nowMillis: () => number;
  private readonly publisher: Publisher;
  private readonly pending: Pending[] = [];
  private nextFreezeMillis = 0;
  private knownCatalog: Catalog | undefined;
  private endReason = 'the simulation has reached its terminate time';
  private hasEnded = false;

  private constructor(
    private readonly definition: SimulationDefinition,
    private readonly options: RunningOptions,
    private readonly events: RunningEvents,
  ) {
    const { frame, freezeFrame = 1, terminateTime = Number.POSITIVE_INFINITY, realTime = true } = definition.options;
    this.nowMillis = options.nowMillis;
    this.executive = new Executive(
      { softwareFrameSeconds: frame, freezeFrameSeconds: freezeFrame, terminateSeconds: terminateTime, ticsPerSecond: TICS_PER_SECOND },
      { publish: (reason) => this.publish(reason), failed: (error) => this.say(`${error.message}; the simulation is frozen`, 'error') },
    );
    this.pacer = new Pacer(TICS_PER_SECOND, realTime);
    this.publisher = new Publisher(this.state, events);
  }

  /** Builds the simulation and publishes its first frame. Rejects with what the definition's build throws. */
  static async start(definition: SimulationDefinition, options: RunningOptions, events: RunningEvents): Promise<RunningSimulation> {
    const running = new RunningSimulation(definition, options, events);
    await definition.build(running.builder());
    addTrickObjects(running.state, running.executive, running.pacer, options.facts);
    running.restartPacing();
    running.executive.start(definition.options.startFrozen ? Mode.freeze : Mode.run);
    running.nextFreezeMillis = options.nowMillis() + running.freezeFrameMillis;
    return running;
  }

  get catalog(): Catalog {
    if (this.knownCatalog?.version !== this.state.version) {
      this.knownCatalog = new Catalog(this.state.describe());
    }
    return this.knownCatalog as Catalog;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  /** Queues a request for the start of the next turn. */
  submit(request: Request, respond: (outcome: Outcome) => void): void {
    this.pending.push({ request, respond });
  }

  /**
   * Applies what has been asked for, then runs at most one frame if it is due.
   * @returns milliseconds until the next frame is due; 0 for at once.
   */
  turn(): number {
    if (this.pending.length > 0) this.applyPending();
    if (this.executive.mode === Mode.exit) return this.finish();
    const waitMillis = this.executive.mode === Mode.freeze ? this.turnFrozen() : this.turnRunning();
    return (this.executive.mode as Mode) === Mode.exit ? this.finish() : waitMillis;
  }

  /** Ends the run at the end of this turn. */
  end(reason: string): void {
    this.endReason = reason;
    this.executive.exit();
  }

  /** Counts real time from now, after a freeze for example. */
  restartPacing(): void {
    this.pacer.restart(this.nowMillis(), this.executive.timeTics);
  }

  say(text: string, level: 'normal' | 'informational' | 'warning' | 'error' = 'normal'): void {
    this.events.say(level, text, this.executive.timeSeconds);
  }

  private get freezeFrameMillis(): number {
    return (1000 * this.executive.freezeFrameTics) / TICS_PER_SECOND;
  }

  private turnRunning(): number {
    const { executive, pacer } = this;
    const now = this.nowMillis();
    const waitMillis = pacer.dueMillis(executive.timeTics) - now;
    if (waitMillis > 0) return waitMillis;
    pacer.started(now, executive.timeTics);
    executive.runTick();
    const after = this.nowMillis();
    pacer.ended(after, executive.timeTics);
    this.nextFreezeMillis = after + this.freezeFrameMillis;
    return Math.max(0, pacer.dueMillis(executive.timeTics) - after);
  }

  private turnFrozen(): number {
    const now = this.nowMillis();
    if (now >= this.nextFreezeMillis) {
      this.executive.runFreezeFrame();
      this.nextFreezeMillis = Math.max(this.nextFreezeMillis + this.freezeFrameMillis, now);
    }
    return Math.max(0, this.nextFreezeMillis - this.nowMillis());
  }

  /** All waiting requests share one frame that shows them. */
  private applyPending(): void {
    const modeBefore = this.executive.mode;
    const applied = this.pending.splice(0).map(({ request, respond }) => ({ respond, outcome: this.apply(request) }));
    if (this.executive.mode === Mode.freeze && modeBefore !== Mode.freeze) {
      this.nextFreezeMillis = this.nowMillis() + this.freezeFrameMillis;
    }
    if (applied.some(({ outcome }) => outcome.isChange)) this.publish(Reasons.request);
    const frame = this.publisher.frameNumber;
    for (const { respond, outcome } of applied) respond('error' in outcome ? { error: outcome.error } : answerOf(frame, outcome.value));
  }

  private apply(request: Request): { readonly isChange: boolean; readonly value?: Answer['value'] } | { readonly isChange: false; readonly error: string } {
    try {
      const value = applyRequest(this, request);
      return { isChange: request.kind !== 'schedule', ...(value === undefined ? {} : { value }) };
    } catch (error) {
      if (!(error instanceof RequestError)) this.say(`a request failed: ${(error as Error).stack}`, 'error');
      return { isChange: false, error: (error as Error).message };
    }
  }

  private finish(): number {
    if (!this.hasEnded) {
      this.hasEnded = true;
      this.publish(Reasons.request);
      this.events.ended(this.endReason);
    }
    return Number.POSITIVE_INFINITY;
  }

  private publish(reason: Reason): void {
    this.publisher.publish(this.headerFacts(), reason);
  }

  private headerFacts(): Omit<FrameHeader, 'number' | 'reason' | 'catalogVersion'> {
    const { executive } = this;
    const { clock } = this.definition.options;
    return {
      tick: executive.tick,
      timeTics: executive.timeTics,
      ticsPerSecond: TICS_PER_SECOND,
      mode: executive.mode,
      frameCount: executive.frameCount,
      freezeFrameCount: executive.freezeFrameCount,
      freezeTimeTics: executive.freezeTimeTics,
      softwareFrameTics: executive.softwareFrameTics,
      clockSeconds: clock ? clock.seconds(executive.timeSeconds) : executive.timeSeconds,
      wallMillis: Date.now(),
    };
  }

  private builder(): Sim {
    const { executive, state } = this;
    return {
      arguments: this.options.arguments,
      get timeSeconds() {
        return executive.timeSeconds;
      },
      object: (name, options) => state.addObject(name, options),
      removeObject: (name) => state.removeObject(name),
      job: (periodSeconds, run, options) => this.addJob(periodSeconds, run, options),
      function: (name, call, { about = '' } = {}) => {
        this.functions.set(name, call);
        state.addFunction({ name, about });
      },
      say: (text, level) => this.say(text, level),
      freeze: () => executive.freeze(),
      run: () => executive.run(),
      stop: () => this.end('stopped by the simulation'),
    };
  }

  private addJob(periodSeconds: number, run: (deltaSeconds: number) => void, options: JobOptions = {}): void {
    const periodTics = this.executive.toTics(periodSeconds);
    if (!(periodTics >= 1)) throw new RangeError(`a job needs a period in seconds from 1e-6 up, not ${periodSeconds}`);
    const name = options.name ?? (run.name || 'without a name');
    this.executive.jobs.add({ name, periodTics, run }, this.executive.timeTics + this.executive.toTics(options.phase ?? 0));
  }
}

const answerOf = (frame: number, value: Answer['value']): Answer => (value === undefined ? { frame } : { frame, value });
