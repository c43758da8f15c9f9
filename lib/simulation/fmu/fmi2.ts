// An instance of an FMU of FMI 2.0.
import { pathToFileURL } from 'node:url';
import { Calls, Cells } from './calls.js';
import { DISCARD, type EventResult, type Fmi, FmiError, MOST_UPDATES, type StepResult, stepInParts } from './fmi.js';
import type { LogLines } from './log-lines.js';
import type { Family, NumberFamily, Numbers, Setup } from './messages.js';
import { type Koffi, symbolsOfC } from './native.js';
import { deserialize, type StateNames, serialize } from './saved-states.js';
import { formatter, LOGGER_TAKES } from './varargs.js';

const FUNCTIONS: Partial<Record<Family, string>> = {
  Float64: 'Real',
  Int32: 'Integer',
  Boolean: 'Boolean',
  String: 'String',
};

/** Of fmi2StatusKind. */
const LAST_SUCCESSFUL_TIME = 2;
const TERMINATED = 3;
const CO_SIMULATION = 1;
const MODEL_EXCHANGE = 0;
const PERCENT = 37;

/** Bytes of fmi2EventInfo: four or five int, then a double. */
const EVENT_INFO = { newDiscreteStates: 0, terminates: 1, nominals: 2, newStates: 3, hasNext: 4, nextAt: 3 } as const;

const NAMES: StateNames = { state: 'FMUstate', deserialize: 'DeSerializeFMUstate' };

export class Fmi2 implements Fmi {
  readonly generation = 2;
  private readonly calls: Calls;
  private readonly cells = new Cells();
  private readonly instance: bigint;
  private readonly info = new Int32Array(new ArrayBuffer(64));
  private readonly infoFloats = new Float64Array(this.info.buffer);

  constructor(
    private readonly koffi: Koffi,
    private readonly setup: Setup,
    logs: LogLines,
  ) {
    this.calls = new Calls(koffi.load(setup.library), 'fmi2', logs);
    const make = this.calls.function('Instantiate', 'void *', ['str', 'int', 'str', 'str', 'void *', 'int', 'int']);
    const kind = setup.kind === 'co-simulation' ? CO_SIMULATION : MODEL_EXCHANGE;
    const resources = pathToFileURL(setup.resources).href;
    const made = make(setup.name, kind, setup.token, resources, callbacks(koffi, logs), 0, Number(setup.isLogging));
    if (!made) throw new FmiError(`fmi2Instantiate made no instance${why(logs)}`);
    this.instance = made as bigint;
  }

  enterInitialization(startSeconds: number, tolerance: number | undefined): void {
    const takes = ['void *', 'int', 'double', 'double', 'int', 'double'];
    // A stop time would let models refuse steps after it.
    const isGiven = Number(tolerance !== undefined);
    this.calls.checked('SetupExperiment', takes)(this.instance, isGiven, tolerance ?? 0, startSeconds, 0, 0);
    this.call('EnterInitializationMode');
  }

  exitInitialization(): void {
    this.call('ExitInitializationMode');
  }

  get(family: NumberFamily, references: Uint32Array, values: Numbers): void {
    const get = this.calls.checked(`Get${FUNCTIONS[family]}`, ['void *', 'void *', 'size_t', 'void *']);
    get(this.instance, references, references.length, values);
  }

  getTexts(references: Uint32Array): string[] {
    const pointers = this.cells.room(references.length);
    const get = this.calls.checked('GetString', ['void *', 'void *', 'size_t', 'void *']);
    get(this.instance, references, references.length, pointers);
    return Array.from(references, (_, i) => textAt(this.koffi, pointers[i] as bigint));
  }

  set(family: Family, references: Uint32Array, values: Numbers | readonly string[]): void {
    const type = family === 'String' ? 'const char **' : 'void *';
    const set = this.calls.checked(`Set${FUNCTIONS[family]}`, ['void *', 'void *', 'size_t', type]);
    set(this.instance, references, references.length, values);
  }

  step(seconds: number, length: number): StepResult {
    const { floats, words } = this.cells;
    const step = this.calls.checked('DoStep', ['void *', 'double', 'double', 'int'], DISCARD);
    return stepInParts(seconds, length, (at, part) => {
      if (step(this.instance, at, part, 1) !== DISCARD) return { reached: at + part };
      // A discarded step means that the model has come to its end, or that it cannot go this far.
      const takes = ['void *', 'int', 'void *'];
      this.calls.checked('GetBooleanStatus', takes)(this.instance, TERMINATED, words);
      if (words[0]) return { reached: at, terminates: true };
      if (!this.setup.hasVariableSteps) throw new FmiError(`fmi2DoStep has discarded a step of ${part} s`);
      this.calls.checked('GetRealStatus', takes)(this.instance, LAST_SUCCESSFUL_TIME, floats);
      return { reached: floats[0] as number };
    });
  }

