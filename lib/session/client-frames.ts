// One client's part of each frame: made in the client's turns, so that nobody else waits for it.
import type { Frame } from '../frame/reader.js';
import { MOST_SLOTS } from '../frame/ring.js';
import type { Account } from '../scheduling/account.js';
import type { SessionRegistry } from './registry.js';

/** Makes the next piece of a client's part of a frame; false after the last piece. */
export type PartOfFrame = (frame: Frame) => boolean;

/** A frame waits for clients' turns in so many turns of the event loop: wall time may pass without anybody's turn. */
const MOST_TURNS = 2;

/** What a client does with frames, in its turns. */
abstract class FramesInTurns {
  /** What makes the part that has begun and is not over. */
  protected part: PartOfFrame | undefined;
  private isBusy = false;
  private begun: (() => void) | undefined;
  private readonly faults: unknown[] = [];

  /** @param begin called when the client's turn for a frame has come. */
  constructor(
    protected readonly registry: SessionRegistry,
    private readonly account: Account,
    private readonly begin: () => PartOfFrame,
  ) {}

  /**
   * A frame has come. The promise, if there is one, resolves when the client's turn has come; it rejects with a fault of a
   * piece.
   */
  take({ header: { number } }: Frame): Promise<void> | undefined {
    this.came(number);
    const isFirst = !this.isBusy;
    if (isFirst) this.start();
    if (this.faults.length > 0) return Promise.reject(this.faults.shift());
    if (!isFirst || !this.isBusy || this.part) return undefined;
    return new Promise((resolve) => {
      this.begun = resolve;
    });
  }

  protected abstract came(number: number): void;
  /** Does the next piece; false after the last piece of the last frame. */
  protected abstract makePiece(): boolean;

  protected beginPart(): PartOfFrame {
    this.begun?.();
    this.begun = undefined;
    return this.begin();
  }

  private start(): void {
    this.isBusy = true;
    const failed = (error: unknown): void => {
      this.faults.push(error);
      this.part = undefined;
      this.isBusy = false;
    };
    const makePiece = (): boolean => {
      this.isBusy = this.makePiece();
      return this.isBusy;
    };
    try {
      this.registry.turns.dueSteps(this.account, makePiece)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** While the client's part of a frame is being made, later ones are skipped, but for the one that is the newest afterwards. */
export class ClientFrames extends FramesInTurns {
  /** Numbers of the frame that came last, and of the frame with which the part that is being made has begun. */
  private asked = 0;
  private begunWith = 0;
  /** How many frames have come since then. */
  private waiting = 0;

  protected came(number: number): void {
    this.asked = number;
    this.waiting++;
  }

  protected makePiece(): boolean {
    const { frame } = this.registry.source;
    this.part ??= this.beginWith(frame);
    if (this.part(frame)) return true;
    this.part = undefined;
    return this.asked > this.begunWith;
  }

  private beginWith({ header: { number } }: Frame): PartOfFrame {
    this.begunWith = Math.max(number, this.asked);
    this.registry.timetable.countSkipped(this.waiting - 1);
    this.waiting = 0;
    return this.beginPart();
  }
}

/**
 * Each frame is looked at, the oldest first, as long as the ring has it; those that it has no longer are counted. All pieces
 * of a part get the same frame.
 */
export class EveryFrame extends FramesInTurns {
  /** Numbers of frames that wait, and of the one whose part is being made. */
  private readonly waiting: number[] = [];
  private number = 0;

  protected came(number: number): void {
    this.waiting.push(number);
    // The ring has the oldest no longer.
    if (this.waiting.length > MOST_SLOTS) this.registry.timetable.countSkipped(this.waiting.splice(0, 1).length);
  }

  protected makePiece(): boolean {
    const { source, timetable } = this.registry;
    this.part ??= this.beginNext();
    // A past frame is the reader's own memory, and may be another one after each turn.
    const frame = this.number === source.frame.header.number ? source.frame : source.past(this.number);
    if (!frame) timetable.countSkipped(1);
    if (frame && this.part(frame)) return true;
    this.part = undefined;
    return this.waiting.length > 0;
  }

  private beginNext(): PartOfFrame {
    this.number = this.waiting.shift() as number;
    return this.beginPart();
  }
}

/**
 * Resolves when the parts of a frame have begun, so that who has little to do gets every frame; after a moment in any case:
 * who has not had a turn by then begins with a later frame.
 */
export function untilBegun(parts: readonly Promise<void>[]): Promise<void> | undefined {
  if (parts.length === 0) return undefined;
  return new Promise((resolve, reject) => {
    afterTurns(MOST_TURNS, resolve);
    Promise.all(parts).then(() => resolve(), reject);
  });
}

function afterTurns(turns: number, call: () => void): void {
  if (turns === 0) call();
  else setImmediate(() => afterTurns(turns - 1, call));
}
