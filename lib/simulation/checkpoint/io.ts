// Which variables checkpoints save and restore. Trick: ClassicCheckPointAgent::input_perm_check, output_perm_check
import type { CheckpointIo, Member, Type } from '../../model/state/type.js';

export interface Io {
  readonly isSaved: boolean;
  /** Whether loading clears and restores it. */
  readonly isRestored: boolean;
}

const BOTH: Io = { isSaved: true, isRestored: true };
const SHOWN: Io = { isSaved: true, isRestored: false };
const CLEARED: Io = { isSaved: false, isRestored: true };
const NEITHER: Io = { isSaved: false, isRestored: false };

const BY_SPELLING: Readonly<Record<CheckpointIo, Io>> = { '*io': BOTH, '*o': SHOWN, '*i': CLEARED, '**': NEITHER };

/** The access is for clients, and plays no part here. */
const ioOf = ({ checkpointIo = '*io' }: Member): Io => BY_SPELLING[checkpointIo];

/** What checkpoints do with a member of something. */
export function narrowed(whole: Io | undefined, member: Member): Io {
  const own = ioOf(member);
  if (!whole || whole === BOTH || own === whole) return own;
  if (own === BOTH) return whole;
  // They differ and neither is BOTH, so they have nothing in common.
  return NEITHER;
}

const known = new WeakMap<Type, boolean>();

/** Whether a value has parts that loading leaves as they are; elements of containers are made anew. */
export function hasUnrestored(type: Type): boolean {
  if (type.kind === 'array' && !type.isContainer) return hasUnrestored(type.element);
  if (type.kind !== 'struct') return false;
  const answer =
    known.get(type) ?? type.members.some((member) => !ioOf(member).isRestored || hasUnrestored(member.type));
  known.set(type, answer);
  return answer;
}
