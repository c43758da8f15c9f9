// What the streams and expressions of one client ask of procedures: so many in a frame, each in its turn.

/** Most questions of a client that begin in one frame, with those that are not answered yet. */
export const MOST_QUESTIONS = 100;

/** Who asks. */
interface Asker {
  /** Resolves when the question is answered, also with an error; undefined when it is answered already. */
  ask(): Promise<void> | undefined;
}

export class Questions {
  /** Those for whom a frame had no room, the longest waiting first. */
  private readonly waiting = new Set<Asker>();
  /** Those who have asked in this frame, or were not answered when it came. */
  private readonly asked = new Set<Asker>();
  private readonly unanswered = new Set<Asker>();
  private frameNumber = -1;

  /** Lets somebody ask: now, once in a frame, or in a later frame when it is his turn. */
  want(asker: Asker, frameNumber: number): void {
    // Events look at frames that others have passed over.
    if (frameNumber > this.frameNumber) this.begin(frameNumber);
    if (this.asked.has(asker)) return;
    if (this.hasRoom && this.waiting.size === 0) this.ask(asker);
    else this.waiting.add(asker);
  }

  forget(asker: Asker): void {
    this.waiting.delete(asker);
    this.asked.delete(asker);
  }

  private begin(frameNumber: number): void {
    this.frameNumber = frameNumber;
    this.asked.clear();
    for (const asker of this.unanswered) this.asked.add(asker);
    for (const asker of this.waiting) {
      if (!this.hasRoom) return;
      this.waiting.delete(asker);
      this.ask(asker);
    }
  }

  private get hasRoom(): boolean {
    return this.asked.size < MOST_QUESTIONS;
  }

  private ask(asker: Asker): void {
    this.asked.add(asker);
    const answer = asker.ask();
    if (!answer) return;
    this.unanswered.add(asker);
    void answer.then(() => this.unanswered.delete(asker));
  }
}
