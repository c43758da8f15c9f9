// Commands that save and restore a simulation. Trick: checkpoint_proto.h
import { CHARACTERS_PER_STEP, inUnits, Quantity, type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { setFromText } from './checkpoint-text.js';
import { type Command, type CommandContext, command } from './command.js';

const file = { name: 'file_name', type: 'text' } as const;

/** As many objects as a JSON client may name. */
const MOST_OBJECTS = 10_000;

function writeObjects({ submit, spend, complain }: CommandContext, file: string, text: string): void {
  spend(text.length / CHARACTERS_PER_STEP);
  // Empty parts may come before the first name and after the last.
  const objects = text.split(/[\s,]+/, MOST_OBJECTS + 2).filter(Boolean);
  if (objects.length > MOST_OBJECTS)
    complain(`checkpoint_objects: more than ${MOST_OBJECTS} objects were named; nothing is written`);
  else submit({ kind: 'checkpoint', file, objects });
}

/** The number whose bits an integer has. Trick: extra_functions.i */
function ofBits(bits: bigint, lengthBits: 32 | 64): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(lengthBits, bits));
  return lengthBits === 64 ? view.getFloat64(0) : view.getFloat32(4);
}

/** The text of a checkpoint of all objects, for the operator alone: it has values that clients may not read. */
function* spelled({ isOperators, ask, allocate }: CommandContext): Run<ScriptValue> {
  if (!isOperators) throw new ScriptError('RuntimeError', 'a client writes a checkpoint to a file, which it must name');
  const asked = yield* ask({ kind: 'checkpoint', file: '', isText: true });
  if ('refusal' in asked) throw new ScriptError('RuntimeError', asked.refusal);
  const bytes = asked.value as string;
  allocate(2 * bytes.length);
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export const checkpointCommands: readonly Command[] = [
  command(
    'checkpoint',
    [{ ...file, type: 'scalar', standard: '' }],
    'Writes the state to a file in the run directory, chkpnt_<time> by default; given a time in seconds, writes it then.',
    ({ submit, addRead, complain }, [given]) => {
      const what = given instanceof Quantity ? inUnits(given, 's') : given;
      if (typeof what === 'string') submit({ kind: 'checkpoint', file: what });
      else if (typeof what === 'boolean' || !(Number(what) >= 0 && Number(what) < 9e9))
        complain(
          `checkpoint takes a name or seconds from 0 up, not ${what === true ? 'True' : what === false ? 'False' : what}`,
        );
      else if (!addRead(Number(what), 'trick.checkpoint()'))
        complain('too many reads wait already, this one is left out');
    },
  ),
  command(
    'checkpoint_objects',
    [file, { name: 'objects', type: 'text' }],
    'Writes some objects, their names with commas between, to a file in the run directory.',
    (context, [name, objects]) => writeObjects(context, name, objects),
  ),
  command(
    'load_checkpoint',
    [file],
    'Goes on from a checkpoint in the run directory, at its simulation time.',
    ({ submit }, [name]) => submit({ kind: 'load-checkpoint', file: name }),
  ),
  command(
    'TMM_write_checkpoint',
    [
      { name: 'filename', type: 'text', standard: null },
      { name: 'objects', type: 'text', standard: '' },
    ],
    'Does what checkpoint and checkpoint_objects do; without a file it returns the text to an input file, 1 MB at most.',
    (context, [name, objects]) => {
      if (name === null) return spelled(context);
      if (objects !== '') return writeObjects(context, name, objects);
      return context.submit({ kind: 'checkpoint', file: name });
    },
  ),
  command(
    'read_checkpoint_from_string',
    [{ name: 'text', type: 'text' }],
    'Sets the variables that a text in the form of checkpoints assigns, such as "ball.mass {g} = 5.0;"; answers 0, or -1 when it cannot be read.',
    (context, [text]) => setFromText(context, text),
  ),
  ...['TMM_read_checkpoint', 'TMM_init_from_checkpoint'].map((name) =>
    command(name, [file], 'Does what load_checkpoint does; answers 0.', ({ submit }, [from]) => {
      submit({ kind: 'load-checkpoint', file: from });
      return 0n;
    }),
  ),
  ...([64, 32] as const).map((lengthBits) =>
    command(
      lengthBits === 64 ? 'unhex_double' : 'unhex_float',
      [{ name: 'in_value', type: 'integer' }],
      `The number whose ${lengthBits} bits are those of an integer.`,
      (_, [bits]) => ofBits(bits, lengthBits),
    ),
  ),
];
