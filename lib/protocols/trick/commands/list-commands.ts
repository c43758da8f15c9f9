// Commands on a session's list of variables. Trick: VariableServerSession_commands.cpp
import { inUnits, Quantity, type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { EVENT_COUNT } from '../events/event-names.js';
import { isLong } from '../session/list-maker.js';
import { NameList } from '../session/name-list.js';
import { shownElementBytes } from '../wire/value-text.js';
import { answering, answeringZero, type Command, type CommandContext, command, type Reading } from './command.js';

const name = { name: 'in_name', type: 'text' } as const;

/** What a command waits for before it runs; a long message waits while it is made. */
const readBefore = (names: Iterable<string>, count: { readonly length: number }): Reading => ({
  paths: isLong(count) ? [] : names,
  mostBytes: shownElementBytes,
});

function sendOnce(context: CommandContext, list: string, count: bigint): Run<ScriptValue> | undefined {
  const names = new NameList(list);
  if (BigInt(names.length) === count) return sending(context, names.length, context.session.sendOnce(names));
  context.complain(`var_send_once: ${names.length} names were given, ${count} announced; nothing is sent`);
  return undefined;
}

/** Variables of a message that take about as long as one step. */
const VARIABLES_PER_STEP = 16;

/** Names of a list that are compared in the time of one step. */
const NAMES_PER_STEP = 64;

/** Counts the variables of a message once it is sent, so that the block gives way after it. */
function sending(
  { spend }: CommandContext,
  variables: number,
  work: Run<void> | undefined,
): Run<ScriptValue> | undefined {
  const sent = (): void => spend(Math.ceil(variables / VARIABLES_PER_STEP));
  if (work) return answering(work, 0n, sent);
  sent();
  return undefined;
}

const settingCommands: readonly Command[] = answeringZero([
  command(
    'var_add',
    [name, { name: 'units_name', type: 'text', standard: '' }],
    'Adds a variable to the end of the list, in the given units if it has any.',
    ({ session, server: { elsewhere } }, [variable, units]) => {
      session.add(variable, units);
      // A viewer reads it at its start, before it asks for the events.
      return elsewhere && variable.trim() === EVENT_COUNT ? answering(elsewhere.look(), 0n) : undefined;
    },
    // Waits for a frame that carries the variable, so that a list that is copied by frames has no gap when it grows.
    {
      reads: ({ session }, [variable]) => ({
        paths: session.cadence.isCopiedByFrames ? [variable] : [],
        mostBytes: shownElementBytes,
      }),
    },
  ),
  command(
    'var_remove',
    [name],
    'Removes the first variable of that name from the list.',
    ({ session, spend }, [variable]) => spend(session.remove(variable) / NAMES_PER_STEP),
  ),
  command(
    'var_units',
    [
      { name: 'var_name', type: 'text' },
      { name: 'units_name', type: 'text' },
    ],
    'Changes the units of the first variable of that name in the list.',
    ({ session, spend }, [variable, units]) => spend(session.setUnits(variable, units) / NAMES_PER_STEP),
  ),
  command('var_clear', [], 'Empties the list.', ({ session }) => session.clear()),
  command(
    'var_send',
    [],
    'Sends the list now.',
    (context) => sending(context, context.session.listLength, context.session.sendList()),
    { reads: ({ session }) => readBefore(session.listedNames(), { length: session.listLength }) },
  ),
  command(
    'var_send_once',
    [name, { name: 'num', type: 'integer', standard: 1n }],
    'Sends the values of comma-separated names, as many as announced, without changing the list.',
    (context, [list, count]) => sendOnce(context, list, count),
    {
      reads: (_, [list]) => {
        const names = new NameList(list);
        return readBefore(names, names);
      },
    },
  ),
  command(
    'var_exists',
    [name],
    'Tells whether a variable exists.',
    ({ session }, [variable]) => session.sendExists(variable),
    { reads: (_, [variable]) => ({ paths: [variable], part: 'head' }) },
  ),
  command(
    'var_get_stl_size',
    [name],
    'Tells how many elements a container has.',
    ({ session }, [variable]) => session.sendStlSize(variable),
    { reads: (_, [variable]) => ({ paths: [variable], part: 'head' }) },
  ),
  command('var_send_list_size', [], 'Tells how many variables the list has.', ({ session }) => session.sendListSize()),
  command(
    'var_set',
    [
      { name: 'var', type: 'text' },
      { name: 'value', type: 'scalar' },
      { name: 'units', type: 'text', standard: '' },
    ],
    "Stores a value in a variable, in the given units or the variable's own; answers 1 when it may not be written, 2 when there is none.",
    ({ set }, [variable, given, named]) => {
      const units = named === '' || named === 'xx' ? undefined : named;
      if (!(given instanceof Quantity)) return BigInt(set(variable, given, units));
      return BigInt(set(variable, units === undefined ? given.magnitude : inUnits(given, units), units ?? given.units));
    },
  ),
]);

export const listCommands: readonly Command[] = [
  ...settingCommands,
  command(
    'var_get',
    [{ name: 'var', type: 'text' }],
    'Returns the value of a variable, as its name does in a text.',
    ({ session, variable }, [path]) => {
      const value = variable(path);
      if (value === undefined) throw new ScriptError('AttributeError', session.catalog.explain(path));
      return value;
    },
    { reads: (_, [path]) => ({ paths: [path], part: 'head' }) },
  ),
];
