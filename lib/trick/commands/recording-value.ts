// A recording group as input files build it: `trick.DRAscii("ball")`. Trick: DataRecordGroup.hh
import type { Request } from '../../source/source.js';
import { ScriptError } from '../interpreter/error.js';
import { bindArguments, type Parameter } from '../interpreter/parameter.js';
import type { Callable, ObjectValue, ScriptValue } from '../interpreter/values.js';

type GroupControl = Extract<Request, { readonly kind: 'record' }>['control'];
export type GroupOptions = Extract<GroupControl, { readonly action: 'add' }>['options'];

/** Trick: DR_Freq */
const FREQUENCIES = ['always', 'change', 'change step'] as const;
/** Trick: DR_Freq, DR_Buffering. The constants of buffering have no effect here. */
export const RECORDING_CONSTANTS: ReadonlyMap<string, bigint> = new Map([
  ['DR_Always', 0n],
  ['DR_Changes', 1n],
  ['DR_Changes_Step', 2n],
  ['DR_Buffer', 0n],
  ['DR_No_Buffer', 1n],
  ['DR_Ring_Buffer', 2n],
  ['DR_Thread_Buffer', 3n],
  ['DR_Not_Specified', 4n],
]);

const MOST_VARIABLES = 10_000;
const flag = [{ name: 'on_off', type: 'boolean', standard: true }] as const;

interface Method {
  readonly parameters: readonly Parameter[];
  readonly run: (group: RecordingValue, values: readonly ScriptValue[]) => void;
}

const METHODS: Readonly<Record<string, Method>> = {
  set_cycle: {
    parameters: [{ name: 'in_cycle', type: 'number' }],
    run: (group, [seconds]) => {
      group.cycle = seconds as number;
    },
  },
  set_freq: {
    parameters: [{ name: 'in_freq', type: 'integer' }],
    run: (group, [frequency]) => {
      const when = FREQUENCIES[Number(frequency)];
      if (!when) throw new ScriptError('ValueError', `set_freq() takes trick.DR_Always, DR_Changes or DR_Changes_Step`);
      group.when = when;
    },
  },
  add_variable: {
    parameters: [
      { name: 'in_name', type: 'text' },
      { name: 'alias', type: 'text', standard: '' },
    ],
    run: (group, [name]) => {
      if (group.variables.length >= MOST_VARIABLES)
        throw new ScriptError('MemoryError', `a group records at most ${MOST_VARIABLES} variables`);
      group.variables.push(name as string);
    },
  },
  enable: { parameters: [], run: (group) => group.setEnabled(true) },
  disable: { parameters: [], run: (group) => group.setEnabled(false) },
  set_max_file_size: {
    parameters: [{ name: 'bytes', type: 'number' }],
    run: (group, [bytes]) => {
      group.maxFileBytes = bytes as number;
    },
  },
  set_single_prec_only: { parameters: flag, run: () => undefined },
  set_buffer_type: { parameters: [{ name: 'in_buffering', type: 'integer' }], run: () => undefined },
};

export class RecordingValue implements ObjectValue {
  readonly kind = 'object';
  readonly variables: string[] = [];
  cycle: number | undefined;
  when: (typeof FREQUENCIES)[number] = 'always';
  maxFileBytes: number | undefined;
  private isEnabled = true;
  private isAdded = false;

  constructor(
    readonly typeName: 'DRAscii' | 'DRBinary',
    readonly name: string,
    private readonly control: (control: GroupControl) => void,
  ) {}

  attribute(name: string): ScriptValue | undefined {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (!method) return undefined;
    const call: Callable['call'] = (args) => {
      method.run(this, bindArguments(name, method.parameters, args));
      return 0n;
    };
    return { kind: 'callable', name, call };
  }

  setAttribute(): boolean {
    return false;
  }

  names(): Iterable<string> {
    return Object.keys(METHODS);
  }

  setEnabled(isEnabled: boolean): void {
    this.isEnabled = isEnabled;
    if (this.isAdded) this.control({ action: isEnabled ? 'enable' : 'disable', group: this.name });
  }

  /** Trick: add_data_record_group */
  add(): void {
    this.isAdded = true;
    const options: GroupOptions = {
      format: this.typeName === 'DRAscii' ? 'ascii' : 'binary',
      variables: [...this.variables],
      when: this.when,
      enabled: this.isEnabled,
      ...(this.cycle === undefined ? {} : { cycle: this.cycle }),
      ...(this.maxFileBytes === undefined ? {} : { maxFileBytes: this.maxFileBytes }),
    };
    this.control({ action: 'add', group: this.name, options });
  }
}
