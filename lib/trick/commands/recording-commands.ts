// Commands on data recording. Trick: data_record_proto.h
import { type Command, command } from './command.js';

const group = { name: 'dr_group_name', type: 'text', standard: '' } as const;

const recordsNothing = (name: string, groupName: string): string =>
  `${name}: ${groupName === '' ? 'this simulation records no data' : `there is no recording group ${groupName}`}`;

export const recordingCommands: readonly Command[] = [
  command('dr_enable', [group], 'Starts recording, of one group or all.', ({ complain }, [name]) =>
    complain(recordsNothing('dr_enable', name)),
  ),
  command('dr_disable', [group], 'Stops recording, of one group or all.', ({ complain }, [name]) =>
    complain(recordsNothing('dr_disable', name)),
  ),
];
