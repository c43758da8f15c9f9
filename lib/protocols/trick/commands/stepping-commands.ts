// Commands that step a simulation frame by frame. Trick: DebugPause.hh
import { type Command, command } from './command.js';

export const steppingCommands: readonly Command[] = [
  command('debug_pause_on', [], 'Pauses a running simulation after every frame.', ({ submit }) =>
    submit({ kind: 'control', control: { action: 'debug-pause', isOn: true } }),
  ),
  command('debug_pause_off', [], 'Pauses no more, and runs on from a pause.', ({ submit }) =>
    submit({ kind: 'control', control: { action: 'debug-pause', isOn: false } }),
  ),
  command('debug_signal', [], 'Runs one frame, from one pause to the next.', ({ submit }) =>
    submit({ kind: 'control', control: { action: 'debug-signal' } }),
  ),
];
