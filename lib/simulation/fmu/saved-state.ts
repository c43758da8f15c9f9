// The state of an FMU in checkpoints: a component with its bytes, which are fetched when a checkpoint is saved.
import { unsignedChar } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { ObjectHandle } from '../../model/state/object-handle.js';
import type { FmuInstance } from './instance.js';
import type { Message } from './messages.js';

/** The bytes of a state may become more. */
const GROWTH = 1.5;
const MORE_BYTES = 1024;

/**
 * Adds the component to an FMU that has been initialized. An FMU that cannot save its state refuses checkpoints.
 * @param restored called with the values of a restored state.
 */
export function addSavedState(
  object: ObjectHandle,
  name: string,
  instance: FmuInstance,
  restored: (reply: Message) => void,
): void {
  const capacity = instance.canSave ? Math.ceil(GROWTH * instance.save().length) + MORE_BYTES : 1;
  const about = 'the state of the FMU when the last checkpoint was saved or loaded';
  object.mirror(name, vector(unsignedChar(), capacity, { about, access: 'read-only' }), {
    readFor: 'checkpoints',
    get: () => {
      const bytes = instance.save();
      if (bytes.length > capacity)
        throw new Error(`the state has grown to ${bytes.length} bytes, and there is room for ${capacity}`);
      return Array.from(bytes);
    },
    set: (bytes) => restored(instance.restore(Uint8Array.from(bytes))),
  });
}
