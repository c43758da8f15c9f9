// Commands that tell about the executive. Trick: exec_proto.h, real_time_proto.h
import type { FrameHeader } from '../../../model/frame/header.js';
import { Mode } from '../../../model/frame/header.js';
import { readValue } from '../../../model/state/read.js';
import { locate } from '../../../model/state/variable.js';
import type { ScriptValue } from '../../python/index.js';
import { TRICK_VERSION } from '../catalog/version.js';
import type { TrickSession } from '../session/trick-session.js';
import { answeringZero, type Command, command, HEADER_ONLY } from './command.js';
import { printedAsTrick } from './convert.js';

/** Trick's longest time in tics, which stands for no end. */
const NO_END_TICS = 2 ** 63;

/** A command that answers with something in the header of the latest frame. */
const told = (name: string, about: string, tell: (header: FrameHeader) => ScriptValue): Command =>
  command(name, [], about, ({ session }) => tell(session.frame.header), { reads: HEADER_ONLY });

const seconds = (tics: number, { ticsPerSecond }: FrameHeader): ScriptValue => printedAsTrick(tics / ticsPerSecond);

/** Switches that are only stored, in `trick_sys.sched`. */
const SWITCHES: readonly (readonly [name: string, what: string])[] = [
  ['enable_freeze', 'freezes are enabled, which they always are here'],
  ['rt_nap', 'a waiting simulation sleeps, which it always does here'],
  ['freeze_on_frame_boundary', 'freezes begin at the end of a frame, which they always do here'],
  ['trap_sigbus', 'bus errors end the run with a sentence, which any error does here'],
  ['trap_sigabrt', 'aborts end the run with a sentence, which any error does here'],
  ['trap_sigfpe', 'errors of floating-point numbers end the run; there are none here'],
  ['trap_sigsegv', 'invalid addresses end the run; there are none here'],
  ['stack_trace', 'a crash prints where it was'],
  ['attach_debugger', 'a crash starts a debugger; there is none here'],
];

const pathOf = (name: string): string => `trick_sys.sched.${name}`;

const switchCommands: readonly Command[] = SWITCHES.flatMap(([name, what]) => [
  ...answeringZero([
    command(
      `exec_set_${name}`,
      [{ name: 'on_off', type: 'boolean' }],
      `Remembers whether ${what}.`,
      ({ set }, [isOn]) => void set(pathOf(name), isOn, undefined),
    ),
  ]),
  command(
    `exec_get_${name}`,
    [],
    `What exec_set_${name} has set, as 1 or 0.`,
    ({ session }) => readSwitch(session, pathOf(name)),
    { reads: () => ({ paths: [pathOf(name)] }) },
  ),
]);

function readSwitch({ catalog, frame }: TrickSession, path: string): ScriptValue {
  const variable = catalog.find(path);
  if (!variable) return 0n;
  return readValue(variable.type, frame.memory, locate(variable, frame.memory)) ? 1n : 0n;
}

export const executiveQueries: readonly Command[] = [
  told('exec_get_sim_time', 'Simulation time in seconds.', (header) => seconds(header.timeTics, header)),
  told('exec_get_time_tics', 'Simulation time in tics.', ({ timeTics }) => BigInt(timeTics)),
  told('exec_get_time_tic_value', 'Tics in a second.', ({ ticsPerSecond }) => BigInt(ticsPerSecond)),
  told('exec_get_mode', 'The mode by number: 0 initialization, 1 freeze, 4 step, 5 run, 6 exit.', ({ mode }) =>
    BigInt(mode),
  ),
  told('exec_get_frame_count', 'Software frames run.', ({ frameCount }) => BigInt(frameCount)),
  told('exec_get_freeze_frame_count', 'Freeze frames passed.', ({ freezeFrameCount }) => BigInt(freezeFrameCount)),
  told('exec_get_software_frame', 'Length of a software frame in seconds.', (header) =>
    seconds(header.softwareFrameTics, header),
  ),
  told('exec_get_software_frame_tics', 'Length of a software frame in tics.', ({ softwareFrameTics }) =>
    BigInt(softwareFrameTics),
  ),
  told('exec_get_freeze_frame', 'Length of a freeze frame in seconds.', (header) =>
    seconds(header.freezeFrameTics, header),
  ),
  told('exec_get_freeze_frame_tics', 'Length of a freeze frame in tics.', ({ freezeFrameTics }) =>
    BigInt(freezeFrameTics),
  ),
  told('exec_get_old_time_tic_value', 'Tics in a second.', ({ ticsPerSecond }) => BigInt(ticsPerSecond)),
  told('exec_get_terminate_time', 'Simulation time in seconds at which the run ends.', (header) =>
    seconds(Math.min(header.terminateTics, NO_END_TICS), header),
  ),
  told('exec_is_in_freeze', 'Whether the simulation is frozen.', ({ mode }) => mode === Mode.freeze),
  told('exec_get_freeze_time_tics', 'Time of freeze frames passed in tics.', ({ freezeTimeTics }) =>
    BigInt(freezeTimeTics),
  ),
  command('exec_get_current_version', [], 'The version of Trick that this wire follows.', () => TRICK_VERSION),
  command(
    'is_real_time',
    [],
    'Whether simulation time is held to wall time, as 1 or 0.',
    ({ session }) => readSwitch(session, REAL_TIME),
    { reads: () => ({ paths: [REAL_TIME] }) },
  ),
  ...switchCommands,
];

const REAL_TIME = 'trick_real_time.rt_sync.active';
