// Trick's input processor, `trick_ip.ip`, through which its event viewer sends text to run. Trick: IPPython::parse
import {
  type Arguments,
  bindArguments,
  fixedModule,
  type Host,
  Interpreter,
  type ModuleValue,
  type Run,
  ScriptError,
  type ScriptValue,
  type Tools,
} from '../../python/index.js';
import { BlockFailure, runText } from './block-text.js';

export const INPUT_PROCESSOR = 'trick_ip.ip';

/** What the input processor needs of the block that calls it. */
export interface ParseSurroundings extends Host {
  /** How deep texts run inside each other. */
  parseDepth: number;
  /** Takes what Python prints for an error, piece by piece. */
  writeError(pieces: readonly string[]): void;
}

/** Runs a text as a block of its own: 0, or -1 when it failed, which does not end the block that asked. */
function* parse(args: Arguments, { block, meter }: Tools): Run<ScriptValue> {
  const surroundings = block as ParseSurroundings;
  const [text] = bindArguments('parse', [{ name: 'in_string', type: 'text' }], args);
  if (surroundings.parseDepth >= meter.limits.callDepth)
    throw new ScriptError('RecursionError', 'parse calls too deep');
  surroundings.parseDepth++;
  try {
    yield* runText(new Interpreter(surroundings, meter), text as string);
    return 0n;
  } catch (error) {
    if (!(error instanceof BlockFailure)) throw error;
    surroundings.writeError(error.pieces);
    meter.look();
    return -1n;
  } finally {
    surroundings.parseDepth--;
  }
}

export const inputProcessor: ModuleValue = fixedModule(INPUT_PROCESSOR, {
  parse: { kind: 'callable', name: 'parse', call: parse },
  /** Whether the input file is looked at only. Trick: InputProcessor */
  verify_input: 0n,
});
