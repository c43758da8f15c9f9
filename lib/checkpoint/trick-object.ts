// The names of Trick's own objects; a file of its own, since a simulation that starts needs no more of checkpoints.
/** Whether an object is one of Trick's own, which describe a run and are not restored. */
export const isTrickObject = (name: string): boolean =>
  name.startsWith('trick_') && !/^trick_anon_local_\d+$/.test(name);
