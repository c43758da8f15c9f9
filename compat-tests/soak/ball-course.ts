// What the fixture's ball shows after each of its steps, and whether a stream shows every one, in order.
import { demand } from '../demand.js';
import { type BallState, moveBall } from '../fixture/fixture.js';

/** Ticks from one step of the ball to the next. */
const TICKS_PER_STEP = 10;

/** What a message shows of the ball. */
export interface BallShown {
  readonly pos: readonly number[];
  readonly steps: number;
}

/** Counts what is missing of numbers that go up by one from message to message. */
export class Succession {
  /** Numbers that no message has shown, or that a message says were left out. */
  missing = 0;
  /** How often the numbers went back. */
  wentBack = 0;
  private last: number | undefined;

  /** Whether the numbers went back so often, and then came up to a number. */
  hasCome(wentBack: number, number: number): boolean {
    return this.wentBack === wentBack && this.last !== undefined && this.last >= number;
  }

  /** @param dropped how many messages the message says were left out before it. A number may come again, as in a freeze. */
  take(number: number, dropped = 0): void {
    const gap = this.last === undefined ? 0 : number - this.last - 1;
    if (gap < -1) this.wentBack++;
    this.missing += Math.max(gap, dropped, 0);
    this.last = number;
  }
}

/** The ball's way, computed as the simulation does: it only depends on how many steps there were. */
class Course {
  private readonly positions: (readonly [number, number])[] = [];
  private readonly ball: BallState = { pos: [0, 10], vel: [1, 0], steps: 0 };

  at(steps: number): readonly [number, number] {
    for (;;) {
      const position = this.positions[steps];
      if (position) return position;
      this.positions[this.ball.steps] = [this.ball.pos[0], this.ball.pos[1]];
      moveBall(this.ball, 0.1);
    }
  }
}

const course = new Course();

/** Throws unless the ball is where it is after its steps. */
export function demandCourse({ pos, steps }: BallShown): void {
  demand(Number.isInteger(steps) && steps >= 0, `the ball has made ${steps} steps`);
  const [x, y] = course.at(steps);
  demand(pos.length === 2 && pos[0] === x && pos[1] === y, `after ${steps} steps the ball is at ${pos}, not ${x},${y}`);
}

/** How many steps the ball has made up to a frame. */
export const stepsDue = (frameCount: number): number => Math.ceil(frameCount / TICKS_PER_STEP);

/** Throws unless the ball has made the steps that are due up to a frame: the values are of one frame. */
export function demandSteps(steps: number, frameCount: number): void {
  const due = stepsDue(frameCount);
  demand(steps === due, `at frame ${frameCount} the ball has made ${steps} steps, not ${due}`);
}
