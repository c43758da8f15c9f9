// When a session's list is copied and when it is sent. Trick: VariableServerSessionThread_loop.cpp, VariableServerSession_copy_*.cpp
import type { Frame } from '../../../model/frame/reader.js';
import type { Account } from '../../../serving/scheduling/account.js';
import { ClientFrames, type LongPart, untilBegun } from '../../../serving/session/client-frames.js';
import { whenFrameComes } from '../../../serving/session/frame-demand.js';
import type { Messages } from '../../../serving/session/outbound.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { SharedFeed } from '../../../serving/session/shared-feed.js';
import { CopyMode, copiesDue, type FramePick } from './chosen-frames.js';
import { ExactCopies, periodTicsOf } from './exact-copies.js';

export interface CadenceEvents {
  /** Whether a frame carries the list; from now on frames do. What takes long is a look in turns at the latest frames. */
  readonly isCarriedBy: (frame: Frame) => boolean | Promise<boolean>;
  /** The list is not sent by itself: frames need not carry it. */
  readonly rest?: () => void;
  /** Encodes the list as it is in a frame, a long one in turns; undefined when there is nothing to send, or it is not carried. */
  readonly copy: (frame: Frame) => Messages | Promise<Messages | undefined> | undefined;
  /** What makes the message of all equal lists; undefined when it is not known. */
  readonly feed?: () => SharedFeed | undefined;
  readonly send: (messages: Messages) => void;
  /** Counts a copy that waits for its cycle; undefined when none does. False when the client may not hold it. */
  readonly keep?: (messages: Messages | undefined) => boolean;
  /** Whether the messages are long and the client has no room for one; then `begin` is called when it has. */
  readonly waitsForRoom?: (begin: () => void) => boolean;
  /** Called when the simulation makes no more exact copies; from then on the list is copied by wall time. */
  readonly refused?: (sentence: string) => void;
}

/** Trick: VS_WRITE_ASYNC, VS_WRITE_WHEN_COPIED */
const WriteMode = { async: 0, whenCopied: 1 } as const;

const INITIAL_CYCLE_SECONDS = 0.1;
/** Trick's sessions read their sockets at least this often. */
const LONGEST_SETTLE_SECONDS = 0.1;

