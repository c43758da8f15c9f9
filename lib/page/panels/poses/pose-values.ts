// The variables of poses: watched as they are, and looked for in the past by their elements, as it is kept of these.
import type { Json, Server, Value } from '../../data/server.js';
import type { WantedPast } from '../form/past-values.js';
import { isList, plottable } from '../values/value-text.js';
import { type ElementReader, type Place, placesOf } from './frames.js';
import { onlyOf, type Pose } from './poses.js';

/** Thirty pictures a second. */
const CYCLE_MILLIS = 33;
/** The server keeps the past of so many variables for one client, and other panels want some. */
const MOST_KEPT = 140;

/** Where all poses were at one time. */
export interface PoseSample {
  readonly seconds: number;
  readonly places: readonly (Place | undefined)[];
  /** How often time has jumped. */
  readonly jumps: number;
}

export interface PoseListener {
  take(sample: PoseSample): void;
  /** Told why a variable has no values. */
  refused(sentence: string): void;
}

/** Places are in metres; what has no units, or is in metres already, stays as it is. */
const converted = ({ positionUnits }: Pose): { readonly units?: string } =>
  positionUnits === 'm' || positionUnits === '1' || positionUnits === '--' ? {} : { units: 'm' };

/** Calls the listener with every sample, until the returned function is called. */
export function watchPoses(server: Server, poses: readonly Pose[], listener: PoseListener): () => void {
  const unitsOf = new Map(
    poses.flatMap((pose) => [
      ...(pose.attitude === undefined ? [] : [[pose.attitude, undefined] as const]),
      [pose.position, converted(pose).units] as const,
    ]),
  );
  const columns = new Map([...unitsOf.keys()].map((path, column) => [path, column]));
  const options = {
    cycleMillis: CYCLE_MILLIS,
    units: [...unitsOf.values()],
    onRefused: (_: string, sentence: string) => listener.refused(sentence),
  };
  return server.watch([...columns.keys()], options, ({ seconds, values, jumps }) => {
    const read: ElementReader = (path, element) => elementAt(values[columns.get(path) as number], element);
    listener.take({ seconds, places: placesOf(poses, read), jumps });
  });
}

const elementAt = (value: Value | undefined, element: number): number =>
  isList(value) ? plottable(value[element] as Value) : Number.NaN;

/** The elements that place some poses, first those of the first, as many as one panel may have kept. */
export function elementsOf(poses: readonly Pose[], wanted: readonly number[]): WantedPast[] {
  const found = new Map<string, WantedPast>();
  for (const index of wanted) {
    const needed = onlyOf(poses, [index]).poses.flatMap(elementsOfOne);
    const missing = new Map(needed.filter(({ alias }) => !found.has(alias)).map((each) => [each.alias, each]));
    if (found.size + missing.size > MOST_KEPT) break;
    for (const [alias, each] of missing) found.set(alias, each);
  }
  return [...found.values()];
}

const elementsOfOne = (pose: Pose): WantedPast[] => [
  ...[0, 1, 2].map((k) => ({ alias: elementName(pose.position, k), ...converted(pose) })),
  ...(pose.attitude === undefined ? [] : [0, 1, 2, 3].map((k) => ({ alias: elementName(pose.attitude as string, k) }))),
];

const elementName = (path: string, element: number): string => `${path}[${element}]`;

/** Places by the values of elements, by their names. */
export const placesBy = (poses: readonly Pose[], read: (alias: string) => Json | undefined): (Place | undefined)[] =>
  placesOf(poses, (path, element) => plottable(read(elementName(path, element))));
