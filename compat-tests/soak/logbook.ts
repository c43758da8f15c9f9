// What a soak has seen: messages by stream, the first failure, and the actions.

export interface StreamFigures {
  connections: number;
  messages: number;
  longestGapMillis: number;
}

export class Logbook {
  readonly streams = new Map<string, StreamFigures>();
  readonly deeds = new Map<string, number>();
  readonly failures: string[] = [];

  stream(name: string): StreamFigures {
    const figures = this.streams.get(name) ?? { connections: 0, messages: 0, longestGapMillis: 0 };
    this.streams.set(name, figures);
    return figures;
  }

  /** Counts an action that had its effect. */
  did(deed: string, times = 1): void {
    this.deeds.set(deed, (this.deeds.get(deed) ?? 0) + times);
  }

  fail(sentence: string): void {
    this.failures.push(sentence);
  }

  /** Throws when a stream has failed. */
  mustBeClean(): void {
    if (this.failures.length > 0) throw new Error('a stream has failed');
  }
}
