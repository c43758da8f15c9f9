// What a running block has used of its limits: steps, time, printed text, memory. All work for a block is counted here.
import { BlockStopped } from './error.js';

export interface Limits {
  /** Expressions, statements and items of loops that a block may run. */
  readonly steps: number;
  /** How long a block may compute; waiting does not count. */
  readonly millis: number;
  /** How long a block computes before other sessions have their turn. */
  readonly turnMillis: number;
  /** Characters that a block may print. */
  readonly output: number;
  /** How deep functions may call each other. */
  readonly callDepth: number;
  /** Bytes, roughly, of all texts, lists and numbers that a block may make. */
  readonly blockBytes: number;
  /** Words and signs of a line, and of a statement with all that is indented below it. */
  readonly tokens: number;
  /** Bytes, roughly, that the names of a session may hold from block to block. */
  readonly heldBytes: number;
}

const MIB = 1024 * 1024;

export const BLOCK_LIMITS: Limits = {
  steps: 2_000_000,
  millis: 250,
  turnMillis: 1,
  output: 1_000_000,
  callDepth: 50,
  tokens: 5000,
  blockBytes: 32 * MIB,
  heldBytes: 4 * MIB,
};

/** The limits of an input file and of the reads that it adds, which are the operator's own text. */
export const INPUT_LIMITS: Limits = {
  ...BLOCK_LIMITS,
  steps: 500_000_000,
  millis: 60_000,
  output: 10_000_000,
  tokens: Number.POSITIVE_INFINITY,
  blockBytes: 256 * MIB,
  heldBytes: 64 * MIB,
};

/** Characters that are read or copied in the time of one step. */
export const CHARACTERS_PER_STEP = 64;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 256;
/** How many calls of commands pass at most: a look takes a twentieth of the time of a short command. */
const CALLS_PER_LOOK = 4;
/** After this much memory was taken at once, the next step looks at the clock. */
const MUCH_BYTES = 64 * 1024;
/** After this much of the state was set, the turn is over: setting costs the simulation time, and this thread none. */
const MOST_STORED_BYTES = 1024 * 1024;
/** A turn longer than this many turns is counted only with the processor time that it took. */
const LONGEST_TURNS = 2;

/** Processor time of all threads of this process. */
const processorMillis = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export class Meter {
  private steps = 0;
  private nextLook = STEPS_PER_LOOK;
  private calls = 0;
  private printed = 0;
  private bytes = 0;
  /** Bytes of the state that were set in this turn. */
  private storedBytes = 0;
  private usedMillis = 0;
  private turnStartMillis: number;
  private hasHadItsTurn = false;
  /** Processor time at the first look in this turn, or at its start when the turn before was long. */
  private firstLookMillis: number | undefined;
  private wasLong = false;

  constructor(
    readonly limits: Limits = BLOCK_LIMITS,
    private readonly nowMillis: () => number = () => performance.now(),
    private readonly usedByProcessor: () => number = processorMillis,
  ) {
    this.turnStartMillis = nowMillis();
  }

  /** Bytes made so far. */
  get allocatedBytes(): number {
    return this.bytes;
  }

  /** Whether a limit has been reached, so that the block cannot go on. */
  get isUsedUp(): boolean {
    const { steps, millis, output, blockBytes } = this.limits;
    const usedMillis = this.usedMillis + this.turnMillis;
    return this.steps > steps || usedMillis > millis || this.printed > output || this.bytes > blockBytes;
  }

  /** Whether it is time to give way to others. */
  get isTurnOver(): boolean {
    return this.hasHadItsTurn;
  }

  /** As `isTurnOver`, but looks at the clock: for work that spends no steps. */
  get isTimeUp(): boolean {
    return this.nowMillis() - this.turnStartMillis >= this.limits.turnMillis;
  }

  /** Forgets the time so far if nothing has run yet: parsing does not count. */
  begin(): void {
    if (this.steps > 0) return;
    this.usedMillis = 0;
    this.startTurn();
  }

  /** Called when the block stops computing: adds the time of this turn. */
  endTurn(): void {
    this.usedMillis += this.turnMillis;
    this.wasLong ||= this.nowMillis() - this.turnStartMillis > this.usualMillis;
  }

  startTurn(): void {
    this.turnStartMillis = this.nowMillis();
    this.hasHadItsTurn = false;
    this.storedBytes = 0;
    this.firstLookMillis = this.wasLong ? this.usedByProcessor() : undefined;
  }

  private get usualMillis(): number {
    return LONGEST_TURNS * this.limits.turnMillis;
  }

  /** Counts steps. Throws a ScriptError when the block has used up a limit. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps < this.nextLook) return;
    this.nextLook = this.steps + STEPS_PER_LOOK;
    if (this.steps > this.limits.steps) throw stopped(`after ${this.limits.steps} steps`);
    this.look();
  }

  /** Called after each command and other function of the server, whose few steps do not show what it took. */
  called(): void {
    this.calls++;
    if (this.calls < CALLS_PER_LOOK) return;
    this.calls = 0;
    if (this.isTimeUp) this.look();
  }

  /** Looks at the clock now; to be called after something that may have taken long. */
  look(): void {
    this.firstLookMillis ??= this.usedByProcessor();
    const { turnMillis } = this;
    if (this.usedMillis + turnMillis > this.limits.millis) throw stopped(`after ${this.limits.millis} ms`);
    this.hasHadItsTurn ||= turnMillis >= this.limits.turnMillis;
  }

  /**
   * The time of this turn. For a turn that took far too long it is the processor time, because the machine may have
   * held it up.
   */
  private get turnMillis(): number {
    const passedMillis = this.nowMillis() - this.turnStartMillis;
    const { usualMillis } = this;
    if (passedMillis <= usualMillis || this.firstLookMillis === undefined) return Math.min(passedMillis, usualMillis);
    return Math.min(passedMillis, Math.max(usualMillis, this.usedByProcessor() - this.firstLookMillis));
  }

  /** Counts memory before it is taken. Throws a ScriptError when the block may take no more. */
  allocate(bytes: number): void {
    this.bytes += bytes;
    this.spend(bytes / 64);
    // What it is taken for may take a millisecond.
    if (bytes > MUCH_BYTES) this.nextLook = this.steps;
    if (this.bytes > this.limits.blockBytes) {
      throw new BlockStopped('MemoryError', `a block may make ${this.limits.blockBytes} bytes of texts and lists`);
    }
  }

  /** Counts bytes of the state that the simulation sets for the block: they have no limit, but others have their turn. */
  store(bytes: number): void {
    this.storedBytes += bytes;
    this.hasHadItsTurn ||= this.storedBytes >= MOST_STORED_BYTES;
  }

  print(characters: number): void {
    this.printed += characters;
    this.spend(characters / 64);
    if (this.printed > this.limits.output) throw stopped(`after printing ${this.limits.output} characters`);
  }
}

const stopped = (when: string): BlockStopped => new BlockStopped('RuntimeError', `the block was stopped ${when}`);
