// The public door of varwire.

export type {
  JobHandle,
  JobOptions,
  Sim,
  SimClock,
  SimFunction,
  SimulationDefinition,
  SimulationOptions,
} from './executive/simulation.js';
export { simulation } from './executive/simulation.js';
export {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  type Declared,
  deque,
  describe,
  double,
  type ElementViews,
  enumeration,
  float,
  type InitialOf,
  int,
  list,
  long,
  longLong,
  type PointerView,
  pointer,
  type SequenceView,
  short,
  stdArray,
  struct,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLong,
  unsignedLongLong,
  unsignedShort,
  type VariableOptions,
  type ViewOf,
  vector,
  widePointer,
} from './model/declare.js';
export type { Value } from './model/read.js';
export type { Mirror, ObjectHandle, ObjectOptions } from './model/state.js';
export type { RecordOptions } from './recording/recorder.js';
export { feed } from './serve/feed.js';
export type { Address, Log, LogFacts, LogLevel, ServeOptions } from './serve/options.js';
export { serve } from './serve/serve.js';
export { type BesideOptions, type ServedBeside, serveBeside } from './serve/serve-beside.js';
export { type RunningServer, serveSource } from './serve/server.js';
export { VERSION } from './serve/version.js';
export type { Feed, FeedObjects } from './source/feed.js';
export type { FeedOptions } from './source/feed-host.js';
export type { Source } from './source/source.js';
