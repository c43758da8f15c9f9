// The modes of a simulation by Trick's numbers. Trick: SIM_MODE, trick_sys.sched.mode

const MODES: ReadonlyMap<number, string> = new Map([
  [0, 'initialization'],
  [1, 'freeze'],
  [4, 'step'],
  [5, 'run'],
  [6, 'exit'],
]);

/** The name of a mode, such as `freeze` for 1; empty for a number that stands for no mode. */
export const modeName = (mode: number | undefined): string => MODES.get(mode ?? -1) ?? '';
