// Commands that control the executive. Trick: exec_proto.h, real_time_proto.h
import { Mode } from '../../../model/frame/header.js';
import { answeringZero, type Command, command, controlling, HEADER_ONLY } from './command.js';

const seconds = { name: 'in_time', type: 'seconds' } as const;
const NEVER = -1;

/** The exit code of a process is from 0 to 255. */
const exitCodeOf = (code: bigint): number => Number(BigInt.asUintN(8, code));

/** Trick: SIM_COMMAND in sim_mode.h */
const COMMANDED: ReadonlyMap<bigint, 'freeze' | 'run' | 'stop'> = new Map([
  [2n, 'freeze'],
  [3n, 'run'],
  [10n, 'stop'],
]);

const answeringNone: readonly Command[] = [
  controlling('run', [], 'The same as exec_run.', () => ({ action: 'run' })),
  controlling(
    'freeze',
    [{ ...seconds, standard: NEVER }],
    'Freezes now, or at a simulation time in seconds.',
    ([at]) => (at < 0 ? { action: 'freeze' } : { action: 'freeze', atSeconds: at }),
  ),
  controlling(
    'stop',
    [{ ...seconds, standard: NEVER }],
    'Ends the simulation now, or at a simulation time in seconds.',
    ([at]) => (at < 0 ? { action: 'stop' } : { action: 'stop', atSeconds: at }),
  ),
  controlling(
    'exec_step',
    [{ name: 'frames', type: 'integer', standard: 1n }],
    'Runs so many frames and freezes.',
    ([frames]) => ({ action: 'step', frames: Number(frames) }),
  ),
];

export const executiveCommands: readonly Command[] = [
  ...answeringNone,
  ...answeringZero([
    controlling('exec_run', [], 'Runs a frozen simulation.', () => ({ action: 'run' })),
    controlling('exec_freeze', [], 'Freezes the simulation at the end of the frame.', () => ({ action: 'freeze' })),
    controlling(
      'exec_set_terminate_time',
      [seconds],
      'Sets the simulation time in seconds at which the run ends.',
      ([at]) => ({ action: 'stop', atSeconds: at }),
    ),
    controlling(
      'exec_terminate_with_return',
      [
        { name: 'ret_code', type: 'integer' },
        { name: 'file', type: 'text' },
        { name: 'line', type: 'integer' },
        { name: 'error', type: 'text' },
      ],
      'Ends the simulation with a code and a reason.',
      ([code, file, line, error]) => ({
        action: 'terminate',
        code: exitCodeOf(code),
        reason: `${error} (${file}, line ${line})`,
      }),
    ),
    controlling(
      'exec_terminate',
      [
        { name: 'file', type: 'text', standard: '' },
        { name: 'error', type: 'text', standard: '' },
      ],
      'Ends the simulation with a reason.',
      ([file, error]) => {
        const reason = file === '' && error === '' ? 'exec_terminate was called' : `${error} (${file})`;
        return { action: 'terminate', code: 0, reason };
      },
    ),
    controlling('exec_set_software_frame', [seconds], 'Sets the length of a software frame in seconds.', ([frame]) => ({
      action: 'software-frame',
      seconds: frame,
    })),
    controlling('exec_set_freeze_frame', [seconds], 'Sets the seconds between frames while frozen.', ([frame]) => ({
      action: 'freeze-frame',
      seconds: frame,
    })),
    controlling('real_time_enable', [], 'Holds simulation time to wall time.', () => ({
      action: 'real-time',
      enabled: true,
    })),
    controlling('real_time_disable', [], 'Lets the simulation run as fast as it can.', () => ({
      action: 'real-time',
      enabled: false,
    })),
    controlling(
      'real_time_set_rt_clock_ratio',
      [{ name: 'in_clock_ratio', type: 'number' }],
      'Sets simulation seconds per wall second.',
      ([ratio]) => ({ action: 'clock-ratio', ratio }),
    ),
    command(
      'exec_set_exec_command',
      [{ name: 'in_command', type: 'integer' }],
      'Freezes, runs or ends the simulation: FreezeCmd, RunCmd or ExitCmd; NoCmd does nothing.',
      ({ submit }, [asked]) => {
        const action = COMMANDED.get(asked);
        if (action) submit({ kind: 'control', control: { action } });
      },
    ),
    command(
      'exec_set_freeze_command',
      [{ name: 'on_off', type: 'boolean' }],
      'In an input file, starts frozen; later it does nothing.',
      ({ submit, session }, [isOn]) => {
        if (isOn && session.frame.header.mode === Mode.initialization)
          submit({ kind: 'control', control: { action: 'freeze' } });
      },
      { reads: HEADER_ONLY },
    ),
  ]),
];
