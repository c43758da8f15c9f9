// The module `trick` as blocks see it: the commands, the simulation's functions and labels, and attach_units.
import type { Catalog } from '../../../model/state/catalog.js';
import type { Type } from '../../../model/state/type.js';
import { mapTrickUnits } from '../../../model/units/index.js';
import {
  type Arguments,
  bindArguments,
  type Callable,
  ClassValue,
  DEEPEST,
  HostVariable,
  inUnits,
  isRun,
  itemsOf,
  ListValue,
  type Meter,
  type ModuleValue,
  Quantity,
  type Run,
  ScriptError,
  type ScriptValue,
  type Tools,
  TupleValue,
  tooDeep,
} from '../../python/index.js';
import type { Command, CommandContext, Reading } from '../commands/command.js';
import { CONSTANTS } from '../commands/constants.js';
import { COMMANDS } from '../commands/table.js';
import { commandName, sayOnce, withoutEffect } from '../commands/without-effect.js';
import { CLASS_LABELS } from '../monte-carlo/classes.js';
import { inputProcessor } from './input-processor.js';
import { DOUBLE } from './simulation-variable.js';

/** A command counts as this many steps, so that the clock is looked at often. */
const COMMAND_STEPS = 16;

/** What they answer is what `os.getenv` answers. Trick: env_proto.h */
const ENVIRONMENT: ReadonlySet<string> = new Set(['get_trick_env', 'env_get_var']);

/** What a command needs of the block that calls it. */
export interface CommandSurroundings extends CommandContext {
  /** The meter of the running block. */
  readonly meter: Meter;
  readonly modules: ReadonlyMap<string, ModuleValue>;
  /** Whether the latest frame shows the paths and all that the session wrote. Throws a ScriptError when no frame ever will. */
  canReadAll(reading: Reading): boolean;
  /** Calls a function that the simulation registered; its result comes back with the frame that shows what it did. */
  callSimulation(name: string, args: Arguments): Run<ScriptValue>;
}

/** The block that calls: a command acts for it, wherever it has found the command. */
export const blockOf = ({ block }: Tools): CommandSurroundings => block as CommandSurroundings;

/** A function that the simulation registered. */
export const simFunction = (name: string): Callable => ({
  kind: 'callable',
  name,
  call: (args, tools) => blockOf(tools).callSimulation(name, args),
});

export class TrickModule implements ModuleValue {
  readonly kind = 'module';
  readonly name = 'trick';
  private readonly callables = new Map<string, Callable>();

  constructor(private readonly surroundings: CommandSurroundings) {}

  attribute(given: string): ScriptValue | undefined {
    const name = commandName(given);
    const { isOperators, server } = this.surroundings;
    const ofStudy = isOperators ? server.study.attribute(name) : undefined;
    if (ofStudy) return ofStudy;
    const known = this.callables.get(name);
    if (known) return known;
    const command = COMMANDS.get(name);
    if (command) {
      const callable = this.callableOf(command);
      this.callables.set(name, callable);
      return callable;
    }
    const { catalog } = this.surroundings.session;
    const label = catalog.labels.get(name) ?? CONSTANTS.get(name);
    if (label !== undefined) return BigInt(label);
    if (catalog.functions.has(name)) return simFunction(name);
    // SWIG's name of the module that has the commands.
    if (name === 'sim_services') return this;
    if (name === ATTACH_UNITS.name) return ATTACH_UNITS;
    if (name === 'ip_parse') return inputProcessor.attribute('parse');
    if (ENVIRONMENT.has(name)) return this.surroundings.modules.get('os')?.attribute('getenv');
    const empty = withoutEffect(name);
    const labels = CLASS_LABELS.get(name) ?? labelsOf(catalog.typeInUse(name)) ?? labelsWithin(name, catalog);
    return labels ? new ClassValue(name, empty?.call, [], labels) : empty;
  }

  /** NASA's files assign to functions where a call is meant, which does nothing in Trick either. */
  setAttribute(name: string): boolean {
    const { isOperators } = this.surroundings;
    const isFunction = COMMANDS.has(commandName(name)) || withoutEffect(name) !== undefined;
    if (!isOperators || !isFunction) return false;
    sayOnce(
      this.surroundings,
      `trick.${name} is a function: an assignment to it does nothing, trick.${name}(...) calls it`,
    );
    return true;
  }

  names(): Iterable<string> {
    const { functions } = this.surroundings.session.catalog;
    return [...COMMANDS.keys(), ...functions.keys(), ATTACH_UNITS.name];
  }