export class Cadence {
  private seconds = INITIAL_CYCLE_SECONDS;
  private copyMode: number = CopyMode.async;
  private writeMode: number = WriteMode.async;
  private frames: FramePick = { multiple: 1, offset: 0, freezeMultiple: 1, freezeOffset: 0 };
  private isPaused = false;
  private hasList = false;
  /**
   * Whether no message has shown the list since it was empty, neither a cyclic one nor one that the client asked for.
   */
  private isNewList = false;
  private isClosed = false;
  /** Counts how often the messages have started anew. */
  private starts = 0;
  /** The number of the start whose message waits for a frame that carries the list. */
  private lookingSince: number | undefined;
  private cancelTimer: (() => void) | undefined;
  private stopFrames: (() => void) | undefined;
  private readonly exact: ExactCopies;
  /** Each frame in the session's turn: when it is chosen, the list is copied of it, even when later ones have come by then. */
  private readonly chosen: ClientFrames;
  /** The number of the start whose message is being looked for or made. */
  private makingSince: number | undefined;
  /** The latest copy, waiting for the session's own cycle. */
  private waiting: Messages | undefined;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly account: Account,
    private readonly events: CadenceEvents,
  ) {
    this.exact = new ExactCopies(registry.source, (sentence) => this.refused(sentence));
    this.chosen = new ClientFrames(registry, account, () => this.copying(), true);
  }

  /** Whether the list is copied from chosen frames; then a chosen frame that does not carry it is a gap. */
  get isCopiedByFrames(): boolean {
    return this.copyMode !== CopyMode.async;
  }

  get cycleSeconds(): number {
    return this.seconds;
  }

  /** In which time the list is copied once; 0 when frames are chosen by their number. */
  get readSeconds(): number {
    return this.copyMode === CopyMode.topOfFrame ? 0 : this.seconds;
  }

  setCycle(seconds: number): void {
    this.seconds = seconds;
    this.restart(this.settleSeconds);
  }

  pause(): void {
    this.isPaused = true;
    this.restart(0);
  }

  /** Starts cyclic messages again; the first one leaves at once. */
  unpause(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.isNewList = false;
    this.restart(0);
  }

  setCopyMode(mode: number): void {
    this.copyMode = mode;
    this.restart(0);
  }

  setWriteMode(mode: number): void {
    this.writeMode = mode;
    this.restart(0);
  }

  setFrames(pick: Partial<FramePick>): void {
    this.frames = { ...this.frames, ...pick };
  }

  /**
   * The first message of a new list leaves a moment after its last change. So a client can add, send and clear, or add
   * many variables, in separate writes, and no cyclic message comes in between.
   */
  listChanged(length: number): void {
    const hasList = length > 0;
    if (hasList === this.hasList && !this.isNewList) return;
    this.isNewList = hasList;
    this.hasList = hasList;
    this.restart(this.settleSeconds);
  }

  /** Delays the first message of a new list that the client has asked for: the client may be about to clear the list. */
  listAsked(): void {
    if (!this.isNewList) return;
    this.isNewList = false;
    this.restart(this.settleSeconds);
  }

  private get settleSeconds(): number {
    return Math.min(this.seconds, LONGEST_SETTLE_SECONDS);
  }

  /** Whether cyclic messages are sent. */
  get isActive(): boolean {
    return this.hasList && !this.isPaused && !this.isClosed;
  }

  close(): void {
    this.isClosed = true;
    this.restart(0);
  }

  private restart(delaySeconds: number): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.keep(undefined);
    this.starts++;
    if (!this.isActive) this.events.rest?.();
    const isFollowing = this.isActive && this.isCopiedByFrames;
    this.followFrames(isFollowing);
    this.exact.hold(isFollowing && this.copyMode === CopyMode.scheduled ? this.periodTics : undefined);
    const isSentByTimer = this.isActive && !(isFollowing && this.writeMode === WriteMode.whenCopied);
    // Asks for the list now, so that the first frame to be copied carries it.
    if (isFollowing) this.ask();
    if (!isSentByTimer) return;
    this.cancelTimer = this.registry.timetable.every(
      this.seconds,
      () => this.turn(),
      delaySeconds,
      this.account,
      () => this.events.feed?.()?.ofAll,
    );
  }

  private turn(): void {
    if (this.isCopiedByFrames) {
      const { waiting } = this;
      this.keep(undefined);
      if (waiting) this.send(waiting);
      return;
    }
    const message = this.plainMessage();
    if (message) {
      this.send(message);
      return;
    }
    // A list that takes longer than its cycle is sent as often as it can be made; frames need not carry it meanwhile.
    if (this.makingSince === this.starts || this.waitsForRoom()) return;
    const isShown = this.events.isCarriedBy(this.registry.source.frame);
    if (isShown instanceof Promise)
      this.whenMade(isShown, (isShownNow) => this.inTurn(() => this.looked(isShownNow))).catch(this.stopped);
    else this.looked(isShown);
  }

  /** The latest frame's list if it need not be looked at. */
  private plainMessage(): Uint8Array | undefined {
    try {
      return this.events.feed?.()?.plainMessage(this.registry.source.frame);
    } catch {
      // Made again after a look, which tells why it cannot be made.
      return undefined;
    }
  }

  /** Sends the latest frame's list if it is shown. */
  private looked(isShown: boolean): void {
    if (!isShown) {
      this.turnLater();
      return;
    }
    const messages = this.events.copy(this.registry.source.frame);
    if (messages instanceof Promise) this.whenMade(messages, (made) => made && this.send(made)).catch(this.stopped);
    else if (messages) this.send(messages);
  }

  /** An error for which nobody waits. */
  private readonly stopped = (error: unknown): void => this.registry.turns.failed(error);

  /** A long message is not made before the client has room for it; then it shows the latest values. */
  private waitsForRoom(): boolean {
    const { starts } = this;
    return this.events.waitsForRoom?.(() => starts === this.starts && this.turn()) === true;
  }

  private keep(messages: Messages | undefined): void {
    this.waiting = this.events.keep?.(messages) === false ? undefined : messages;
  }

  /** Calls `call` unless the messages have started again meanwhile. */
  private whenMade<Made>(making: Promise<Made>, call: (made: Made) => void): Promise<void> {
    const { starts } = this;
    this.makingSince = starts;
    const over = (): void => {
      if (this.makingSince === starts) this.makingSince = undefined;
    };
    return making.finally(over).then((made) => {
      if (starts === this.starts) call(made);
    });
  }

  /** Calls in the session's turn unless the messages have started again by then, or one is being made. */
  private inTurn(call: () => void): void {
    const { starts } = this;
    this.registry.turns.begin(this.account, () => {
      if (starts === this.starts && this.makingSince !== starts) call();
    });
  }

  /** Repeats this turn when a frame carries the list. */
  private turnLater(): void {
    const { starts } = this;
    if (this.lookingSince === starts) return;
    this.lookingSince = starts;
    const looked = (): void => {
      // The messages have started again meanwhile, at a time of their own.
      if (starts !== this.starts) return;
      this.lookingSince = undefined;
      this.turn();
    };
    whenFrameComes(this.registry.source, () => this.registry.turns.begin(this.account, looked));
  }

  private send(messages: Messages): void {
    this.isNewList = false;
    this.events.send(messages);
  }

  private followFrames(isFollowing: boolean): void {
    if (isFollowing && !this.stopFrames)
      this.stopFrames = this.registry.source.onFrame((frame) => this.frameArrived(frame));
    if (!isFollowing) {
      this.stopFrames?.();
      this.stopFrames = undefined;
    }
  }

  private frameArrived(frame: Frame): Promise<void> | undefined {
    this.exact.see(frame.header);
    const begun = this.chosen.take(frame);
    return begun && untilBegun([begun]);
  }

  /** Copies the list of a frame if that is chosen. */
  private copying(): LongPart {
    let isLooked = false;
    return (frame) => {
      if (!this.stopFrames) return false;
      const count = copiesDue(frame.header, this.copyMode, this.frames, this.periodTics);
      if (count === 0) return this.ask();
      // Whether this frame carries a list that was looked at in turns shows when it is copied.
      const isShown = isLooked || this.events.isCarriedBy(frame);
      isLooked = true;
      if (isShown instanceof Promise) return isShown.then(() => true);
      return isShown ? this.copyOf(frame, count) : false;
    };
  }

  private ask(): false {
    const isShown = this.events.isCarriedBy(this.registry.source.frame);
    if (isShown instanceof Promise) isShown.catch(this.stopped);
    return false;
  }

  private copyOf(frame: Frame, count: number): false | Promise<false> {
    const messages = this.events.copy(frame);
    if (messages instanceof Promise)
      return this.whenMade(messages, (made) => made && this.takeCopies(count, made)).then(() => false);
    if (messages) this.takeCopies(count, messages);
    return false;
  }

  private takeCopies(count: number, messages: Messages): void {
    if (this.writeMode !== WriteMode.whenCopied) this.keep(messages);
    else for (let copies = count; copies > 0; copies--) this.send(messages);
  }

  private get periodTics(): number {
    return periodTicsOf(this.seconds, this.registry.source.frame.header);
  }

  /** From now on the list is copied by wall time. */
  private refused(sentence: string): void {
    this.setCopyMode(CopyMode.async);
    this.events.refused?.(`${sentence}; the variables are copied by wall time`);
  }
}
