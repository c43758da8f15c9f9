// Trick's own objects, each with the name and the number that every object of a Trick simulation has.
import { int, text } from '../../../model/state/declare.js';
import type { ObjectHandle } from '../../../model/state/object-handle.js';
import type { State } from '../../../model/state/state.js';

/** Trick: include/trick/SimObject.hh */
export function addServiceObject(state: State, name: string, typeName: string): ObjectHandle {
  const handle = state.addObject(name, { typeName });
  handle.component('name', text(64, { access: 'read-only' }), name);
  handle.component('id', int({ access: 'read-only' }), handle.number);
  return handle;
}
