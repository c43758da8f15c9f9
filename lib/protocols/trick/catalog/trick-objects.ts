// The executive's own data as variables, under the names that Trick's clients read.

import { Mode } from '../../../model/frame/header.js';
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
} from '../../../model/state/declare.js';
import type { Clockwork, OverlayControls, OverlayHost } from '../../../simulation/executive/overlay.js';
import { addServiceObject } from './service-object.js';
import { TRICK_VERSION } from './version.js';

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
  freeze_frame_tics: longLong(readOnly),
  freeze_command: bool(readOnly),
  mode: describe(SimMode, readOnly),
  exec_command: describe(SimCommand, readOnly),
  frame_count: longLong(readOnly),
  freeze_frame_count: longLong(readOnly),
  freeze_time_tics: longLong(readOnly),
  old_time_tic_value: int(readOnly),
  initialization_complete: bool(readOnly),
  num_sim_objects: int({ about: "objects of the simulation, and Trick's own", ...readOnly }),
  current_version: text(32, { about: 'version of Trick whose wire is spoken', ...readOnly }),
  version_date_tag: text(64, readOnly),
  build_date: text(64, readOnly),
  // Commands set these and clients read them; nothing here depends on them.
  enable_freeze: bool(),
  rt_nap: bool(),
  freeze_on_frame_boundary: bool(),
  trap_sigbus: bool(),
  trap_sigabrt: bool(),
  trap_sigfpe: bool(),
  trap_sigsegv: bool(),
  stack_trace: bool(),
  attach_debugger: bool(),
});

/** Values that are kept for clients, as they are in Trick at the start. Trick: Executive::Executive */
const SWITCHES = {
  enable_freeze: true,
  rt_nap: true,
  freeze_on_frame_boundary: false,
  trap_sigbus: true,
  trap_sigabrt: true,
  trap_sigfpe: false,
  trap_sigsegv: true,
  stack_trace: true,
  attach_debugger: false,
};

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

/** Trick's longest time, which its Sim Control takes as "no end". */
const NO_END_TICS = 2n ** 63n - 2n;

export function addTrickObjects({ state, clockwork, facts, controls }: OverlayHost): void {
  let isFirst = true;
  addServiceObject(state, 'trick_sys', 'SysSimObject').mirror('sched', Scheduler, {
    get: () => {
      if (!isFirst) return schedulerOf(clockwork, state.objectCount);
      isFirst = false;
      // After the first time, the switches keep what clients have written.
      return { ...schedulerOf(clockwork, state.objectCount), ...SWITCHES };
    },
    ...(controls && { set: (written) => setScheduler(clockwork, controls, written) }),
  });
  addServiceObject(state, 'trick_real_time', 'RTSyncSimObject').mirror('rt_sync', RealtimeSync, {
    get: () => realtimeSyncOf(clockwork),
    ...(controls && { set: (written) => setRealtimeSync(controls, written) }),
  });
  const { directory, program, inputFile, runDirectory } = facts;
  addServiceObject(state, 'trick_cmd_args', 'CommandLineArgumentsSimObject').component('cmd_args', CommandLine, {
    default_dir: directory,
    cmdline_name: program,
    input_file: inputFile,
    // Trick's Sim Control does not start with an empty directory.
    run_dir: runDirectory || '.',
    output_dir: runDirectory,
  });
  addServiceObject(state, 'trick_vs', 'VariableServerSimObject').component('vs', VariableServer, { enabled: true });
}

const schedulerOf = (
  clockwork: Clockwork,
  objectCount: number,
): Omit<Required<InitialOf<typeof Scheduler>>, keyof typeof SWITCHES> => ({
  sim_start: 0,
  terminate_time: Number.isFinite(clockwork.terminateTics) ? BigInt(clockwork.terminateTics) : NO_END_TICS,
  time_tic_value: clockwork.ticsPerSecond,
  time_tics: BigInt(clockwork.timeTics),
  software_frame: clockwork.softwareFrameTics / clockwork.ticsPerSecond,
  software_frame_tics: BigInt(clockwork.softwareFrameTics),
  freeze_frame: clockwork.freezeFrameTics / clockwork.ticsPerSecond,
  freeze_frame_tics: BigInt(clockwork.freezeFrameTics),
  freeze_command: false,
  mode: clockwork.mode,
  exec_command: 0,
  frame_count: BigInt(clockwork.frameCount),
  freeze_frame_count: BigInt(clockwork.freezeFrameCount),
  freeze_time_tics: BigInt(clockwork.freezeFrameCount * clockwork.freezeFrameTics),
  old_time_tic_value: clockwork.ticsPerSecond,
  initialization_complete: clockwork.mode !== Mode.initialization,
  num_sim_objects: objectCount,
  current_version: TRICK_VERSION,
  version_date_tag: '',
  build_date: '',
});

function setScheduler(clockwork: Clockwork, controls: OverlayControls, written: ViewOf<typeof Scheduler>): void {
  const before = schedulerOf(clockwork, written.num_sim_objects);
  const { software_frame, freeze_frame, terminate_time } = written;
  controls.setTimes({
    ...(software_frame !== before.software_frame && { softwareFrameSeconds: software_frame }),
    ...(freeze_frame !== before.freeze_frame && { freezeFrameSeconds: freeze_frame }),
    ...(terminate_time !== before.terminate_time && { terminateTics: terminateTicsOf(terminate_time) }),
  });
}

const terminateTicsOf = (tics: bigint): number => (tics >= NO_END_TICS ? Number.POSITIVE_INFINITY : Number(tics));

const realtimeSyncOf = (clockwork: Clockwork): InitialOf<typeof RealtimeSync> => ({
  enable_flag: false,
  disable_flag: false,
  active: clockwork.isRealTime,
  actual_run_ratio: clockwork.actualRatio,
  total_overrun: clockwork.overrunCount | 0,
});

function setRealtimeSync(controls: OverlayControls, { enable_flag, disable_flag }: ViewOf<typeof RealtimeSync>): void {
  if (enable_flag || disable_flag) controls.setRealTime(enable_flag);
}
