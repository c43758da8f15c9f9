// Components whose state lives in ordinary JavaScript objects, by their paths.
import { thrownText } from './thrown.js';

interface BoundMirror {
  readonly object: string;
  /** Reads it into the arena. */
  readonly pull: () => void;
  /** Calls its setter, if it has one. */
  readonly push: (() => void) | undefined;
  readonly readFor: 'frames' | 'checkpoints';
}

/** For what mirrors are read. */
export type PullPurpose = 'frame' | 'saving' | 'loading';

export class Mirrors {
  private readonly bound = new Map<string, BoundMirror>();

  bind(path: string, mirror: BoundMirror): void {
    this.bound.set(path, mirror);
  }

  forget(path: string): void {
    this.bound.delete(path);
  }

  /** Reads all; the first error is thrown at the end, with the component's path in front. */
  pullAll(purpose: PullPurpose): void {
    let failure: Error | undefined;
    for (const [path, mirror] of this.bound) {
      if (mirror.readFor === 'checkpoints' && purpose === 'frame') continue;
      try {
        mirror.pull();
      } catch (error) {
        // What is to be loaded may be what it lacks.
        if (mirror.readFor === 'checkpoints' && purpose === 'loading') continue;
        failure ??= new Error(`${path} cannot be read: ${thrownText(error)}`, { cause: error });
      }
    }
    if (failure) throw failure;
  }

  pull(path: string): void {
    this.bound.get(path)?.pull();
  }

  push(path: string): void {
    this.bound.get(path)?.push?.();
  }

  /** Names of objects with components that have setters. */
  get objectsWithSetters(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { object, push } of this.bound.values()) if (push) names.add(object);
    return names;
  }
}
