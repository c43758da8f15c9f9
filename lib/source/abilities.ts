// What a source can do besides showing frames, and the sentence that refuses the rest.
import { type Request, RequestError } from '../executive/request.js';

/** What clients may ask of a source. */
export interface Abilities {
  readonly write: boolean;
  /** Modes, time and pacing. */
  readonly control: boolean;
  /** Functions of the simulation. */
  readonly call: boolean;
  /** Saving to files and going on from them. */
  readonly checkpoint: boolean;
  readonly record: boolean;
  /** Objects that come and go because a client asks. */
  readonly spawn: boolean;
  /** Frames at exact simulation times. */
  readonly schedule: boolean;
}

/** Of a simulation. */
export const ALL_ABILITIES: Abilities = {
  write: true,
  control: true,
  call: true,
  checkpoint: true,
  record: true,
  spawn: true,
  schedule: true,
};

/** Of what shows frames and no more. */
export const NO_ABILITIES: Abilities = {
  write: false,
  control: false,
  call: false,
  checkpoint: false,
  record: false,
  spawn: false,
  schedule: false,
};

/** What each request takes; nothing where every source can do it. */
const NEEDED: Readonly<Record<Request['kind'], keyof Abilities | undefined>> = {
  write: 'write',
  control: 'control',
  call: 'call',
  checkpoint: 'checkpoint',
  'load-checkpoint': 'checkpoint',
  record: 'record',
  schedule: 'schedule',
  spawn: 'spawn',
  despawn: 'spawn',
  insert: 'spawn',
  remove: 'spawn',
  reparent: 'spawn',
  look: undefined,
  show: undefined,
};

const CANNOT: Readonly<Record<keyof Abilities, string>> = {
  write: 'cannot be written',
  control: 'cannot be controlled',
  call: 'has no functions to call',
  checkpoint: 'has no checkpoints',
  record: 'cannot record',
  spawn: 'takes no objects from clients',
  schedule: 'makes no frames at times that clients choose',
};

/** What of a source the sentence is made of. */
interface Able {
  readonly abilities: Abilities;
  readonly info: { readonly what?: string };
}

/** Why a source cannot do what a request of that kind asks for; undefined when it can. */
export function refusalOf(source: Able, kind: Request['kind']): RequestError | undefined {
  const needed = NEEDED[kind];
  if (needed === undefined || source.abilities[needed]) return undefined;
  return new RequestError(`this source ${CANNOT[needed]}: it is ${source.info.what ?? 'a simulation'}`);
}
