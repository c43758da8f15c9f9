// All of this package that others import; README.md says what it is.

// Text to tree.
export { BlockCache } from './grammar/block-cache.js';
export {
  type Block,
  type BlockError,
  type Expression,
  type ParseResult,
  parseBlock,
  parseBlockInPieces,
  printedPieces,
} from './grammar/index.js';
// Modules that a host may give.
export { arrayModule } from './interpreter/array-module.js';
// What functions of a host are made with.
export { awaited } from './interpreter/awaited.js';
// What runs a tree, and what it may use.
export { exceptionOf } from './interpreter/classes.js';
export { compare, outcomeOf } from './interpreter/comparison.js';
export { compiled, type Seen } from './interpreter/compiled.js';
export { withValues } from './interpreter/constants.js';
export { datetimeModule } from './interpreter/datetime-module.js';
export { NO_FILE, ScriptError, tracebackPieces } from './interpreter/error.js';
export { isRun } from './interpreter/evaluator.js';
// What a host gives.
export type { FileModule, TextFiles } from './interpreter/file-module.js';
export { HeldNames } from './interpreter/held-names.js';
export { type Elements, type Host, hostOf, plainHost } from './interpreter/host.js';
export { Interpreter } from './interpreter/interpreter.js';
export { BLOCK_LIMITS, CHARACTERS_PER_STEP, INPUT_LIMITS, type Limits, Meter } from './interpreter/meter.js';
export { fixedModule, futureModule, mathModule, sysModule } from './interpreter/modules.js';
export type { OwnedNames } from './interpreter/name-table.js';
export { namedModules } from './interpreter/named-modules.js';
export { numberIn, toInteger, toReal } from './interpreter/number-of.js';
export { binary } from './interpreter/operators.js';
export { getenv, normalized, ofPath, osModule, osPathModule } from './interpreter/os-module.js';
export { bindArguments, type Parameter, type ParameterType } from './interpreter/parameter.js';
export { inUnits } from './interpreter/quantities.js';
export { only } from './interpreter/signature.js';
export { withSlice } from './interpreter/subscript.js';
export { DEEPEST, quantityText, tooDeep } from './interpreter/text.js';
export { textOf } from './interpreter/text-of.js';
export { typeName } from './interpreter/type-name.js';

// Values.
export {
  type Arguments,
  arithmetic,
  BoundMethod,
  type Bounds,
  Bytes,
  type Callable,
  ClassValue,
  DictionaryValue,
  Errand,
  HostObject,
  HostVariable,
  type IncludedBlock,
  isTrue,
  itemsOf,
  ListValue,
  type ModuleValue,
  NO_UNITS,
  type NumberForm,
  type ObjectValue,
  plain,
  Quantity,
  type Run,
  type RunningBlock,
  type ScriptValue,
  type SourceText,
  type Tools,
  TupleValue,
  unitsName,
  type Wait,
} from './interpreter/values.js';
