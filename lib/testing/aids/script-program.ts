// Runs a program of the command language without a server, for tests.
import {
  BLOCK_LIMITS,
  datetimeModule,
  type Host,
  Interpreter,
  type Limits,
  Meter,
  mathModule,
  osModule,
  osPathModule,
  parseBlock,
  plainHost,
  ScriptError,
  type ScriptValue,
  sysModule,
  type Wait,
} from '../../protocols/python/index.js';

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

/** Host without a simulation. */
export function bareHost(names: Map<string, ScriptValue>, write: (text: string) => void): Host {
  return {
    ...plainHost(write),
    names,
    modules: new Map([
      ['sys', sysModule],
      ['math', mathModule],
      ['os', osModule(() => undefined)],
      ['os.path', osPathModule],
    ]),
    importable: new Map([['datetime', datetimeModule]]),
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
  const surroundings = bareHost(names, (written) => {
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
