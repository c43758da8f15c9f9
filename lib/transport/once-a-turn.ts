// Calls something in the next turn of the event loop, once however often it was asked for.

/** Calls a function in a later turn of the event loop. */
export type Later = (call: () => void) => void;

export function onceATurn(call: () => void, later: Later = setImmediate): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      call();
    });
  };
}
