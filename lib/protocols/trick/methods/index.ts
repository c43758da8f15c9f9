// The JSON methods of Trick's front-end: its command language and its events.
import type { CallContext } from '../../json-rpc/call-context.js';
import type { Method } from '../../json-rpc/method.js';
import type { TrickFrontEnd } from '../front-end/front-end.js';
import { Consoles } from './consoles.js';
import { eventMethods } from './event-methods.js';
import { runMethods } from './run-methods.js';

export function trickMethods(trick: TrickFrontEnd): readonly Method<CallContext>[] {
  const consoles = new Consoles(trick);
  return [...runMethods(consoles), ...eventMethods(consoles)];
}
