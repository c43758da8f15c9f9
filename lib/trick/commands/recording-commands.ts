// Commands on data recording. Trick: data_record_proto.h
import type { Request } from '../../source/source.js';
import { type Command, command } from './command.js';

type Action = Extract<Request, { readonly kind: 'record' }>['control']['action'];

const record = (action: Action, group?: string): Request => ({
  kind: 'record',
  control: group === undefined ? { action } : { action, group },
});

const group = { name: 'in_name', type: 'text' } as const;

export const recordingCommands: readonly Command[] = [
  command('dr_enable', [], 'Switches all recordings on.', ({ submit }) => submit(record('enable'))),
  command('dr_disable', [], 'Switches all recordings off.', ({ submit }) => submit(record('disable'))),
  command('dr_enable_group', [group], 'Switches one recording on.', ({ submit }, [name]) =>
    submit(record('enable', name)),
  ),
  command('dr_disable_group', [group], 'Switches one recording off.', ({ submit }, [name]) =>
    submit(record('disable', name)),
  ),
  command('dr_record_now_group', [group], 'Records the values of this moment.', ({ submit }, [name]) =>
    submit(record('now', name)),
  ),
];
