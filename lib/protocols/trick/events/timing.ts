// When added events are evaluated: each on its own grid of simulation time, in Trick's order. Trick: EventProcessor
import type { TrickEvent } from './event.js';

/** Trick's tics, by which its event viewer divides. */
export const TICS_PER_SECOND = 1_000_000;

/** Why an event without a cycle that comes after time 0 is not evaluated. */
export const lateSentence = ({ name }: TrickEvent): string =>
  `event ${name} has no cycle and its only time, 0, is over; it is not evaluated`;

interface Entry {
  readonly event: TrickEvent;
  /** Simulation time in tics of the next evaluation; the time after which the first frame begins the grid, before that. */
  nextTics: number;
  /** Whether the grid begins at the next frame. */
  isPending: boolean;
  /** Later entries of one time are evaluated later. */
  order: number;
}

export class EventTiming {
  private readonly entries = new Map<TrickEvent, Entry>();
  private lastOrder = 0;

  /** Begins with the first frame after a time, or with the first one there is for a negative time. */
  add(event: TrickEvent, timeTics: number): void {
    if (this.entries.has(event)) return;
    const isAtEnd = event.target?.periodTics === Number.POSITIVE_INFINITY;
    const nextTics = isAtEnd ? Number.POSITIVE_INFINITY : timeTics + 1;
    this.entries.set(event, { event, nextTics, isPending: !isAtEnd, order: ++this.lastOrder });
  }

  /** The events beside a job that runs at the end of the run; each once. */
  atEnd(): TrickEvent[] {
    const events = [...this.entries.values()].filter(({ nextTics }) => nextTics === Number.POSITIVE_INFINITY);
    for (const { event } of events) this.entries.delete(event);
    return events.map(({ event }) => event);
  }

  remove(event: TrickEvent): void {
    this.entries.delete(event);
  }

  /**
   * The events whose turn it is at a frame, active or not. Each moves to its first later time; an event without a cycle
   * has one turn.
   * @param isLate called for an event without a cycle whose only time, 0, is over.
   */
  due(timeTics: number, ticsPerSecond: number, isLate: (event: TrickEvent) => void): TrickEvent[] {
    const due = [...this.entries.values()]
      .filter(({ nextTics }) => nextTics <= timeTics)
      .sort((a, b) => a.nextTics - b.nextTics || a.order - b.order);
    const events: TrickEvent[] = [];
    for (const { event, isPending } of due) {
      const isOver = isPending && timeTics > 0 && event.cycleTics(ticsPerSecond) === 0;
      if (isOver) isLate(event);
      else events.push(event);
    }
    for (const entry of due) this.advance(entry, timeTics, ticsPerSecond);
    return events;
  }

  /** Begins later evaluations again at this time, because the simulation's time has gone back. */
  restartAt(timeTics: number): void {
    for (const entry of this.entries.values()) {
      if (entry.nextTics <= timeTics || entry.nextTics === Number.POSITIVE_INFINITY) continue;
      entry.nextTics = timeTics;
      entry.isPending = true;
    }
  }

  /** The next time of the events that satisfy `isMeant`; Infinity without any. */
  nextTics(isMeant: (event: TrickEvent) => boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { event, nextTics } of this.entries.values()) if (nextTics < next && isMeant(event)) next = nextTics;
    return next;
  }

  private advance(entry: Entry, timeTics: number, ticsPerSecond: number): void {
    const cycleTics = entry.event.cycleTics(ticsPerSecond);
    if (cycleTics === 0) {
      this.entries.delete(entry.event);
      return;
    }
    const from = entry.isPending ? timeTics : entry.nextTics;
    entry.nextTics = from + cycleTics * (1 + Math.floor((timeTics - from) / cycleTics));
    entry.isPending = false;
    entry.order = ++this.lastOrder;
  }
}
