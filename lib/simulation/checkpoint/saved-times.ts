// Which of the times in the objects that describe a run are saved.

/**
 * All that checkpoints save and load of them: more would change the ports, paths and modes of a Trick that loads the
 * file.
 */
const TIMES = ['trick_sys.sched.time_tic_value', 'trick_sys.sched.time_tics', 'trick_sys.sched.frame_count'];

/** Whether a path of one of Trick's objects is a time that is saved, or leads to one. */
export const leadsToTime = (path: string): boolean =>
  TIMES.some((time) => time === path || time.startsWith(`${path}.`));
