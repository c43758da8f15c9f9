// A pose that the simulation declares, read from frames: metres, and a quaternion of length 1.
import type { Frame } from '../../model/frame/reader.js';
import type { PoseDescription } from '../../model/state/pose.js';
import type { Source } from '../../source/source.js';
import { Reference } from './reference.js';

export interface Place {
  /** In metres, in the axes of the parent. */
  readonly translation: readonly [x: number, y: number, z: number];
  /** From the body to the parent, scalar first. */
  readonly rotation: readonly [w: number, x: number, y: number, z: number];
}

const NO_ROTATION = [1, 0, 0, 0] as const;

export class PoseReference {
  /** What is read. */
  readonly references: readonly Reference[];

  /** Throws an UnknownVariableError or a WriteOnlyError when clients may not read it. */
  constructor(source: Source, { position, attitude }: Pick<PoseDescription, 'position' | 'attitude'>) {
    this.references = [new Reference(source, position, 'm'), ...(attitude ? [new Reference(source, attitude)] : [])];
  }

  /** The pose of each that can be read now. */
  static all<P extends PoseDescription>(source: Source, poses: readonly P[]): { pose: P; reference: PoseReference }[] {
    return poses.flatMap((pose) => {
      const isReadable = [pose.position, pose.attitude].every(
        (path) => path === null || (source.catalog.find(path)?.access ?? 'write-only') !== 'write-only',
      );
      return isReadable ? [{ pose, reference: new PoseReference(source, pose) }] : [];
    });
  }

  /** Undefined while it cannot be read, and for numbers that are not finite. */
  read(frame: Frame): Place | undefined {
    const [position, attitude] = this.references.map((reference) => reference.read(frame));
    const [x, y, z] = finite(position, 3);
    if (x === undefined) return undefined;
    const rotation = this.references.length === 1 ? NO_ROTATION : unit(finite(attitude, 4));
    return rotation && { translation: [x, y, z] as Place['translation'], rotation };
  }
}

/** Nothing for what is no list of so many numbers. */
const finite = (value: unknown, length: number): readonly number[] =>
  Array.isArray(value) && value.length === length && value.every(Number.isFinite) ? value : [];

/** A quaternion that nobody has set, of length 0, does not rotate. */
function unit(quaternion: readonly number[]): Place['rotation'] | undefined {
  if (quaternion.length === 0) return undefined;
  const length = Math.hypot(...quaternion);
  return length === 0 ? NO_ROTATION : (quaternion.map((part) => part / length) as unknown as Place['rotation']);
}
