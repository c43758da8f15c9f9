// A simulation that has been built: its state, executive, pacing and functions, and the turn that drives them.

import { Mode, type Reason, Reason as Reasons } from '../../model/frame/header.js';
import type { Catalog } from '../../model/state/catalog.js';
import { type Desk, deskHere } from '../checkpoint/desk.js';
import { DiskQuota } from '../files/disk-quota.js';
import { RunDirectory } from '../files/run-directory.js';
import type { FrameLog } from '../recording/frame-log.js';
import { Recording } from '../recording/recording.js';
import type { Controlled } from './apply.js';
import { builder } from './builder.js';
import { Conditions } from './conditions.js';
import { CurrentCatalog } from './current-catalog.js';
import { DeclaredUnits } from './declared-units.js';
import { Executive } from './executive.js';
import { executiveOptions, pacerOf, TICS_PER_SECOND } from './executive-options.js';
import { Faults } from './faults.js';
import { headerOf } from './frame-header.js';
import { FreezeFrames } from './freeze-frames.js';
import type { RegisteredFunction } from './functions.js';
import { holdsOf } from './holds.js';
import { JobTimes } from './job-times.js';
import { addJobVariables } from './job-variables.js';
import type { LogLevel } from './log-level.js';
import { frameLogOf, isCyclic } from './logged-jobs.js';
import { MirrorPull } from './mirror-pull.js';
import { type Moment, Moments } from './moments.js';
import { lay, type Shows } from './overlay.js';
import { overlayHost } from './overlay-host.js';
import type { Pacer } from './pacer.js';
import { Publisher } from './publisher.js';
import type { Request } from './request.js';
import { type Outcome, RequestQueue } from './request-queue.js';
import { requireNames } from './returned-views.js';
import { factsOf, type RunEnding, type RunningEvents, type RunningOptions } from './running-options.js';
import { runningState } from './running-state.js';
import { showShares } from './shared-figures.js';
import type { SimulationDefinition } from './simulation.js';
import { type SpawnLimits, spawnLimitsOf } from './spawning.js';
import { Vitals } from './vitals.js';

/** Time from a failed turn to the next try. */
const FAILED_TURN_MILLIS = 1000;
/** Time that the jobs of the shutdown have, all together. */
const LONGEST_SHUTDOWN_MILLIS = 5000;
/** Longest sleep during initialization; a request starts a simulation that waits for its input file. */
const INITIALIZATION_MILLIS = 1000;

export class RunningSimulation implements Controlled {
  readonly units = new DeclaredUnits();
  readonly state = runningState(this);
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly functions = new Map<string, RegisteredFunction>();
  readonly eventCalls = new Map<string, () => unknown>();
  readonly spawnLimits: SpawnLimits;
  readonly files: RunDirectory;
  readonly clientFiles: RunDirectory;
  readonly desk: Desk;
  readonly recording: Recording;
  readonly frameLog: FrameLog;
  readonly nowMillis: () => number;
  readonly isCalled: boolean;
  readonly holds = holdsOf(this);
  shows: Shows = {};
  readonly conditions: Conditions;
  readonly vitals: Vitals;
  readonly moments: Moments;
  private readonly times: JobTimes;
  private readonly faults: Faults;
  private readonly publisher: Publisher;
  private readonly requests = new RequestQueue(this, () => this.publish(Reasons.request));
  private readonly freezeFrames = new FreezeFrames(this, (moment) => this.moment(moment));
  private isPaced = false;
  private readonly mirrors: MirrorPull;
  private readonly currentCatalog = new CurrentCatalog(this.state);
  private endReason = 'the simulation has reached its terminate time';
  exitCode = 0;
  private hasEnded = false;
  private isInTurn = false;

  private constructor(
    private readonly definition: SimulationDefinition,
    private readonly options: RunningOptions,
    private readonly events: RunningEvents,
  ) {
    this.nowMillis = options.nowMillis;
    this.isCalled = options.isCalled ?? false;
    this.vitals = options.vitals ?? new Vitals();
    this.times = new JobTimes(this.vitals, this.nowMillis, (number, startMillis, endMillis) =>
      this.frameLog.job(number, startMillis, endMillis, isCyclic(this.executive)),
    );
    this.moments = new Moments(this.times);
    this.spawnLimits = spawnLimitsOf(definition.options);
    this.files = new RunDirectory(options.facts.runDirectory);
    this.clientFiles = this.files.limitedBy(options.quota ?? new DiskQuota());
    this.desk = options.desk ?? deskHere(this.clientFiles);
    this.executive = new Executive(executiveOptions(definition.options), {
      publish: (reason) => this.publish(reason),
      failed: (error) => this.faults.say(error),
      watch: this.times,
      frameEnds: () => this.endFrame(),
      waits: this.holds,
    });
    this.faults = new Faults(this, events);
    this.mirrors = new MirrorPull(this.state, this.executive);
    this.conditions = new Conditions(this, options.compile);
    this.recording = new Recording(this, factsOf(definition.options.name, options));
    this.frameLog = frameLogOf(this);
    showShares(this);
    this.pacer = pacerOf(definition.options, options.hasInputFile);
    this.publisher = new Publisher(this.state, events, this.vitals.figuresOf('framePages'), options.keptFrames);
  }

