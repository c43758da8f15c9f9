// An instance of an FMU of FMI 3.0.
import { Calls, Cells } from './calls.js';
import {
  DISCARD,
  type EventResult,
  type Fmi,
  FmiError,
  MOST_UPDATES,
  type StepResult,
  stepInParts,
  WARNING,
} from './fmi.js';
import { textAt, unique } from './fmi2.js';
import type { LogLines } from './log-lines.js';
import type { Family, NumberFamily, Numbers, Setup } from './messages.js';
import type { Koffi } from './native.js';
import { deserialize, type StateNames, serialize } from './saved-states.js';

const NAMES: StateNames = { state: 'FMUState', deserialize: 'DeserializeFMUState' };

const pointers = (count: number): string[] => Array<string>(count).fill('void *');
const nothing = (): void => undefined;

export class Fmi3 implements Fmi {
  readonly generation = 3;
  protected readonly calls: Calls;
  protected readonly cells = new Cells();
  protected readonly instance: bigint;

  constructor(
    private readonly koffi: Koffi,
    private readonly setup: Setup,
    logs: LogLines,
  ) {
    this.calls = new Calls(koffi.load(setup.library), 'fmi3', logs);
    const log = (_env: bigint, status: number, category: bigint, message: bigint): void =>
      logs.isFull ? logs.skip() : logs.add(status, textAt(koffi, category), textAt(koffi, message));
    const callback = (name: string, call: (...given: never[]) => void, takes: readonly string[]): bigint =>
      koffi.register(call, koffi.pointer(koffi.proto(unique(`fmi3${name}`), 'void', takes)));
    const logger = callback('Logger', log, ['void *', 'int', 'void *', 'void *']);
    const { name, token, resources, isLogging, hasEventMode: hasEvents } = setup;
    const [function_, takes, given] = {
      'co-simulation': () => [
        'CoSimulation',
        ['bool', 'bool', 'void *', 'size_t', ...pointers(3)],
        [hasEvents, hasEvents, null, 0, null, logger, null],
      ],
      'model exchange': () => ['ModelExchange', pointers(2), [null, logger]],
      'scheduled execution': () => {
        // It is called on one thread, so nothing preempts it, and its intervals are asked for after each call.
        const [update, lock] = [callback('Update', nothing, ['void *']), callback('Lock', nothing, [])];
        return ['ScheduledExecution', pointers(5), [null, logger, update, lock, lock]];
      },
    }[setup.kind]() as [string, string[], (bigint | boolean | number | null)[]];
    const head = ['str', 'str', 'str', 'bool', 'bool'];
    const make = this.calls.function(`Instantiate${function_}`, 'void *', [...head, ...takes]);
    const made = make(name, token, `${resources}/`, false, isLogging, ...given);
    const said = logs.lastComplaint;
    if (!made) throw new FmiError(`fmi3Instantiate made no instance${said === undefined ? '' : `: ${said}`}`);
    this.instance = made as bigint;
  }

  enterInitialization(startSeconds: number, tolerance: number | undefined): void {
    const enter = this.calls.checked('EnterInitializationMode', [
      'void *',
      'bool',
      'double',
      'double',
      'bool',
      'double',
    ]);
    enter(this.instance, tolerance !== undefined, tolerance ?? 0, startSeconds, false, 0);
  }

  exitInitialization(): void {
    this.call('ExitInitializationMode');
  }

  get(family: NumberFamily, references: Uint32Array, values: Numbers): void {
    const get = this.calls.checked(`Get${family}`, ['void *', 'void *', 'size_t', 'void *', 'size_t']);
    get(this.instance, references, references.length, values, values.length);
  }

  getTexts(references: Uint32Array, count: number): string[] {
    const pointers = this.cells.room(count);
    const get = this.calls.checked('GetString', ['void *', 'void *', 'size_t', 'void *', 'size_t']);
    get(this.instance, references, references.length, pointers, count);
    return Array.from({ length: count }, (_, i) => textAt(this.koffi, pointers[i] as bigint));
  }

  set(family: Family, references: Uint32Array, values: Numbers | readonly string[]): void {
    const type = family === 'String' ? 'const char **' : 'void *';
    const set = this.calls.checked(`Set${family}`, ['void *', 'void *', 'size_t', type, 'size_t']);
    set(this.instance, references, references.length, values, values.length);
  }

  step(seconds: number, length: number): StepResult {
    const { bytes, floats } = this.cells;
    const takes = ['void *', 'double', 'double', 'bool', 'void *', 'void *', 'void *', 'void *'];
    const step = this.calls.checked('DoStep', takes, this.setup.hasVariableSteps ? DISCARD : WARNING);
    return stepInParts(seconds, length, (at, part) => {
      floats[0] = at;
      bytes.fill(0, 0, 3);
      const status = step(this.instance, at, part, true, bytes, bytes.subarray(1), bytes.subarray(2), floats);
      const [isEvent, terminates, isEarly] = [bytes[0] !== 0, bytes[1] !== 0, bytes[2] !== 0];
      const reached = isEarly || status === DISCARD ? (floats[0] as number) : at + part;
      if (terminates || !isEvent || !this.setup.hasEventMode) return { reached, terminates };
      this.enterEventMode();
      const update = this.update();
      if (!update.terminates) this.leaveEventMode();
      return { reached, terminates: update.terminates };
    });
  }

  enterEventMode(): void {
    this.call('EnterEventMode');
  }

  update(): EventResult {
    const { bytes, floats } = this.cells;
    const takes = ['void *', 'void *', 'void *', 'void *', 'void *', 'void *', 'void *'];
    const update = this.calls.checked('UpdateDiscreteStates', takes);
    const flags = [0, 1, 2, 3, 4].map((at) => bytes.subarray(at));
    let hasNewStates = false;
    for (let round = 0; ; round++) {
      if (round === MOST_UPDATES) throw new FmiError('its discrete states change without end');
      bytes.fill(0, 0, 5);
      update(this.instance, ...flags, floats);
      hasNewStates ||= bytes[3] !== 0;
      if (bytes[0] === 0 || bytes[1] !== 0) break;
    }
    return { terminates: bytes[1] !== 0, hasNewStates, nextSeconds: bytes[4] ? floats[0] : undefined };
  }

  leaveEventMode(): void {
    this.call(this.setup.kind === 'co-simulation' ? 'EnterStepMode' : 'EnterContinuousTimeMode');
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
    return this.array('GetContinuousStateDerivatives', rates, DISCARD) !== DISCARD;
  }
  getIndicators(indicators: Float64Array): void {
    this.array('GetEventIndicators', indicators);
  }

  completedStep(): { wantsEvent: boolean; terminates: boolean } {
    const { bytes } = this.cells;
    const call = this.calls.checked('CompletedIntegratorStep', ['void *', 'bool', 'void *', 'void *']);
    call(this.instance, true, bytes, bytes.subarray(1));
    return { wantsEvent: bytes[0] !== 0, terminates: bytes[1] !== 0 };
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
