// The state of an FMU in checkpoints: a component with its bytes, which are fetched when a checkpoint is saved.
import { unsignedChar } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { ObjectHandle } from '../../model/state/object-handle.js';
import type { FmuInstance } from './instance.js';
import type { Message } from './messages.js';
import type { Mover } from './movers.js';

/** The bytes of a state may become more. */
const GROWTH = 1.5;
const MORE_BYTES = 1024;

/**
 * Adds the component to an FMU that has been initialized. An FMU that cannot save its state refuses checkpoints. Throws an Error
 * for one that says it can, and fails.
 * @param restored called with the values of a restored state.
 */
export function addSavedState(
  object: ObjectHandle,
  name: string,
  instance: FmuInstance,
  mover: Mover,
  restored: (reply: Message) => void,
): void {
  // What the mover knows stands behind the bytes of the FMU.
  const moverBytes = 8 * mover.memory.length;
  const capacity = instance.canSave ? Math.ceil(GROWTH * sizeOf(instance)) + MORE_BYTES + moverBytes : 1;
  const about = 'the state of the FMU when the last checkpoint was saved or loaded';
  object.mirror(name, vector(unsignedChar(), capacity, { about, access: 'read-only' }), {
    readFor: 'checkpoints',
    get: () => {
      const bytes = Buffer.concat([instance.save(), new Uint8Array(Float64Array.from(mover.memory).buffer)]);
      if (bytes.length > capacity)
        throw new Error(`the state has grown to ${bytes.length} bytes, and there is room for ${capacity}`);
      return Array.from(bytes);
    },
    set: (given) => {
      const bytes = Uint8Array.from(given);
      const end = Math.max(0, bytes.length - moverBytes);
      restored(instance.restore(bytes.slice(0, end)));
      mover.memory = [...new Float64Array(bytes.slice(end).buffer)];
    },
  });
}

function sizeOf(instance: FmuInstance): number {
  try {
    return instance.save().length;
  } catch (error) {
    throw new Error(`${(error as Error).message}; checkpoints: false (-- --no-checkpoints) runs it without`, {
      cause: error,
    });
  }
}
