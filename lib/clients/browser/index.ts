// varwire/browser: variables of a running simulation in a web page, over one WebSocket.
import { type ConnectOptions, VarwireClient } from './client.js';

export { CallError, ConnectionLost } from './calls.js';
export { type ConnectOptions, type NotificationListener, VarwireClient, type WatchOptions } from './client.js';
export type { CustomPanel, CustomPanelContext, PanelServer } from './custom-panel.js';
export type { LinkState, SocketLike, Timers } from './link.js';
export type { Methods, ParamsOf } from './methods.js';
export type { Json, ListedVariable, NumberArray, Sample, VariableFacts, WatchedValue } from './values.js';

/**
 * Opens a client of a varwire server, which connects, and connects again after a cut, by itself.
 *
 * @param address the server's address, such as `http://127.0.0.1:7000/`; default: where this page comes from. A path that
 *   ends with `/` is where the server's own paths begin, as behind a proxy.
 */
export const connect = (address = './', options: ConnectOptions = {}): VarwireClient =>
  new VarwireClient(address, options);
