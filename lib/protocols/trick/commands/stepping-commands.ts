// Commands that step a simulation frame by frame. Trick: DebugPause.hh
import { type Command, controlling } from './command.js';

export const steppingCommands: readonly Command[] = [
  controlling('debug_pause_on', [], 'Pauses a running simulation after every frame.', () => ({
    action: 'debug-pause',
    isOn: true,
  })),
  controlling('debug_pause_off', [], 'Pauses no more, and runs on from a pause.', () => ({
    action: 'debug-pause',
    isOn: false,
  })),
  controlling('debug_signal', [], 'Runs one frame, from one pause to the next.', () => ({ action: 'debug-signal' })),
];
