// The executive's own data as variables, under the names that Trick's clients read.
import { type Executive, requireFrameSeconds } from '../../executive/executive.js';
import type { Pacer } from '../../executive/pacer.js';
import {
  bool,
  charPointer,
  describe,
  double,
  enumeration,
  type InitialOf,
  int,
  longLong,
  struct,
  text,
  type ViewOf,
} from '../../model/declare.js';
import type { State } from '../../model/state.js';

/** Trick: include/trick/sim_mode.h */
const SimMode = enumeration('SIM_MODE', { Initialization: 0, Freeze: 1, Step: 4, Run: 5, ExitMode: 6 });
/** Trick: include/trick/sim_mode.h */
const SimCommand = enumeration('SIM_COMMAND', { NoCmd: 0, FreezeCmd: 2, RunCmd: 3, ExitCmd: 10 });

const readOnly = { access: 'read-only' } as const;

/** Trick: include/trick/Executive.hh; the frames and the terminate time may be set. */
const Scheduler = struct('Trick::Executive', {
  sim_start: double({ units: 's', ...readOnly }),
  terminate_time: longLong({ about: 'simulation time in tics at which the run ends' }),
  time_tic_value: int({ about: 'tics in a second', ...readOnly }),
  time_tics: longLong(readOnly),
  software_frame: double({ units: 's' }),
  software_frame_tics: longLong(readOnly),
  freeze_frame: double({ units: 's' }),
  enable_freeze: bool(readOnly),
  freeze_command: bool(readOnly),
  mode: describe(SimMode, readOnly),
  mode_command: describe(SimCommand, readOnly),
  frame_count: longLong(readOnly),
  freeze_frame_count: longLong(readOnly),
});

/** Trick: include/trick/RealtimeSync.hh; the two commands are carried out and read false again. */
const RealtimeSync = struct('Trick::RealtimeSync', {
  enable_flag: bool({ about: 'command to hold simulation time to wall time' }),
  disable_flag: bool({ about: 'command to run as fast as possible' }),
  active: bool(readOnly),
  actual_run_ratio: double(readOnly),
  total_overrun: int(readOnly),
});

/** Trick: include/trick/CommandLineArguments.hh */
const CommandLine = struct('Trick::CommandLineArguments', {
  default_dir: text(1024),
  cmdline_name: text(1024),
  input_file: text(1024),
  run_dir: text(1024),
  output_dir: text(1024),
});

const VariableServer = struct('Trick::VariableServer', { enabled: bool(), user_tag: charPointer(256) });

export interface CommandLineFacts {
  readonly directory: string;
  readonly program: string;
  readonly inputFile: string;
  /** Never empty: Trick's Sim Control does not start otherwise. */
  readonly runDirectory: string;
}

/** Trick's longest time, which its Sim Control takes as "no end". */
const NO_END_TICS = 2n ** 63n - 2n;

/** What the variables show and set. */
export interface Shown {
  readonly state: State;
  readonly executive: Executive;
  readonly pacer: Pacer;
  nowMillis(): number;
}

export function addTrickObjects(shown: Shown, facts: CommandLineFacts): void {
  const { state, executive, pacer } = shown;
  state.addObject('trick_sys', { typeName: 'SysSimObject' }).mirror('sched', Scheduler, {
    get: () => schedulerOf(executive),
    set: (written) => setScheduler(executive, written),
  });
  state.addObject('trick_real_time', { typeName: 'RTSyncSimObject' }).mirror('rt_sync', RealtimeSync, {
    get: () => realtimeSyncOf(pacer),
    set: ({ enable_flag, disable_flag }) => {
      if (enable_flag || disable_flag) pacer.setEnabled(enable_flag, shown.nowMillis(), executive.timeTics);
    },
  });
  const { directory, program, inputFile, runDirectory } = facts;
  state.addObject('trick_cmd_args', { typeName: 'CommandLineArgumentsSimObject' }).component('cmd_args', CommandLine, {
    default_dir: directory,
    cmdline_name: program,
    input_file: inputFile,
    // Trick's Sim Control does not start with an empty one.
    run_dir: runDirectory || '.',
    output_dir: runDirectory,
  });
  state
    .addObject('trick_vs', { typeName: 'VariableServerSimObject' })
    .component('vs', VariableServer, { enabled: true });
}

const schedulerOf = (executive: Executive): InitialOf<typeof Scheduler> => ({
  sim_start: 0,
  terminate_time: Number.isFinite(executive.terminateTics) ? BigInt(executive.terminateTics) : NO_END_TICS,
  time_tic_value: executive.ticsPerSecond,
  time_tics: BigInt(executive.timeTics),
  software_frame: executive.softwareFrameTics / executive.ticsPerSecond,
  software_frame_tics: BigInt(executive.softwareFrameTics),
  freeze_frame: executive.freezeFrameTics / executive.ticsPerSecond,
  enable_freeze: true,
  freeze_command: false,
  mode: executive.mode,
  mode_command: 0,
  frame_count: BigInt(executive.frameCount),
  freeze_frame_count: BigInt(executive.freezeFrameCount),
});

function setScheduler(executive: Executive, written: ViewOf<typeof Scheduler>): void {
  const before = schedulerOf(executive);
  const { software_frame, freeze_frame, terminate_time } = written;
  // Checked before anything is set: all or nothing.
  requireFrameSeconds(software_frame, 'a software frame');
  requireFrameSeconds(freeze_frame, 'a freeze frame');
  if (terminate_time !== before.terminate_time) executive.stopAtTics(terminateTicsOf(terminate_time));
  if (software_frame !== before.software_frame) executive.setSoftwareFrame(software_frame);
  if (freeze_frame !== before.freeze_frame) executive.setFreezeFrame(freeze_frame);
}

const terminateTicsOf = (tics: bigint): number => (tics >= NO_END_TICS ? Number.POSITIVE_INFINITY : Number(tics));

const realtimeSyncOf = (pacer: Pacer): InitialOf<typeof RealtimeSync> => ({
  enable_flag: false,
  disable_flag: false,
  active: pacer.isEnabled,
  actual_run_ratio: pacer.actualRatio,
  total_overrun: pacer.overrunCount,
});
