// One client's part of each frame: made in the client's turns, so that nobody else waits for it.
import type { Frame } from '../../model/frame/reader.js';
import { MOST_SLOTS } from '../../model/frame/ring.js';
import type { Account } from '../scheduling/account.js';
import type { SessionRegistry } from './registry.js';

/** Makes the next piece of a client's part of a frame; false after the last piece. */
export type PartOfFrame = (frame: Frame) => boolean;
/** As `PartOfFrame`; a piece that takes turns of its own resolves with the same, and later frames wait for it. */
export type LongPart = (frame: Frame) => boolean | Promise<boolean>;

/** A frame waits for clients' turns in so many turns of the event loop: wall time may pass without anybody's turn. */
const MOST_TURNS = 2;

export class ClientFrames {
  /** Numbers of frames whose parts have not begun, and of the one whose part is made. */
  private readonly waiting: number[] = [];
  private number = 0;
  /** What makes the part that has begun and is not over. */
  private part: LongPart | undefined;
  /** The frame that has just come: a scheduled one is never the latest. */
  private arrived: Frame | undefined;
  /** Whether a part is made, or waits for the client's turn. */
  private isBusy = false;
  private begun: (() => void) | undefined;
  private readonly faults: unknown[] = [];

  /**
   * @param begin called when the client's turn for a frame has come.
   * @param seesEvery whether the client looks at each frame, the oldest first, as long as the ring has it, and all pieces of
   * a part get the same frame. Otherwise it gets the newest at each piece, and skips those that come while a part is made,
   * but for the one that is the newest afterwards. What is left out is counted.
   */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly account: Account,
    private readonly begin: () => LongPart,
    private readonly seesEvery = false,
  ) {}

  /**
   * A frame has come. The promise, if there is one, resolves when the client's turn has come; it rejects with a fault of a
   * piece.
   * @param group what the part has in common with those of other clients, as for `Turns.begin`.
   */
  take(frame: Frame, group?: unknown): Promise<void> | undefined {
    this.waiting.push(frame.header.number);
    const most = this.seesEvery ? MOST_SLOTS : 1;
    if (this.waiting.length > most) this.registry.timetable.countSkipped(this.waiting.splice(0, 1).length);
    const isFirst = !this.isBusy;
    if (isFirst) {
      this.arrived = frame;
      this.start(group);
      this.arrived = undefined;
    }
    if (this.faults.length > 0) return Promise.reject(this.faults.shift());
    if (!isFirst || !this.isBusy || this.part) return undefined;
    return new Promise((resolve) => {
      this.begun = resolve;
    });
  }

  private start(group?: unknown): void {
    this.isBusy = true;
    try {
      this.registry.turns.dueSteps(this.account, this.makePiece, group)?.catch(this.failed);
    } catch (error) {
      this.failed(error);
    }
  }

  private readonly failed = (error: unknown): void => {
    this.faults.push(error);
    this.part = undefined;
    this.isBusy = false;
  };

  /** Makes the next piece; false after the last piece of the last frame, and while a piece takes turns of its own. */
  private readonly makePiece = (): boolean => {
    this.part ??= this.beginPart();
    const frame = this.frameOfPart();
    if (!frame) this.registry.timetable.countSkipped(1);
    const goesOn = frame !== undefined && this.part(frame);
    if (typeof goesOn === 'boolean') return this.isLeft(goesOn);
    goesOn.then((isLeft) => this.isLeft(isLeft) && this.start()).catch(this.failed);
    return false;
  };

  private frameOfPart(): Frame | undefined {
    const { source } = this.registry;
    if (!this.seesEvery) return source.frame;
    const known = [this.arrived, source.frame].find((frame) => frame?.header.number === this.number);
    // A past frame is the reader's own memory, and may be another one after each turn.
    return known ?? source.past(this.number);
  }

  /** Whether a piece is left, of this part or of the next frame's. */
  private isLeft(goesOn: boolean): boolean {
    if (goesOn) return true;
    this.part = undefined;
    this.isBusy = (this.waiting.at(-1) ?? 0) > this.number;
    return this.isBusy;
  }

  private beginPart(): LongPart {
    const number = this.waiting.shift() as number;
    // The newest may have come before its own turn to be told.
    this.number = this.seesEvery ? number : Math.max(number, this.registry.source.frame.header.number);
    this.begun?.();
    this.begun = undefined;
    return this.begin();
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
