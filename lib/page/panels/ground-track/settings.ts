// Settings of a ground track: what flies, over which body, and how much of the map is shown.
import type { VariableFacts } from '../../data/server.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { numberOf, recordOf, textOf } from '../values/given.js';

/** `near`: the surroundings of the track. `auto`: the whole map for what flies high. */
export type Part = 'auto' | 'whole' | 'near';

export interface GroundTrackSettings {
  readonly [name: string]: unknown;
  /** Name of the pose; undefined for the first that is no body. */
  readonly pose: string | undefined;
  /** Name of the body; undefined for the first. */
  readonly body: string | undefined;
  /** A variable of three numbers instead of a pose: the position in the axes that turn with the body. */
  readonly alias: string | undefined;
  readonly part: Part;
  /** Seconds of the past that are drawn; undefined for all of it. */
  readonly span: number | undefined;
  readonly followsCursor: boolean;
}

export function groundTrackSettings(given: unknown): GroundTrackSettings {
  const { pose, body, alias, part, span, followsCursor } = recordOf(given);
  return {
    pose: textOf(pose),
    body: textOf(body),
    alias: textOf(alias),
    part: part === 'whole' || part === 'near' ? part : 'auto',
    span: numberOf(span, SHORTEST_SPAN, LONGEST_SPAN),
    followsCursor: followsCursor !== false,
  };
}

/** The settings that show a variable, or why they cannot. */
export function withPosition({ alias, kind, dim }: VariableFacts): Partial<GroundTrackSettings> | string {
  if (kind !== 'number' || dim.length !== 1 || dim[0] !== 3)
    return `${alias} is no position: put three numbers here, in axes that turn with the body`;
  return { alias };
}
