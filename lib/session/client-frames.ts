// One client's part of each frame: made in the client's turns, of the newest frame, so that nobody else waits for it.
import type { Frame } from '../frame/reader.js';
import type { Account } from '../scheduling/account.js';
import type { SessionRegistry } from './registry.js';

/** Makes the next piece of a client's part, of the frame that is the newest then; false after the last piece. */
export type PartOfFrame = (frame: Frame) => boolean;

/** A frame waits for clients' turns in so many turns of the event loop: wall time may pass without anybody's turn. */
const MOST_TURNS = 2;

export class ClientFrames {
  private isBusy = false;
  private part: PartOfFrame | undefined;
  /** Numbers of the frame that came last, and of the frame with which the part that is being made has begun. */
  private asked = 0;
  private begun = 0;
  /** How many frames have come since then. */
  private waiting = 0;
  private hasBegun: (() => void) | undefined;
  private readonly faults: unknown[] = [];

  /** @param begin called when the client's turn for a frame has come. */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly account: Account,
    private readonly begin: () => PartOfFrame,
  ) {}

  /**
   * A frame has come. While the client's part of an earlier one is being made, it is skipped unless it is still the
   * newest afterwards. The promise, if there is one, resolves when the part has begun; it rejects with a fault of a piece.
   */
  take({ header: { number } }: Frame): Promise<void> | undefined {
    this.asked = number;
    this.waiting++;
    const isFirst = !this.isBusy;
    if (isFirst) this.start();
    if (this.faults.length > 0) return Promise.reject(this.faults.shift());
    if (!isFirst || !this.isBusy || this.part) return undefined;
    return new Promise((resolve) => {
      this.hasBegun = resolve;
    });
  }

  private start(): void {
    this.isBusy = true;
    const failed = (error: unknown): void => {
      this.faults.push(error);
      this.part = undefined;
      this.isBusy = false;
    };
    try {
      this.registry.sending.dueSteps(this.account, () => this.makePiece())?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  private makePiece(): boolean {
    const { frame } = this.registry.source;
    this.part ??= this.beginWith(frame);
    if (this.part(frame)) return true;
    this.part = undefined;
    this.isBusy = this.asked > this.begun;
    return this.isBusy;
  }

  private beginWith({ header: { number } }: Frame): PartOfFrame {
    this.begun = Math.max(number, this.asked);
    this.registry.timetable.countSkipped(this.waiting - 1);
    this.waiting = 0;
    this.hasBegun?.();
    this.hasBegun = undefined;
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
