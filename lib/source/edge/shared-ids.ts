// What all edges of a simulation call its frames: the number that the source gave, and the run.
import type { FrameIds } from '../source.js';

/** Frames that are numbered alike. */
interface Stretch {
  readonly epoch: number;
  /** The first of its numbers here. */
  readonly from: number;
  /** What is added to the source's numbers. */
  readonly shift: number;
}

/** The numbers of older frames are in no ring. */
const MOST_STRETCHES = 8;
const RADIX = 36;

export class SharedIds implements FrameIds {
  /** The latest first. */
  private stretches: readonly Stretch[] = [];

  /** A frame is numbered so, and those after it. */
  note(stretch: Stretch): void {
    const [latest] = this.stretches;
    if (latest?.epoch === stretch.epoch && latest.shift === stretch.shift) return;
    this.stretches = [stretch, ...this.stretches].slice(0, MOST_STRETCHES);
  }

  of(number: number): string {
    const { epoch, shift } = this.stretches.find(({ from }) => from <= number) ?? { epoch: 0, shift: 0 };
    return `${number - shift}-${epoch.toString(RADIX)}`;
  }

  numberOf(id: string): number | undefined {
    const [number = '', run] = id.split('-');
    // Of the simulation's own server, which is of this run if there was none before.
    const ofRun = this.stretches.filter(({ epoch }) => run === undefined || epoch.toString(RADIX) === run);
    const stretch = ofRun.find(({ from, shift }) => from <= Number(number) + shift) ?? ofRun.at(-1);
    return stretch && Number(number) + stretch.shift;
  }
}