  private callableOf(command: Command): Callable {
    return { kind: 'callable', name: command.name, call: (args, tools) => called(command, args, blockOf(tools)) };
  }
}

/** The labels of an enumeration, or of those that a structure's members have: `trick.Lander.DESCENT`. */
function labelsOf(type: Type | undefined): ReadonlyMap<string, bigint> | undefined {
  if (type?.kind === 'enumeration')
    return new Map(Object.entries(type.labels).map(([label, value]) => [label, BigInt(value)]));
  if (type?.kind !== 'struct') return undefined;
  const found = type.members.map(({ type: own }) => (own.kind === 'enumeration' ? labelsOf(own) : undefined));
  return new Map(found.flatMap((labels) => [...(labels ?? [])]));
}

/** The labels of the enumerations of a class that is no type here itself: `trick.Orientation.Yaw_Pitch_Roll`. */
function labelsWithin(name: string, catalog: Catalog): ReadonlyMap<string, bigint> | undefined {
  const found = catalog.enumerations().filter((one) => one.name.startsWith(`${name}::`));
  return found.length === 0 ? undefined : new Map(found.flatMap((one) => [...(labelsOf(one) ?? [])]));
}

function called(command: Command, args: Arguments, block: CommandSurroundings): ScriptValue | Run<ScriptValue> {
  requireCount(command, args);
  const values = bindArguments(command.name, command.parameters, args);
  block.meter.spend(COMMAND_STEPS);
  const isReadable = (): boolean => !command.reads || block.canReadAll(command.reads(block, values));
  const run = (): ScriptValue | Run<ScriptValue> => command.run(block, values) ?? null;
  return isReadable() ? run() : onceReadable(isReadable, run);
}

function* onceReadable(isReadable: () => boolean, run: () => ScriptValue | Run<ScriptValue>): Run<ScriptValue> {
  while (!isReadable()) yield 'settled';
  const result = run();
  return isRun(result) ? yield* result : result;
}

/** Throws a TypeError in SWIG's words for Trick's functions without default arguments. */
function requireCount({ name, parameters }: Command, { positional, keywords }: Arguments): void {
  const [wanted, given] = [parameters.length, positional.length];
  if (given === wanted || keywords.length > 0 || parameters.some(({ standard }) => standard !== undefined)) return;
  if (wanted > 1) throw new ScriptError('TypeError', `${name} expected ${wanted} arguments, got ${given}`);
  const takes = wanted === 0 ? 'no arguments' : 'exactly one argument';
  throw new ScriptError('TypeError', `_sim_services.${name}() takes ${takes} (${given} given)`);
}

/** Gives a number units, or converts one that has units already. Trick: attach_units */
const ATTACH_UNITS: Callable = {
  kind: 'callable',
  name: 'attach_units',
  takesElements: true,
  call: (args, tools) => {
    const [units = '', value = null] = bindArguments(
      'attach_units',
      [
        { name: 'in_units', type: 'text' },
        { name: 'in_object', type: 'quantity' },
      ],
      args,
    );
    const wanted = mapTrickUnits((units as string).replaceAll(/\s/g, ''));
    return attachedToOne(wanted, value, tools.meter) ?? attachedToAll(wanted, value, tools, 0);
  },
};

const QUANTITY_BYTES = 48;

/** Undefined for a value that is no number. */
function attachedToOne(units: string, value: ScriptValue, meter: Meter): Quantity | undefined {
  meter.allocate(QUANTITY_BYTES);
  if (value instanceof Quantity)
    return new Quantity(value.hasUnits ? inUnits(value, units) : value.magnitude, units, value.form);
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? new Quantity(value, units, DOUBLE)
    : undefined;
}

/** Each number of a list, of lists in it, and of an array. */
function* attachedToAll(units: string, value: ScriptValue, tools: Tools, depth: number): Run<ScriptValue> {
  if (depth > DEEPEST) throw tooDeep();
  const items = value instanceof HostVariable ? tools.iterate(value) : itemsOf(value);
  if (!items) throw new ScriptError('TypeError', 'attach_units() takes units and a number or a list of numbers');
  const quantities: ScriptValue[] = [];
  for (const item of items) {
    if (tools.meter.isTurnOver) yield 'turn';
    const one = attachedToOne(units, item, tools.meter);
    quantities.push(one ?? (yield* attachedToAll(units, item, tools, depth + 1)));
  }
  return value instanceof TupleValue ? new TupleValue(quantities) : new ListValue(quantities);
}
