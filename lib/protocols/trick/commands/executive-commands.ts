// Commands that control the executive. Trick: exec_proto.h, real_time_proto.h
import { Mode } from '../../../model/frame/header.js';
import { answeringZero, type Command, command, HEADER_ONLY } from './command.js';

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
  command('run', [], 'The same as exec_run.', ({ submit }) => submit({ kind: 'control', control: { action: 'run' } })),
  command(
    'freeze',
    [{ ...seconds, standard: NEVER }],
    'Freezes now, or at a simulation time in seconds.',
    ({ submit }, [at]) =>
      submit({ kind: 'control', control: at < 0 ? { action: 'freeze' } : { action: 'freeze', atSeconds: at } }),
  ),
  command(
    'stop',
    [{ ...seconds, standard: NEVER }],
    'Ends the simulation now, or at a simulation time in seconds.',
    ({ submit }, [at]) =>
      submit({ kind: 'control', control: at < 0 ? { action: 'stop' } : { action: 'stop', atSeconds: at } }),
  ),
  command(
    'exec_step',
    [{ name: 'frames', type: 'integer', standard: 1n }],
    'Runs so many frames and freezes.',
    ({ submit }, [frames]) => submit({ kind: 'control', control: { action: 'step', frames: Number(frames) } }),
  ),
];

export const executiveCommands: readonly Command[] = [
  ...answeringNone,
  ...answeringZero([
    command('exec_run', [], 'Runs a frozen simulation.', ({ submit }) =>
      submit({ kind: 'control', control: { action: 'run' } }),
    ),
    command('exec_freeze', [], 'Freezes the simulation at the end of the frame.', ({ submit }) =>
      submit({ kind: 'control', control: { action: 'freeze' } }),
    ),
    command(
      'exec_set_terminate_time',
      [seconds],
      'Sets the simulation time in seconds at which the run ends.',
      ({ submit }, [at]) => submit({ kind: 'control', control: { action: 'stop', atSeconds: at } }),
    ),
    command(
      'exec_terminate_with_return',
      [
        { name: 'ret_code', type: 'integer' },
        { name: 'file', type: 'text' },
        { name: 'line', type: 'integer' },
        { name: 'error', type: 'text' },
      ],
      'Ends the simulation with a code and a reason.',
      ({ submit }, [code, file, line, error]) =>
        submit({
          kind: 'control',
          control: { action: 'terminate', code: exitCodeOf(code), reason: `${error} (${file}, line ${line})` },
        }),
    ),
    command(
      'exec_terminate',
      [
        { name: 'file', type: 'text', standard: '' },
        { name: 'error', type: 'text', standard: '' },
      ],
      'Ends the simulation with a reason.',
      ({ submit }, [file, error]) => {
        const reason = file === '' && error === '' ? 'exec_terminate was called' : `${error} (${file})`;
        submit({ kind: 'control', control: { action: 'terminate', code: 0, reason } });
      },
    ),
    command(
      'exec_set_software_frame',
      [seconds],
      'Sets the length of a software frame in seconds.',
      ({ submit }, [frame]) => submit({ kind: 'control', control: { action: 'software-frame', seconds: frame } }),
    ),
    command(
      'exec_set_freeze_frame',
      [seconds],
      'Sets the seconds between frames while frozen.',
      ({ submit }, [frame]) => submit({ kind: 'control', control: { action: 'freeze-frame', seconds: frame } }),
    ),
    command('real_time_enable', [], 'Holds simulation time to wall time.', ({ submit }) =>
      submit({ kind: 'control', control: { action: 'real-time', enabled: true } }),
    ),
    command('real_time_disable', [], 'Lets the simulation run as fast as it can.', ({ submit }) =>
      submit({ kind: 'control', control: { action: 'real-time', enabled: false } }),
    ),
    command(
      'real_time_set_rt_clock_ratio',
      [{ name: 'in_clock_ratio', type: 'number' }],
      'Sets simulation seconds per wall second.',
      ({ submit }, [ratio]) => submit({ kind: 'control', control: { action: 'clock-ratio', ratio } }),
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
