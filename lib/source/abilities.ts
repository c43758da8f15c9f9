// What a source can do besides showing frames, and the sentence that refuses everything else.
import { type Request, RequestError } from '../simulation/executive/request.js';

/** The kinds of requests that a source accepts. */
export interface Abilities {
  readonly write: boolean;
  /** Whether clients may change modes, time and pacing. */
  readonly control: boolean;
  /** Whether clients may run, freeze and step it, change its rate, and go to any of its times: a recording. */
  readonly playback: boolean;
  /** Whether clients may call functions of the simulation. */
  readonly call: boolean;
  /** Whether clients may write and load checkpoints. */
  readonly checkpoint: boolean;
  /** Whether clients may make and end recordings. */
  readonly record: boolean;
  /** Whether clients may list recordings, and switch them on and off. */
  readonly switchRecordings: boolean;
  /** Whether clients may keep layouts of the page in the run directory. */
  readonly layouts: boolean;
  /** Whether clients may make and remove objects. */
  readonly spawn: boolean;
  /** Whether clients may ask for frames at exact simulation times. */
  readonly schedule: boolean;
}

/** The abilities of a simulation. */
export const ALL_ABILITIES: Abilities = {
  write: true,
  control: true,
  playback: false,
  call: true,
  checkpoint: true,
  record: true,
  switchRecordings: true,
  layouts: true,
  spawn: true,
  schedule: true,
};

/** The abilities of a source that only shows frames. */
export const NO_ABILITIES: Abilities = {
  write: false,
  control: false,
  playback: false,
  call: false,
  checkpoint: false,
  record: false,
  switchRecordings: false,
  layouts: false,
  spawn: false,
  schedule: false,
};

/** The ability that each request needs; undefined for requests that every source accepts. */
const NEEDED: Readonly<Record<Request['kind'], keyof Abilities | undefined>> = {
  write: 'write',
  control: 'control',
  call: 'call',
  checkpoint: 'checkpoint',
  'load-checkpoint': 'checkpoint',
  record: 'record',
  'frame-log': 'record',
  layout: 'layouts',
  job: 'control',
  'call-job': 'call',
  schedule: 'schedule',
  spawn: 'spawn',
  despawn: 'spawn',
  insert: 'spawn',
  remove: 'spawn',
  reparent: 'spawn',
  declare: 'spawn',
  resize: 'spawn',
  'name-memory': 'spawn',
  'clear-memory': 'spawn',
  'delete-memory': 'spawn',
  aim: 'spawn',
  look: undefined,
  show: undefined,
};

const CANNOT: Readonly<Record<keyof Abilities, string>> = {
  write: 'cannot be written',
  control: 'cannot be controlled',
  playback: 'goes to no other time',
  call: 'has no functions to call',
  checkpoint: 'has no checkpoints',
  record: 'cannot record',
  switchRecordings: 'cannot record',
  layouts: 'keeps no layouts',
  spawn: 'takes no objects from clients',
  schedule: 'makes no frames at times that clients choose',
};

/** What can be asked of a source that is played. */
const PLAYED: ReadonlySet<string> = new Set(['run', 'freeze', 'step', 'clock-ratio', 'seek']);

/** What can be asked of recordings that are there. */
const SWITCHES: ReadonlySet<string> = new Set(['enable', 'disable', 'now', 'change', 'list', 'list ended']);

/** The facts for the sentence. */
interface Able {
  readonly abilities: Abilities;
  readonly info: { readonly what?: string };
}

/** The refusal of a kind of request that a source does not accept; undefined when it does. */
export function refusalOf(source: Able, kind: Request['kind']): RequestError | undefined {
  const needed = NEEDED[kind];
  return needed === undefined || source.abilities[needed] ? undefined : refusal(source, CANNOT[needed]);
}

/** As `refusalOf`, for one request: a source may take some kinds of control, and switch recordings that it does not make. */
export function refusalOfRequest(source: Able, request: Request): RequestError | undefined {
  if (request.kind === 'record' && SWITCHES.has(request.control.action))
    return source.abilities.switchRecordings ? undefined : refusal(source, CANNOT.switchRecordings);
  if (request.kind !== 'control') return refusalOf(source, request.kind);
  const { action } = request.control;
  if (source.abilities.playback)
    return PLAYED.has(action) ? undefined : refusal(source, 'can only run, freeze, step, change its rate and seek');
  return action === 'seek' ? refusal(source, CANNOT.playback) : refusalOf(source, 'control');
}

const refusal = ({ info }: Able, cannot: string): RequestError =>
  new RequestError(`this source ${cannot}: it is ${info.what ?? 'a simulation'}`);
