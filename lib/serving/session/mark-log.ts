// What happened when, for the time axes of plots: freezes, runs, jumps of time, checkpoints, events, what went wrong.
import type { SimMessage, Source } from '../../source/source.js';
import { onChange, onFreeze } from './changes.js';
import type { MessageLog } from './message-log.js';
import type { SessionRegistry } from './registry.js';

export const MARK_KINDS = ['freeze', 'run', 'jump', 'checkpoint', 'event', 'message'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

export interface Mark {
  /** Counts them from 1. */
  readonly number: number;
  readonly kind: MarkKind;
  /** By the simulation's clock. */
  readonly clockSeconds: number;
  readonly text: string;
}

/** The oldest are forgotten. */
export const MOST_MARKS = 1000;
const LONGEST_TEXT = 200;
/** So many events of a run are told to recordings. */
const MOST_TOLD = 10_000;
/** Trick: CheckPointRestart.cpp says so of its checkpoints. */
const CHECKPOINT = /^(Dumped|Loaded) ASCII Checkpoint /;

export class MarkLog {
  private readonly kept: Mark[] = [];
  private lastNumber = 0;
  private toldEvents = 0;

  /** @param messages of checkpoints, warnings and errors are marks too. */
  constructor(
    private readonly source: Source,
    messages: MessageLog,
    registry: Pick<SessionRegistry, 'onceUsed'>,
  ) {
    // A playback has the marks of what is played: that it is stopped and moved is none.
    if (source.marks) for (const { mark, seconds, text } of source.marks) this.add(mark, seconds, text);
    else registry.onceUsed(() => this.follow());
    messages.follow(() => this.take(messages.latest(1)));
  }

  private take(latest: readonly SimMessage[]): void {
    for (const { level, text, timeSeconds } of latest) {
      if (CHECKPOINT.test(text)) this.add('checkpoint', timeSeconds, text);
      else if (level === 'warning' || level === 'error') this.add('message', timeSeconds, text);
    }
  }

  /** An event has fired: a mark also in recordings that keep them. */
  fired(name: string, timeSeconds: number): void {
    this.add('event', timeSeconds, name);
    if (this.toldEvents++ >= MOST_TOLD) return;
    const control = { action: 'mark', mark: 'event', text: name.slice(0, LONGEST_TEXT), seconds: timeSeconds } as const;
    this.source.submit({ kind: 'record', control }).catch(() => undefined);
  }

  /** @param timeSeconds simulation time. */
  add(kind: MarkKind, timeSeconds: number, text: string): void {
    const { header, timeSeconds: now } = this.source.frame;
    this.put(kind, timeSeconds + (header.clockSeconds - now), text);
  }

  /** Those with a number above `after`, oldest first. */
  after(number: number): readonly Mark[] {
    return this.kept.filter((mark) => mark.number > number);
  }

  private follow(): () => void {
    const ends = [
      onChange(
        this.source,
        ({ jumps }) => jumps,
        ({ header }) => this.put('jump', header.clockSeconds, 'time was set'),
      ),
      onFreeze(this.source, ({ header }, isFrozen) =>
        this.put(isFrozen ? 'freeze' : 'run', header.clockSeconds, isFrozen ? 'frozen' : 'running again'),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  private put(kind: MarkKind, clockSeconds: number, text: string): void {
    this.kept.push({ number: ++this.lastNumber, kind, clockSeconds, text: text.trim().slice(0, LONGEST_TEXT) });
    if (this.kept.length > MOST_MARKS) this.kept.shift();
  }
}
