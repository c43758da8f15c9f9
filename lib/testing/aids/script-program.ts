// Runs a program of the command language without a server, for tests.
import { parseBlock } from '../../../grammar/trick/index.js';
import { datetimeModule } from '../../protocols/trick/interpreter/datetime-module.js';
import { ScriptError } from '../../protocols/trick/interpreter/error.js';
import { Interpreter } from '../../protocols/trick/interpreter/interpreter.js';
import { BLOCK_LIMITS, type Limits, Meter } from '../../protocols/trick/interpreter/meter.js';
import { mathModule, sysModule } from '../../protocols/trick/interpreter/modules.js';
import { osModule, osPathModule } from '../../protocols/trick/interpreter/os-module.js';
import type { Surroundings } from '../../protocols/trick/interpreter/scope.js';
import type { ScriptValue, Wait } from '../../protocols/trick/interpreter/values.js';

export interface ScriptOutcome {
  /** What it printed, and the error it ended with. */
  readonly text: string;
  readonly error: ScriptError | undefined;
  /** The waits at which the program stopped, in order. */
  readonly waits: readonly Wait[];
}

export interface ProgramOptions {
  readonly names?: Map<string, ScriptValue>;
  readonly limits?: Partial<Limits>;
  readonly nowMillis?: () => number;
  /** Called with the program's meter. */
  readonly seeMeter?: (meter: Meter) => void;
}

/** Surroundings without a simulation. */
export function bareSurroundings(names: Map<string, ScriptValue>, write: (text: string) => void): Surroundings {
  return {
    owner: '',
    names,
    modules: new Map([
      ['sys', sysModule],
      ['math', mathModule],
      ['os', osModule],
      ['os.path', osPathModule],
    ]),
    importable: new Map([['datetime', datetimeModule]]),
    shared: () => undefined,
    variable: () => undefined,
    elements: () => undefined,
    method: () => undefined,
    explain: (path) => `there is no ${path}`,
    *store() {},
    canRead: () => true,
    mustWait: () => undefined,
    write: (_, text) => write(text),
  };
}

/** Throws every error that is not an error of the command language. */
export function runProgram(
  program: string,
  { names = new Map(), limits = {}, nowMillis = () => 0, seeMeter }: ProgramOptions = {},
): ScriptOutcome {
  let text = '';
  const waits: Wait[] = [];
  const { tree, error } = parseBlock(program);
  if (error) return { text: `${error.type}: ${error.message}`, error: undefined, waits };
  const surroundings = bareSurroundings(names, (written) => {
    text += written;
  });
  const meter = new Meter({ ...BLOCK_LIMITS, ...limits }, nowMillis);
  seeMeter?.(meter);
  try {
    const run = new Interpreter(surroundings, meter).run(tree);
    for (let step = run.next(); !step.done; step = run.next()) {
      waits.push(step.value);
      meter.endTurn();
      meter.startTurn();
    }
  } catch (thrown) {
    if (!(thrown instanceof ScriptError)) throw thrown;
    return { text: `${text}${thrown.kind}: ${thrown.message}`, error: thrown, waits };
  }
  return { text, error: undefined, waits };
}
