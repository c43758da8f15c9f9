// Commands on data recording. Trick: data_record_proto.h
import { type Run, ScriptError, type ScriptValue, typeName } from '../../python/index.js';
import { type Command, type CommandContext, command } from './command.js';
import { fileBytes, GROUP_CLASSES, type GroupClass, type GroupControl, RecordingValue } from './recording-value.js';

const DONE = 0n;
const record = ({ submit }: CommandContext, control: GroupControl): ScriptValue => {
  submit({ kind: 'record', control });
  return DONE;
};

/** `trick.DRAscii("ball")`; add_data_record_group starts the recording. */
const newGroup = (name: GroupClass, file: string): Command =>
  command(name, [{ name: 'in_name', type: 'text' }], `Makes a recording that writes ${file}.`, (context, [group]) => {
    requireName(group);
    const whyNot = name === 'DRHDF5' && whyNoHdf5(context);
    if (!whyNot) return new RecordingValue(name, group, context);
    context.session.publish(`${whyNot}, log_${group} is written as a .trk file`, 'warning');
    return new RecordingValue(name, group, context, true, false, 'binary');
  });

/** Why a recording does not become an .h5 file; undefined when it does. */
function whyNoHdf5({ isOperators }: CommandContext): string | undefined {
  if (!isOperators) return 'HDF5 is not written for clients';
  try {
    import.meta.resolve('h5wasm');
    return undefined;
  } catch {
    return 'HDF5 is not written without the package h5wasm (npm install h5wasm)';
  }
}

/** No file has a longer name. */
const LONGEST_NAME = 100;
function requireName(name: string): void {
  if (name.length > LONGEST_NAME)
    throw new ScriptError('ValueError', `a recording's name has at most ${LONGEST_NAME} characters`);
}

const CLASSES = Object.keys(GROUP_CLASSES) as GroupClass[];

/** The groups in the order in which they were added, as the simulation knows them. */
function* groupsOf(context: CommandContext): Run<RecordingValue[]> {
  const asked = yield* context.ask({ kind: 'record', control: { action: 'list' } });
  if ('refusal' in asked) throw new ScriptError('RuntimeError', asked.refusal);
  return ((asked.value ?? []) as readonly string[]).map((line) => {
    const [format = '', name = ''] = line.split(' ');
    const kind = CLASSES.find((name) => GROUP_CLASSES[name] === format) ?? 'DRBinary';
    return new RecordingValue(kind, name, context, false, true);
  });
}

/** Finding a variable takes the simulation about as long as so many steps. */
const STEPS_A_VARIABLE = 4;

const group = { name: 'in_name', type: 'text' } as const;
const bytes = { name: 'bytes', type: 'number' } as const;

/** The group that an argument holds. */
function groupIn(called: string, value: ScriptValue): RecordingValue {
  if (value instanceof RecordingValue) return value;
  throw new ScriptError('TypeError', `${called}() takes a recording, not ${typeName(value)}`);
}

const switching = (name: string, action: 'enable' | 'disable' | 'now', about: string): Command =>
  command(name, [group], about, (context, [of]) => record(context, { action, group: of }));

export const recordingCommands: readonly Command[] = [
  newGroup('DRAscii', 'a .csv file'),
  newGroup('DRBinary', 'a .trk file'),
  newGroup(
    'DRHDF5',
    'a .trk file, which becomes an .h5 file when the run ends, in an input file and with the package h5wasm',
  ),
  command(
    'add_data_record_group',
    [
      { name: 'in_group', type: 'value' },
      { name: 'buffering', type: 'integer', standard: 3n },
    ],
    'Starts a recording that was made by DRAscii, DRBinary or DRHDF5.',
    (context, [made]) => {
      const added = groupIn('add_data_record_group', made);
      context.spend(STEPS_A_VARIABLE * added.size);
      context.allocate(added.copiedBytes);
      added.add(context);
      return DONE;
    },
  ),
  command(
    'remove_data_record_group',
    [{ name: 'in_group', type: 'value' }],
    'Ends a recording, with all its rows written.',
    (context, [made]) => record(context, { action: 'remove', group: groupIn('remove_data_record_group', made).name }),
  ),
  command('remove_all_data_record_groups', [], 'Ends all recordings.', (context) => {
    record(context, { action: 'remove' });
  }),
  command(
    'get_data_record_group',
    [group],
    'Answers a recording by its name, or None.',
    function* (context, [wanted]): Run<ScriptValue> {
      return (yield* groupsOf(context)).find(({ name }) => name === wanted) ?? null;
    },
  ),
  command(
    'get_data_record_group_by_idx',
    [{ name: 'idx', type: 'integer' }],
    'Answers a recording by its number, from 0, or None.',
    function* (context, [index]): Run<ScriptValue> {
      return (yield* groupsOf(context))[Number(index)] ?? null;
    },
  ),
  command(
    'get_num_data_record_groups',
    [],
    'Answers how many recordings there are.',
    function* (context): Run<ScriptValue> {
      return BigInt((yield* groupsOf(context)).length);
    },
  ),
  command('dr_enable', [], 'Switches all recordings on.', (context) => record(context, { action: 'enable' })),
  command('dr_disable', [], 'Switches all recordings off.', (context) => record(context, { action: 'disable' })),
  switching('dr_enable_group', 'enable', 'Switches one recording on.'),
  switching('dr_disable_group', 'disable', 'Switches one recording off.'),
  switching('dr_record_now_group', 'now', 'Records the values of this moment.'),
  command(
    'set_max_size_record_group',
    [group, bytes],
    "Sets the largest size of a recording's file in bytes; 0 means no limit.",
    (context, [of, most]) =>
      record(context, { action: 'change', group: of, options: { maxFileBytes: fileBytes(most) } }),
  ),
  command('dr_set_max_file_size', [bytes], 'The same for all recordings.', (context, [most]) =>
    record(context, { action: 'change', options: { maxFileBytes: fileBytes(most) } }),
  ),
];
