// A computation that waits for a promise.
import type { Run } from './values.js';

/** Waits for a promise; throws what it rejects with. */
export function* awaited<T>(promise: Promise<T>): Run<T> {
  let settled: { readonly value: T } | undefined;
  let failed: unknown;
  yield promise.then(
    (value) => {
      settled = { value };
    },
    (error: unknown) => {
      failed = error;
    },
  );
  if (!settled) throw failed;
  return settled.value;
}