  /** Builds the simulation and publishes its first frame. Rejects with what the definition's build throws. */
  static async start(
    definition: SimulationDefinition,
    options: RunningOptions,
    events: RunningEvents,
  ): Promise<RunningSimulation> {
    const running = new RunningSimulation(definition, options, events);
    requireNames(running.state, await definition.build(builder(running)));
    if (definition.options.jobTimes) addJobVariables(running.state, running.vitals);
    await running.units.require();
    running.shows = lay(options.overlays ?? [], overlayHost(running, options.facts));
    // A getter that fails now is an error of the build, so it does not freeze the simulation.
    running.state.pullMirrors();
    running.recording.start();
    if (running.waitsForServer) running.publish(Reasons.tick);
    else running.begin();
    return running;
  }

  /** Whoever evaluates the simulation's own events must be there at time 0. */
  private get waitsForServer(): boolean {
    const { waitsForInput, hasReaders = true } = this.options;
    return waitsForInput || (hasReaders && this.state.events.size > 0);
  }

  get arguments(): readonly string[] {
    return this.options.arguments;
  }

  get seed(): number {
    return this.options.seed ?? 0;
  }

  /** Throws when a job of the initialization or a recording fails; a run that waited for its input file ends instead. */
  begin(): void {
    try {
      this.moments.run('initialization');
      this.state.endInitialization();
      this.recording.begin();
    } catch (error) {
      this.end((error as Error).message, 1);
      if (this.waitsForServer) this.faults.say(error as Error);
      else {
        this.shutDown(LONGEST_SHUTDOWN_MILLIS);
        throw error;
      }
    }
    this.executive.start(this.definition.options.startFrozen ? Mode.freeze : Mode.run);
  }

