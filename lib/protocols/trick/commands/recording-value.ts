// A recording group as Trick text sees it: `trick.DRAscii("ball")`, `trick.get_data_record_group("ball")`. Trick: DataRecordGroup.hh
import type { Request } from '../../../source/source.js';
import {
  type Arguments,
  arithmetic,
  BoundMethod,
  bindArguments,
  isTrue,
  type ObjectValue,
  type Parameter,
  plain,
  ScriptError,
  type ScriptValue,
  type Tools,
} from '../../python/index.js';
import { type CommandContext, contextOf } from './command.js';

export type GroupControl = Extract<Request, { readonly kind: 'record' }>['control'];
export type GroupOptions = Extract<GroupControl, { readonly action: 'add' }>['options'];
type Changes = Extract<GroupControl, { readonly action: 'change' }>['options'];

/** Trick: DR_Freq */
const FREQUENCIES = ['always', 'change', 'change step'] as const;

const MOST_VARIABLES = 10_000;
const MOST_CYCLES = 10;
const LONGEST_NAME = 4096;
const MOST_CHARACTERS = 1_000_000;
/** Bytes of a group without variables. */
const GROUP_BYTES = 512;

/** The classes of groups, and what their files are. */
export const GROUP_CLASSES = { DRAscii: 'ascii', DRBinary: 'binary', DRHDF5: 'hdf5' } as const;
export type GroupClass = keyof typeof GROUP_CLASSES;

const CYCLE = { name: 'in_cycle', type: 'seconds' } as const;

interface Method {
  readonly parameters: readonly Parameter[];
  /** Whether it compares all paths of the group with something. */
  readonly isSearch?: boolean;
  readonly run: (group: RecordingValue, values: readonly ScriptValue[]) => ScriptValue | undefined;
}

/** A method without effect here, which returns 0 as in Trick. */
const accepted = (name: string, type: Parameter['type']): Method => ({
  parameters: [{ name, type }],
  run: () => undefined,
});

/** A method that takes one text. */
const ofText = (name: string, run: (group: RecordingValue, text: string) => void): Method => ({
  parameters: [{ name, type: 'text' }],
  run: (group, [text]) => void run(group, text as string),
});

const METHODS: Readonly<Record<string, Method>> = {
  get_group_name: { parameters: [], run: (group) => group.name },
  set_cycle: {
    parameters: [CYCLE],
    run: (group, [seconds]) => group.change({ cycleSeconds: seconds as number }),
  },
  add_cycle: {
    parameters: [CYCLE],
    run: (group, [seconds]) => group.addCycle(seconds as number),
  },
  set_freq: {
    parameters: [{ name: 'in_freq', type: 'integer' }],
    run: (group, [frequency]) => group.change({ when: frequencyOf(frequency ?? null) }),
  },
  add_variable: {
    parameters: [
      { name: 'in_name', type: 'text' },
      { name: 'alias', type: 'text', standard: '' },
    ],
    run: (group, [path, name]) => group.addVariable(path as string, name as string),
  },
  add_change_variable: ofText('in_name', (group, path) => group.addChange(path)),
  remove_variable: { ...ofText('in_name', (group, path) => group.removeVariable(path.trim())), isSearch: true },
  remove_all_variables: { parameters: [], run: (group) => group.removeAll() },
  enable: { parameters: [], run: (group) => group.change({ enabled: true }) },
  disable: { parameters: [], run: (group) => group.change({ enabled: false }) },
  set_max_file_size: {
    parameters: [{ name: 'bytes', type: 'number' }],
    run: (group, [bytes]) => group.change({ maxFileBytes: fileBytes(bytes as number) }),
  },
  set_single_prec_only: {
    parameters: [{ name: 'in_single_prec_only', type: 'boolean' }],
    run: (group, [isSingle]) => group.change({ isSinglePrecision: isSingle as boolean }),
  },
  set_delimiter: ofText('in_delimiter', (group, delimiter) => group.change({ delimiter })),
  set_buffer_type: accepted('buffer_type', 'integer'),
  set_max_buffer_size: accepted('num', 'integer'),
  set_phase: accepted('in_phase', 'integer'),
  set_thread: accepted('in_thread_id', 'integer'),
  set_job_class: accepted('in_class', 'text'),
};

