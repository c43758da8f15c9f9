// The public interface of `varwire/client`: a client of the Trick wire.
/// <reference types="node" preserve="true" />
export type { Clock } from './clock.js';
export type { CallArgument, CallResult } from './control.js';
export { type Labels, withLabels } from './description.js';
export { type Discovered, type DiscoverOptions, discover } from './discover.js';
export {
  BadReferenceError,
  CommandRefusedError,
  ConnectionLostError,
  ProtocolError,
  ReplyTimeoutError,
  SetRefusedError,
  UnitsError,
  ValueTooLargeError,
  ValueTypeError,
  WaitTimeoutError,
} from './errors.js';
export type { ConnectionState } from './lasting-channel.js';
export type { Message } from './message-splitter.js';
export { modeName } from './modes.js';
export type { Enumeration, Labelled, Settable, TrickVariables, VariablesOf } from './named-variables.js';
export type { OneOfMany } from './setter.js';
export {
  isContainer,
  listVariables,
  parseSieResource,
  type SieMember,
  type SieResource,
  type SieVariable,
} from './sie-resource.js';
export { elementType, pairTypes } from './std-types.js';
export {
  type ConnectOptions,
  type Description,
  type LabelsOption,
  TrickClient,
  type UnitsOption,
} from './trick-client.js';
export type { TrickType, ValueKind } from './trick-type.js';
export type { Measured, SettableValue, TrickValue, Variables } from './value.js';
export type { VariableDetails } from './variable-details.js';
export type { WaitOptions } from './wait.js';
export type { CopyMode, SubscribeOptions, Update, Watch } from './watch.js';