  enterEventMode(): void {
    this.call('EnterEventMode');
  }

  update(): EventResult {
    const { info, infoFloats } = this;
    const update = this.calls.checked('NewDiscreteStates', ['void *', 'void *']);
    let hasNewStates = false;
    for (let round = 0; ; round++) {
      if (round === MOST_UPDATES) throw new FmiError('its discrete states change without end');
      update(this.instance, info);
      hasNewStates ||= info[EVENT_INFO.newStates] !== 0;
      if (info[EVENT_INFO.newDiscreteStates] === 0 || info[EVENT_INFO.terminates] !== 0) break;
    }
    const nextSeconds = info[EVENT_INFO.hasNext] ? infoFloats[EVENT_INFO.nextAt] : undefined;
    return { terminates: info[EVENT_INFO.terminates] !== 0, hasNewStates, nextSeconds };
  }

  leaveEventMode(): void {
    this.call('EnterContinuousTimeMode');
  }

  setTime(seconds: number): void {
    this.calls.checked('SetTime', ['void *', 'double'])(this.instance, seconds);
  }
  setStates(states: Float64Array): void {
    this.array('SetContinuousStates', states);
  }
  getStates(states: Float64Array): void {
    this.array('GetContinuousStates', states);
  }
  getNominals(nominals: Float64Array): void {
    this.array('GetNominalsOfContinuousStates', nominals);
  }
  getRates(rates: Float64Array): boolean {
    return this.array('GetDerivatives', rates, DISCARD) !== DISCARD;
  }
  getIndicators(indicators: Float64Array): void {
    this.array('GetEventIndicators', indicators);
  }

  completedStep(): { wantsEvent: boolean; terminates: boolean } {
    const { words } = this.cells;
    const call = this.calls.checked('CompletedIntegratorStep', ['void *', 'int', 'void *', 'void *']);
    call(this.instance, 1, words, words.subarray(1));
    return { wantsEvent: words[0] !== 0, terminates: words[1] !== 0 };
  }

  serialize(): Uint8Array {
    return serialize(this.calls, this.cells, this.instance, NAMES);
  }

  deserialize(bytes: Uint8Array): void {
    deserialize(this.calls, this.cells, this.instance, NAMES, bytes);
  }

  terminate(): void {
    this.call('Terminate');
  }
  free(): void {
    this.calls.function('FreeInstance', 'void', ['void *'])(this.instance);
  }

  private call(name: string): void {
    this.calls.checked(name, ['void *'])(this.instance);
  }

  private array(name: string, numbers: Float64Array, most?: number): unknown {
    if (numbers.length === 0) return undefined;
    return this.calls.checked(name, ['void *', 'void *', 'size_t'], most)(this.instance, numbers, numbers.length);
  }
}

const why = (logs: LogLines): string => (logs.lastComplaint === undefined ? '' : `: ${logs.lastComplaint}`);

export const textAt = (koffi: Koffi, pointer: bigint): string =>
  pointer ? String(koffi.decode(pointer, 'char', -1)) : '';

/** Structures and functions stay for the life of the process, because an instance uses them until it is freed. */
function callbacks(koffi: Koffi, logs: LogLines): bigint {
  const symbol = symbolsOfC(koffi);
  const format = formatter(koffi);
  const log = (_env: bigint, _name: bigint, status: number, category: bigint, message: bigint, ...rest: number[]) => {
    if (logs.isFull) return logs.skip();
    const plain = textAt(koffi, message);
    const text = plain.includes(String.fromCharCode(PERCENT)) ? format(message, rest) : plain;
    logs.add(status, textAt(koffi, category), text);
  };
  const logger = koffi.register(log as never, koffi.pointer(koffi.proto(unique('fmi2Logger'), 'void', LOGGER_TAKES)));
  const structure = koffi.alloc('uint64_t', 5);
  for (const [index, address] of [koffi.address(logger), symbol('calloc'), symbol('free'), 0n, 0n].entries())
    koffi.encode(structure + BigInt(8 * index), 'uint64_t', address);
  return structure;
}

let prototypes = 0;
/** A type of koffi has a name that nothing else has. */
export const unique = (name: string): string => `${name}_${prototypes++}`;
