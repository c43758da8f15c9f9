// A server that is made up: waves for values, at any pace. Panels are looked at and measured with it.
import { type Signal, signal } from '@preact/signals';
import type {
  Json,
  LinkState,
  Reading,
  Sample,
  Server,
  SimStatus,
  Value,
  VariableFacts,
  WatchOptions,
} from '../data/server.js';

const UNITS = ['m', 'm/s', 'Pa', 'K', '1'];

interface Watch {
  readonly aliases: readonly string[];
  readonly listener: (sample: Sample) => void;
}

export class MadeUpServer implements Server {
  readonly state = signal<LinkState>('connected');
  readonly status = signal<SimStatus | undefined>(undefined);
  readonly isStale = signal(false);
  readonly mayChange = signal(true);
  readonly time = signal<number | undefined>(undefined);
  readonly session = signal(undefined);
  private readonly watches = new Set<Watch>();
  private readonly readings = new Map<string, Signal<Reading | undefined>>();
  private frame = 0;

  /** Sends every watch one sample of this simulation time. */
  tick(seconds: number): void {
    this.frame++;
    for (const { aliases, listener } of this.watches) {
      listener({
        seconds,
        frame: this.frame,
        dropped: 0,
        jumps: 0,
        values: aliases.map((alias) => waveOf(alias, seconds)),
      });
    }
    for (const [alias, reading] of this.readings) {
      reading.value = { seconds, frame: this.frame, value: waveOf(alias, seconds) };
    }
  }

  may(): boolean {
    return true;
  }

  has(): boolean {
    return false;
  }

  call<Result>(method: string): Promise<Result> {
    return Promise.reject(new Error(`a made-up server has no ${method}`));
  }

  async facts(alias: string): Promise<VariableFacts> {
    const unit = UNITS[numberIn(alias) % UNITS.length] as string;
    return { alias, type_path: 'double', unit, dim: [], about: 'a wave', access: 'read-write', kind: 'number' };
  }

  watch(aliases: readonly string[], _options: WatchOptions, listener: (sample: Sample) => void): () => void {
    const watch = { aliases, listener };
    this.watches.add(watch);
    return () => void this.watches.delete(watch);
  }

  reading(alias: string): Signal<Reading | undefined> {
    const made = this.readings.get(alias) ?? signal(undefined);
    this.readings.set(alias, made);
    return made;
  }

  refusal(): Signal<string | undefined> {
    return signal(undefined);
  }

  linkTo(path: string): string {
    return path;
  }

  onNotification(): () => void {
    return () => undefined;
  }

  set(_alias: string, _value: Json): Promise<void> {
    return Promise.resolve();
  }
}

const numberIn = (alias: string): number => Number(/\d+/.exec(alias)?.[0] ?? 0);

function waveOf(alias: string, seconds: number): Value {
  // Each line of a plot gets a wave of its own in the same units.
  const number = numberIn(alias) + 0.7 * numberIn(alias.slice(alias.indexOf('.')));
  return (1 + number) * Math.sin(seconds * (0.4 + (number % 7) * 0.13) + number) + 0.05 * Math.sin(seconds * 40);
}
