// Commands on events. Trick: MTV.hh
import { type Command, command } from './command.js';

export const eventCommands: readonly Command[] = [
  // Of no events, Trick's event viewer reads the number and no values after it.
  command(
    'mtv_send_event_data',
    [],
    'Sends what there is to know of all events.',
    ({ session }) => session.sendListSize(0),
    {
      reads: true,
    },
  ),
];