  get catalog(): Catalog {
    return this.currentCatalog.latest;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  get isBehind(): boolean {
    return !this.requests.isIdle || this.desk.isBehind;
  }

  /** Drops waiting requests, whose answers nobody waits for any more. */
  forgetRequests(): void {
    this.requests.clear();
  }

  /** Queues a request for the start of the next turn. */
  submit(request: Request, respond: (outcome: Outcome) => void): void {
    this.requests.add(request, respond);
  }

  /** Counts time in which messages with requests were read, as that of the requests. */
  spentReceiving(millis: number): void {
    this.pacer.spentOnRequests(millis);
  }

  /** Applies waiting requests, then runs a frame if it is due. Returns milliseconds until the next one; Infinity at the end. */
  turn(): number {
    return this.guarded(() => {
      this.frameLog.turnStarts();
      this.applyPending();
      this.recording.flush(this.nowMillis());
      const waitMillis = this.orEnd(this.executive.isHeld ? this.turnFrozen() : this.held() || this.turnRunning());
      return this.isBehind ? 0 : waitMillis;
    });
  }

  /** Applies waiting requests, then runs one frame now, whatever the wall time; in a freeze it acts as `turn`. */
  advance(): void {
    this.guarded(() => {
      this.applyPending();
      if (this.executive.isHeld) this.turnFrozen();
      else if (this.held() === 0) this.runFrame();
      return this.orEnd(0);
    });
  }

  /** Applies waiting requests, between frames: not when a job calls it. */
  applyRequests(): void {
    if (this.isInTurn) return;
    this.guarded(() => {
      this.applyPending();
      return this.orEnd(0);
    });
  }

  /** Ends the run at the end of this turn; with code 1 as a rule if a fault has frozen it. */
  end(reason: string, exitCode = this.faults.exitCode || this.exitCode): void {
    this.endReason = reason;
    this.exitCode = exitCode;
    this.executive.exit();
  }

  /** Ends the run in this call; at the end of the turn when a job calls it. */
  close({ reason, exitCode, shutdownMillis, isLast = false }: RunEnding): void {
    if (!this.hasEnded) {
      this.end(reason, exitCode);
      if (!this.isInTurn || isLast) this.guarded(() => this.finish(shutdownMillis));
      // A job of the shutdown may end the thread.
    } else if (isLast) this.recording.close();
  }

  /** Freezes because of an error outside the jobs, for example in a callback. */
  fail(error: Error): void {
    this.guarded(() => {
      this.executive.fail(error);
      this.publish(Reasons.request);
      return 0;
    });
  }

  say(text: string, level: LogLevel = 'normal'): void {
    this.recording.note(String(text), level);
    this.events.say(level, String(text), this.executive.timeSeconds);
  }

  /** An error in a turn never prevents the next turn. */
  private guarded(act: () => number): number {
    if (this.hasEnded) return Number.POSITIVE_INFINITY;
    const wasInTurn = this.isInTurn;
    this.isInTurn = true;
    try {
      return act();
    } catch (error) {
      this.executive.fail(error);
      return FAILED_TURN_MILLIS;
    } finally {
      this.isInTurn = wasInTurn;
      this.vitals.isIdle();
      this.vitals.turnEnded();
    }
  }

  private held(): number {
    const { executive, holds } = this;
    if (!executive.isInTick) holds.begin(executive.timeTics);
    return holds.waitMillis(this.nowMillis());
  }

  /** Ends the run if it is over; events beside jobs of the shutdown come before them. */
  private orEnd(waitMillis: number): number {
    if (!this.executive.isOver) return waitMillis;
    this.holds.passEnd();
    return this.holds.waitMillis(this.nowMillis()) || this.finish();
  }

  /** Whoever is to be asked at a time sees the simulation as it stands there. */
  showStop(isNew: boolean): void {
    if ((isNew && this.executive.isInTick) || this.conditions.hasCalled) this.publish(Reasons.request);
    this.conditions.hasCalled = false;
  }

  private turnRunning(): number {
    const { executive, pacer } = this;
    if (!executive.isInTick) {
      const now = this.nowMillis();
      // However a freeze has ended, real time counts from its end.
      if (!this.isPaced) pacer.restart(now, executive.timeTics);
      this.isPaced = true;
      const waitMillis = pacer.dueMillis(executive.timeTics) - now;
      if (waitMillis > 0) return waitMillis;
    }
    if (!this.runFrame()) return this.holds.waitMillis(this.nowMillis());
    if (executive.isHeld) return this.turnFrozen();
    return Math.max(0, pacer.dueMillis(executive.timeTics) - this.nowMillis());
  }

  /** Runs a frame, or goes on with one; false when it waits for the server. */
  private runFrame(): boolean {
    const { executive, pacer, frameLog, options } = this;
    if (!executive.isInTick) {
      this.freezeFrames.end();
      this.faults.clear();
      pacer.started(this.nowMillis(), executive.timeTics);
      frameLog.frameStarts(executive.timeSeconds);
    }
    if (!executive.runTick()) return false;
    frameLog.frameEnds(pacer.lateSeconds(this.nowMillis(), executive.timeTics));
    this.noteEnd();
    if (options.writesRows === 'each frame' || (options.writesRows && pacer.isEnabled)) this.recording.flush();
    return true;
  }

  /** Notes whether a frame has ended late, and why. */
  private noteEnd(): void {
    const { executive, pacer, desk } = this;
    const overruns = pacer.overrunCount;
    const isByRequests = pacer.ended(this.nowMillis(), executive.timeTics, desk.worksForClients);
    if (isByRequests) this.vitals.overrunByRequests();
    const frameMillis = (1000 * executive.softwareFrameTics) / TICS_PER_SECOND;
    const warning = this.times.frameEnded(!isByRequests && pacer.overrunCount > overruns, frameMillis);
    if (warning !== undefined) this.say(warning, 'warning');
  }

  private endFrame(): void {
    try {
      this.moments.run('end_of_frame');
    } finally {
      this.frameLog.jobsEnd();
    }
  }

  /** Jobs of a moment between frames; one that fails freezes the simulation. */
  private moment(moment: Moment): void {
    if (!this.moments.has(moment)) return;
    try {
      this.moments.run(moment);
    } catch (error) {
      this.executive.fail(error);
    }
    this.publish(Reasons.request);
  }

  private turnFrozen(): number {
    if (this.executive.mode === Mode.initialization) return INITIALIZATION_MILLIS;
    this.isPaced = false;
    return this.freezeFrames.turn();
  }

  /** Applies waiting requests now, also in the middle of a tick. */
  applyPending(): void {
    const startMillis = this.nowMillis();
    this.desk.collect();
    this.pacer.spentOnRequests(this.nowMillis() - startMillis);
    if (this.requests.isEmpty) return;
    this.vitals.requestsStart();
    this.pacer.spentOnRequests(this.requests.apply(() => this.publisher.frameNumber));
    this.vitals.isIdle();
  }

  /** A last frame shows clients the exit mode. */
  private finish(shutdownMillis = LONGEST_SHUTDOWN_MILLIS): number {
    // A checkpoint that was asked for before the end must not be lost.
    if (this.requests.isPreparing) this.applyPending();
    this.hasEnded = true;
    this.shutDown(shutdownMillis);
    try {
      this.recording.close();
      this.frameLog.close();
      this.publish(Reasons.request);
    } finally {
      this.events.ended(this.endReason, this.exitCode);
    }
    return Number.POSITIVE_INFINITY;
  }

  private shutDown(withinMillis: number): void {
    try {
      this.moments.shutDown({ code: this.exitCode, reason: this.endReason }, withinMillis);
    } catch (error) {
      this.faults.say(error as Error);
      this.exitCode ||= 1;
    }
  }

  private publish(reason: Reason): void {
    this.mirrors.pull();
    if (this.options.hasReaders === false) return;
    this.currentCatalog.keepUp();
    this.executive.copies.frameBytes = this.publisher.publish(headerOf(this, this.publisher.next(), reason));
    if (reason !== Reasons.scheduled) this.requests.published(this.publisher.frameNumber);
  }
}