function cycleOf(value: ScriptValue): number {
  const [seconds] = bindArguments('cycle', [CYCLE], { positional: [value], keywords: [] });
  return seconds as number;
}

function frequencyOf(value: ScriptValue): (typeof FREQUENCIES)[number] {
  const when = FREQUENCIES[Number(arithmetic(plain(value)) ?? -1)];
  if (when) return when;
  throw new ScriptError('ValueError', 'a frequency is trick.DR_Always, DR_Changes or DR_Changes_Step');
}

/** 0 means no limit. Trick: DataRecordGroup::set_max_file_size */
export function fileBytes(bytes: number): number {
  if (bytes >= 0 && bytes < Number.POSITIVE_INFINITY) return bytes === 0 ? Number.MAX_SAFE_INTEGER : bytes;
  throw new ScriptError('ValueError', `a file's largest size is a number of bytes from 0 up, not ${bytes}`);
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['single_prec_only', 'freq', 'cycle']);

/** A group that is being built, or a hold on one that has been added: then every change goes to the simulation. */
export class RecordingValue implements ObjectValue {
  readonly kind = 'object';
  private options: Changes = {};
  private variables: GroupOptions['variables'][number][] = [];
  private changes: string[] = [];
  private variableBytes = 0;
  /** Of paths and names: all are copied on their way to the simulation. */
  private characters = 0;

  /** @param block acts on the group: the last one whose text uses it. */
  constructor(
    readonly typeName: GroupClass,
    readonly name: string,
    private block: Pick<CommandContext, 'submit'>,
    /** Whether this text has built the group and so knows all its settings. */
    private readonly isOwn = true,
    private isAdded = false,
    private readonly format: (typeof GROUP_CLASSES)[GroupClass] = GROUP_CLASSES[typeName],
  ) {}

  ownCopy(): RecordingValue {
    const copy = new RecordingValue(this.typeName, this.name, this.block, this.isOwn, this.isAdded, this.format);
    copy.options = this.options;
    copy.variables = [...this.variables];
    copy.changes = [...this.changes];
    copy.variableBytes = this.variableBytes;
    copy.characters = this.characters;
    return copy;
  }

  get heldBytes(): number {
    return GROUP_BYTES + this.variableBytes;
  }

