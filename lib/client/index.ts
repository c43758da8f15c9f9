// The door of `varwire/client`: a client of the Trick wire.
export type { Clock } from './clock.js';
export { type Discovered, type DiscoverOptions, discover } from './discover.js';
export {
  BadReferenceError,
  ConnectionLostError,
  ProtocolError,
  ReplyTimeoutError,
  SetRefusedError,
  UnitsError,
  ValueTooLargeError,
  ValueTypeError,
} from './errors.js';
export type { ConnectionState } from './lasting-channel.js';
export type { Message } from './message-splitter.js';
export { isContainer, listVariables, parseSieResource, type SieResource, type SieVariable } from './sie-resource.js';
export { type ConnectOptions, type Description, TrickClient, type UnitsOption } from './trick-client.js';
export type { TrickType, ValueKind } from './trick-type.js';
export type { Measured, SettableValue, TrickValue as Value, Variables } from './value.js';
export type { CopyMode, SubscribeOptions, Update, Watch as Subscription } from './watch.js';
