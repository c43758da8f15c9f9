// What travels between a simulation's server and its edges, and what a carrier of it does.
import type { Mode } from '../../model/frame/header.js';
import type { Abilities, Earlier, PlaybackState, SimMessage, SourceInfo } from '../source.js';

/** Changes with what the messages mean; two ends of different versions say so. */
export const EDGE_VERSION = 1;

/** The first byte of a message to edges. A long one may come in parts. */
export const Down = { hello: 1, catalog: 2, frame: 3, note: 4, answer: 5, part: 6, past: 7 } as const;
export type Down = (typeof Down)[keyof typeof Down];

/** What an edge sends: what its readers need, what its clients ask for, and that it has taken a frame. */
export const Up = { need: 1, request: 2, taken: 3 } as const;
export type Up = (typeof Up)[keyof typeof Up];

/** Every 2 seconds, and before the first frame. */
export interface Hello {
  readonly version: number;
  /** Random for each run: another one is another simulation. */
  readonly epoch: number;
  readonly mode: Mode;
  readonly timeSeconds: number;
  readonly info: Omit<SourceInfo, 'runDirectory' | 'folder'>;
  readonly abilities: Abilities;
  readonly playback?: PlaybackState | undefined;
  readonly fault?: string | undefined;
}

export interface Note {
  readonly epoch: number;
  readonly message?: SimMessage;
  readonly ended?: string;
}

/** What an edge needs, again and again as long as it lives. */
export interface Need {
  /** Random for each edge. */
  readonly edge: string;
  /** Asks for everything anew: hello, the whole catalog, a key frame. */
  readonly anew?: boolean | undefined;
  /** Of a large state the pages that are read, one bit each, in base64. */
  readonly pages?: string | undefined;
  /** Asks for what the source's server has kept of a path. */
  readonly past?: PastAsked | undefined;
}

export interface PastAsked {
  readonly id: number;
  readonly path: string;
}

export interface PastAnswered extends Partial<Earlier> {
  readonly id: number;
}

/** Asked once; a request that is asked again, because its answer was lost, is not carried out again. */
export interface Asked {
  readonly edge: string;
  readonly id: number;
  readonly epoch: number;
  /** Left out to ask whether this edge may ask for anything. */
  readonly request?: unknown;
}

export interface Answered {
  readonly id: number;
  readonly mayChange?: boolean;
  readonly frame?: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The source's end: to one edge, or by a server to any number. */
export interface SourceLine {
  /** `message` begins with its kind. */
  send(message: Uint8Array): void;
  /** Resolves when all that has been sent was taken; rejects when the line is lost. */
  taken(): Promise<void>;
}

/** An edge's end. */
export interface EdgeLine {
  /** Of what is told at once. */
  readonly mostBytes: number;
  tell(kind: Up, text: string): void;
  close(): void;
}

export interface EdgeEvents {
  /** Whole messages, in order. */
  message(message: Uint8Array): void;
  /** This edge may see the simulation, and change nothing. */
  denied(): void;
  /** The last call, with a sentence. */
  lost(reason: string): void;
}

/** Connects an edge to its source; rejects with one sentence. */
export type Connect = (events: EdgeEvents) => Promise<EdgeLine>;

/** A message of JSON. */
export function jsonMessage(kind: Down, body: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(body));
  return Buffer.concat([Uint8Array.of(kind), text]);
}

/** Throws an Error for what no source says. */
export function helloOf(message: Uint8Array): Hello {
  const hello = jsonOf<Partial<Hello> | null>(message);
  const { version, epoch, mode, timeSeconds, info, abilities } = hello ?? {};
  if (version !== EDGE_VERSION) throw new Error(`it speaks version ${version}, not ${EDGE_VERSION}`);
  const isWhole = [epoch, mode, timeSeconds].every(Number.isFinite) && typeof info?.name === 'string' && abilities;
  if (!isWhole) throw new Error('it does not say what it is');
  return hello as Hello;
}

export const bodyOf = (message: Uint8Array): Uint8Array => message.subarray(1);

export const jsonOf = <T>(message: Uint8Array): T => JSON.parse(Buffer.from(bodyOf(message)).toString()) as T;
