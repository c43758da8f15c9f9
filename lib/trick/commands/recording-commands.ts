// Commands on data recording. Trick: data_record_proto.h
import type { Request } from '../../source/source.js';
import { ScriptError } from '../interpreter/error.js';
import { typeName } from '../interpreter/values.js';
import { type Command, command } from './command.js';
import { RecordingValue } from './recording-value.js';

type RecordAction = 'enable' | 'disable' | 'now';

const record = (action: RecordAction, group?: string): Request => ({
  kind: 'record',
  control: group === undefined ? { action } : { action, group },
});

/** `trick.DRAscii("ball")`; add_data_record_group starts the recording. */
const newGroup = (name: 'DRAscii' | 'DRBinary', file: string): Command =>
  command(
    name,
    [{ name: 'in_name', type: 'text' }],
    `Makes a recording that writes ${file}.`,
    ({ submit }, [group]) => new RecordingValue(name, group, (control) => submit({ kind: 'record', control })),
  );

const group = { name: 'in_name', type: 'text' } as const;

export const recordingCommands: readonly Command[] = [
  newGroup('DRAscii', 'a .csv file'),
  newGroup('DRBinary', 'a .trk file'),
  command(
    'add_data_record_group',
    [
      { name: 'in_group', type: 'value' },
      { name: 'buffering', type: 'integer', standard: 0n },
    ],
    'Starts a recording that was made by DRAscii or DRBinary.',
    (_, [made]) => {
      if (!(made instanceof RecordingValue))
        throw new ScriptError('TypeError', `add_data_record_group() takes a recording, not ${typeName(made)}`);
      made.add();
    },
  ),
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
