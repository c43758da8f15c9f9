// The messages between the two threads of a source; frames go through the ring.
import type { Request } from '../simulation/executive/request.js';
import type { Outcome } from '../simulation/executive/request-queue.js';
import type { Abilities, SimMessage, SourceInfo } from './source.js';
import type { PackedLayout } from './type-numbers.js';

/** From the simulation's thread. `poke` means that there are frames in the ring. */
export type FromSimulation =
  | { readonly kind: 'poke' }
  | { readonly kind: 'ready'; readonly info: SourceInfo; readonly abilities: Abilities }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'layout'; readonly layout: PackedLayout }
  | { readonly kind: 'outcome'; readonly id: number; readonly outcome: Outcome }
  /** A fault has frozen the run; without a reason the run continues. */
  | { readonly kind: 'fault'; readonly reason: string | undefined }
  | { readonly kind: 'message'; readonly message: SimMessage }
  | { readonly kind: 'ended'; readonly reason: string; readonly exitCode: number };

/** To the simulation's thread. */
export type ToSimulation =
  | { readonly kind: 'request'; readonly id: number; readonly request: Request }
  /** Drops earlier requests that have not been begun. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'close' };
