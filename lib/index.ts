// The public interface of varwire.
/// <reference types="node" preserve="true" />

export { type BridgeOptions, bridge } from './bridge.js';
export { type EdgeByNats, type EdgeOptions, type EdgeServer, edge } from './edge.js';
export * from './errors.js';
export { Lease } from './model/frame/lease.js';
export type { Frame } from './model/frame/reader.js';
export { Catalog } from './model/state/catalog.js';
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
} from './model/state/declare.js';
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
} from './model/state/declare-containers.js';
export type { Body, Shape } from './model/state/pose.js';
export { readVariable, type Value } from './model/state/read.js';
export type { Mirror, ObjectHandle, ObjectOptions } from './model/state/state.js';
export type { TypeOptions } from './model/state/type-registry.js';
export type { Variable } from './model/state/variable.js';
export {
  type Draw,
  type Drawn,
  type MonteCarloOptions,
  type MonteCarloTable,
  monteCarlo,
  type Progress,
  type Recorded,
  type RecordTable,
  type RunEnd,
  type RunMessage,
  type RunOptions,
  type RunPool,
  type RunResult,
  type RunRow,
  run,
} from './run/headless/index.js';
export { feed, playRecording } from './run/serve/feed.js';
export type { AnswerChunk, FrontEndClient, FrontEndMessage, WatchWish } from './run/serve/front-end-client.js';
export type { AnyVariables, InProcess } from './run/serve/in-process.js';
export type { FrontEndParts, ServeOptions, SourceOptions } from './run/serve/options.js';
export { PORT_OPTIONS } from './run/serve/port-options.js';
export type { RunningEndpoint } from './run/serve/running-endpoint.js';
export { serve, serveSource } from './run/serve/serve.js';
export { type BesideOptions, type ServedBeside, serveBeside } from './run/serve/serve-beside.js';
export type { RunningServer } from './run/serve/server.js';
export type { Clock } from './serving/scheduling/clock.js';
export type { DeadBands } from './serving/session/change-gate.js';
export type { BatchDelivery, FrameBatch } from './serving/session/frame-batch.js';
export type { Log, LogFacts } from './serving/session/log.js';
export { Read } from './serving/session/read.js';
export type { Reader } from './serving/session/reader.js';
export type { Reference } from './serving/session/reference.js';
export type { SessionRegistry } from './serving/session/registry.js';
export type { Session, SessionFacts } from './serving/session/session.js';
export type { Subscription } from './serving/session/subscription.js';
export type { SubscriptionTable, SubscriptionWish } from './serving/session/subscription-table.js';
export type { Address } from './serving/transport/address.js';
export type { Connection, ConnectionEvents, WebSocketPeer } from './serving/transport/connection.js';
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
} from './serving/transport/front-end.js';
export type { HttpExchange, HttpStream } from './serving/transport/http-exchange.js';
export type { HttpRequest } from './serving/transport/http-request.js';
export type { Mounted } from './serving/transport/mounted.js';
export type { Trust, TrustOptions } from './serving/trust/trust.js';
export type { Given, Returned, Signature, SimFunction } from './simulation/executive/functions.js';
export { loadSimulation } from './simulation/executive/load-simulation.js';
export type { EventItem, SimEventOptions } from './simulation/executive/model-events.js';
export type { Moment, SimulationEnd } from './simulation/executive/moments.js';
export { reasonOf } from './simulation/executive/outside-stack.js';
export type { PoseOptions } from './simulation/executive/poses.js';
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
} from './simulation/executive/simulation.js';
export { simulation } from './simulation/executive/simulation.js';
export type { FmuHandle, FmuOptions, FmuPort, FmuValue } from './simulation/fmu/options.js';
export type { DenseOutput } from './simulation/integration/dense-output.js';
export type { IntegrationEvent, IntegratorOptions } from './simulation/integration/integrator.js';
export type { MethodName } from './simulation/integration/methods.js';
export { RandomStream } from './simulation/integration/random.js';
export type { RecordOptions } from './simulation/recording/record-options.js';
export type { Column as RecordedColumn } from './simulation/recording/row.js';
export type {
  PlayedStudy,
  RequirementRate,
  Study,
  StudyColumn,
  StudyKind,
  StudyValue,
} from './simulation/recording/study.js';
export { VERSION } from './simulation/recording/version.js';
export type { Feed, FeedObjects } from './source/feed.js';
export type { FeedOptions } from './source/feed-host.js';
export type { Playback } from './source/feed-playback.js';
export { loadHdf5 } from './source/recording/hdf5-library.js';
export { type OpenOptions, openRecording } from './source/recording/open.js';
export type { Played } from './source/recording/played.js';
export type { Recording, RowBlock } from './source/recording/recording.js';
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
