// The public interface of varwire.
/// <reference types="node" preserve="true" />

export * from './errors.js';
export type { Given, Returned, Signature, SimFunction } from './executive/functions.js';
export { loadSimulation } from './executive/load-simulation.js';
export type { EventItem, SimEventOptions } from './executive/model-events.js';
export type { Moment, SimulationEnd } from './executive/moments.js';
export { reasonOf } from './executive/outside-stack.js';
export type {
  IntegrateOptions,
  JobClass,
  JobHandle,
  JobOptions,
  Rates,
  Sim,
  SimClock,
  SimRecordOptions,
  SimulationDefinition,
  SimulationOptions,
  StopOptions,
} from './executive/simulation.js';
export { simulation } from './executive/simulation.js';
export type { Frame } from './frame/reader.js';
export {
  type Draw,
  type MonteCarloOptions,
  type MonteCarloTable,
  monteCarlo,
  type Progress,
  type Recorded,
  type RecordTable,
  type RunEnd,
  type RunMessage,
  type RunOptions,
  type RunResult,
  type RunRow,
  run,
} from './headless/index.js';
export type { DenseOutput } from './integration/dense-output.js';
export type { IntegrationEvent, IntegratorOptions } from './integration/integrator.js';
export type { MethodName } from './integration/methods.js';
export { RandomStream } from './integration/random.js';
export { Catalog } from './model/catalog.js';
export {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  type Declared,
  describe,
  double,
  type ElementViews,
  enumeration,
  float,
  type InitialOf,
  int,
  long,
  longLong,
  type PlainOf,
  type PointerView,
  pointer,
  short,
  struct,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLong,
  unsignedLongLong,
  unsignedShort,
  type VariableOptions,
  type ViewOf,
  wideChar,
  wideChars,
  widePointer,
  wideText,
} from './model/declare.js';
export {
  deque,
  list,
  type MapView,
  map,
  pair,
  type SequenceView,
  type SetView,
  set,
  stdArray,
  vector,
} from './model/declare-containers.js';
export { readVariable, type Value } from './model/read.js';
export type { Mirror, ObjectHandle, ObjectOptions } from './model/state.js';
export type { TypeOptions } from './model/type-registry.js';
export type { Variable } from './model/variable.js';
export type { RecordOptions } from './recording/recorder.js';
export type { Clock } from './scheduling/clock.js';
export { feed } from './serve/feed.js';
export type { AnswerChunk, FrontEndClient, FrontEndMessage, WatchWish } from './serve/front-end-client.js';
export type { AnyVariables, InProcess } from './serve/in-process.js';
export type { FrontEndParts, ServeOptions, SourceOptions } from './serve/options.js';
export { PORT_OPTIONS } from './serve/port-options.js';
export type { RunningEndpoint } from './serve/running-endpoint.js';
export { serve, serveSource } from './serve/serve.js';
export { type BesideOptions, type ServedBeside, serveBeside } from './serve/serve-beside.js';
export type { RunningServer } from './serve/server.js';
export { VERSION } from './serve/version.js';
export type { DeadBands } from './session/change-gate.js';
export type { BatchDelivery, FrameBatch } from './session/frame-batch.js';
export type { Log, LogFacts } from './session/log.js';
export type { Reader } from './session/reader.js';
export type { Reference } from './session/reference.js';
export type { SessionRegistry } from './session/registry.js';
export type { Session, SessionFacts } from './session/session.js';
export type { Subscription } from './session/subscription.js';
export type { SubscriptionTable, SubscriptionWish } from './session/subscription-table.js';
export type { Feed, FeedObjects } from './source/feed.js';
export type { FeedOptions } from './source/feed-host.js';
export type { Playback } from './source/feed-playback.js';
export type {
  Abilities,
  Answer,
  FrameListener,
  JobPlace,
  JobTime,
  LogLevel,
  PlaybackState,
  Request,
  SimMessage,
  Source,
  SourceInfo,
  Unsubscribe,
} from './source/source.js';
export type { Address } from './transport/address.js';
export type { Connection, ConnectionEvents, WebSocketPeer } from './transport/connection.js';
export type {
  AddressTrust,
  Admission,
  DatagramEndpoint,
  Endpoint,
  Example,
  ExamplePlace,
  FrontEnd,
  HttpEndpoint,
  HttpRoute,
  MulticastEndpoint,
  PortOption,
  Refusal,
  RouteHandler,
  StreamEndpoint,
  WebSocketRoute,
} from './transport/front-end.js';
export type { HttpExchange, HttpStream } from './transport/http-exchange.js';
export type { HttpRequest } from './transport/http-request.js';
export type { Mounted } from './transport/mounted.js';
export type { Trust, TrustOptions } from './trust/trust.js';
