// The executive's own data as variables, under the names that Trick's clients read.
import { bool, charPointer, double, enumeration, int, longLong, struct, text } from '../model/declare.js';
import type { State } from '../model/state.js';
import type { Executive } from './executive.js';
import type { Pacer } from './pacer.js';

/** Trick: include/trick/sim_mode.h */
const SimMode = enumeration('SIM_MODE', { Initialization: 0, Freeze: 1, Step: 4, Run: 5, ExitMode: 6 });
/** Trick: include/trick/sim_mode.h */
const SimCommand = enumeration('SIM_COMMAND', { NoCmd: 0, FreezeCmd: 2, RunCmd: 3, ExitCmd: 10 });

/** Trick: include/trick/Executive.hh */
const Scheduler = struct('Trick::Executive', {
  sim_start: double({ units: 's' }),
  terminate_time: longLong(),
  time_tic_value: int(),
  time_tics: longLong(),
  software_frame: double({ units: 's' }),
  software_frame_tics: longLong(),
  freeze_frame: double({ units: 's' }),
  enable_freeze: bool(),
  freeze_command: bool(),
  mode: SimMode,
  mode_command: SimCommand,
  frame_count: longLong(),
  freeze_frame_count: longLong(),
});

/** Trick: include/trick/RealtimeSync.hh */
const RealtimeSync = struct('Trick::RealtimeSync', {
  enable_flag: bool(),
  active: bool(),
  actual_run_ratio: double(),
  total_overrun: int(),
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

export function addTrickObjects(state: State, executive: Executive, pacer: Pacer, facts: CommandLineFacts): void {
  state.addObject('trick_sys', { typeName: 'SysSimObject' }).mirror('sched', Scheduler, { get: () => scheduler(executive) });
  state.addObject('trick_real_time', { typeName: 'RTSyncSimObject' }).mirror('rt_sync', RealtimeSync, {
    get: () => ({
      enable_flag: false,
      active: pacer.isEnabled,
      actual_run_ratio: pacer.actualRatio,
      total_overrun: pacer.overrunCount,
    }),
  });
  const { directory, program, inputFile, runDirectory } = facts;
  state.addObject('trick_cmd_args', { typeName: 'CommandLineArgumentsSimObject' }).component('cmd_args', CommandLine, {
    default_dir: directory,
    cmdline_name: program,
    input_file: inputFile,
    run_dir: runDirectory,
    output_dir: runDirectory,
  });
  state.addObject('trick_vs', { typeName: 'VariableServerSimObject' }).component('vs', VariableServer, { enabled: true });
}

const scheduler = (executive: Executive) => ({
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
