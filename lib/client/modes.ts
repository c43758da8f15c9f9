// The modes of a simulation by Trick's numbers. Trick: SIM_MODE, trick_sys.sched.mode

const MODES: ReadonlyMap<number, string> = new Map([
  [0, 'initialization'],
  [1, 'freeze'],
  [4, 'step'],
  [5, 'run'],
  [6, 'exit'],
]);

/** Such as `freeze` for 1, which `trick_sys.sched.mode` is in a freeze; empty for a number that stands for none. */
export const modeName = (mode: number | undefined): string => MODES.get(mode ?? -1) ?? '';