  attribute(name: string): ScriptValue | undefined {
    if (name === 'thisown') return 0n;
    // A hold on another text's group does not know its settings.
    if (!this.isOwn && ATTRIBUTES.has(name)) return undefined;
    if (name === 'single_prec_only') return this.options.isSinglePrecision ?? false;
    if (name === 'freq') return BigInt(FREQUENCIES.indexOf(this.options.when ?? 'always'));
    if (name === 'cycle') return this.options.cycleSeconds ?? 0.1;
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) return undefined;
    return new BoundMethod(name, this, (self, args, tools) =>
      (self as RecordingValue).called(name, method, args, tools),
    );
  }

  private called(name: string, method: Method, args: Arguments, tools: Tools): ScriptValue {
    const { meter } = tools;
    this.block = contextOf(tools);
    const values = bindArguments(name, method.parameters, args);
    // A change of a group that has been added copies its lists.
    meter.allocate(this.isAdded ? this.copiedBytes : 1);
    if (method.isSearch) meter.spend(this.size / PATHS_PER_STEP);
    return method.run(this, values) ?? 0n;
  }

  setAttribute(name: string, value: ScriptValue, tools: Tools): boolean {
    if (name === 'thisown') return true;
    this.block = contextOf(tools);
    if (name === 'single_prec_only') this.change({ isSinglePrecision: isTrue(value) });
    else if (name === 'freq') this.change({ when: frequencyOf(value) });
    else if (name === 'cycle') this.change({ cycleSeconds: cycleOf(value) });
    else return false;
    return true;
  }

  names(): Iterable<string> {
    return [...Object.keys(METHODS), 'thisown', ...ATTRIBUTES];
  }

  /** Trick: add_data_record_group */
  add(block: Pick<CommandContext, 'submit'>): void {
    this.block = block;
    const { name, format, variables, changes } = this;
    this.isAdded = true;
    const options = { ...this.options, variables: [...variables], changes: [...changes] };
    this.control({
      action: 'add',
      group: name,
      options: { ...options, format, unknown: 'leave out' },
    });
  }

  private control(control: GroupControl): void {
    this.block.submit({ kind: 'record', control });
  }

  /** How many paths it holds. */
  get size(): number {
    return this.variables.length + this.changes.length;
  }

  /** What is copied when it is added. */
  get copiedBytes(): number {
    return SLOT_BYTES * this.size + this.characters;
  }

  change(changes: Changes): undefined {
    this.options = { ...this.options, ...changes };
    if (this.isAdded) this.control({ action: 'change', group: this.name, options: changes });
    return undefined;
  }

  addCycle(seconds: number): undefined {
    this.requireOwn('add_cycle');
    const { moreCyclesSeconds = [] } = this.options;
    if (moreCyclesSeconds.length >= MOST_CYCLES)
      throw new ScriptError('MemoryError', `a group has at most ${MOST_CYCLES} cycles more`);
    return this.change({ moreCyclesSeconds: [...moreCyclesSeconds, seconds] });
  }

  addVariable(path: string, name: string): undefined {
    const trimmed = this.newPath(path, name);
    this.variables.push(name === '' ? trimmed : { path: trimmed, name });
    return this.sendVariables();
  }

  addChange(path: string): void {
    const trimmed = this.newPath(path);
    this.changes.push(trimmed);
    this.sendVariables();
  }

  removeVariable(path: string): void {
    this.requireOwn('remove_variable');
    this.variables = this.variables.filter((one) => (typeof one === 'string' ? one : one.path) !== path);
    this.changes = this.changes.filter((one) => one !== path);
    this.sendVariables();
  }

  removeAll(): undefined {
    this.requireOwn('remove_variable');
    this.variables = [];
    this.changes = [];
    return this.sendVariables();
  }

  /** Sends the list of variables; the simulation accepts it until the group has a row. */
  private sendVariables(): undefined {
    if (!this.isAdded) return undefined;
    const options = { variables: [...this.variables], changes: [...this.changes] };
    this.control({ action: 'change', group: this.name, options });
    return undefined;
  }

  /** Returns a path that may be added to those that are recorded. Throws a ScriptError when there are too many. */
  private newPath(path: string, name = ''): string {
    this.requireOwn('add_variable');
    if (this.size >= MOST_VARIABLES)
      throw new ScriptError('MemoryError', `a group records at most ${MOST_VARIABLES} variables`);
    const trimmed = path.trim();
    if (Math.max(trimmed.length, name.length) > LONGEST_NAME)
      throw new ScriptError('MemoryError', `a path has at most ${LONGEST_NAME} characters, and so has a name`);
    const characters = trimmed.length + name.length;
    if (this.characters + characters > MOST_CHARACTERS)
      throw new ScriptError('MemoryError', `the paths and names of a group have at most ${MOST_CHARACTERS} characters`);
    this.characters += characters;
    this.variableBytes += SLOT_BYTES + 2 * characters;
    return trimmed;
  }

  /** A group that another text has built is recorded with the variables that it has. */
  private requireOwn(method: string): void {
    if (this.isOwn) return;
    throw new ScriptError('RuntimeError', `${method}() is for the text that has made the group ${this.name}`);
  }
}

/** Paths that are compared in the time of one step. */
const PATHS_PER_STEP = 64;
/** A path in a list, in bytes. */
const SLOT_BYTES = 64;
