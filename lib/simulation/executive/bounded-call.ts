// Calls code of the simulation that must not keep the run from ending.
import { Script } from 'node:vm';

/** The text that the engine interrupts: always this one. */
const CALL = new Script('call()');

/** Calls a function, and interrupts it when it takes too long. Throws what it throws, and an Error when interrupted. */
export function callWithin(millis: number, call: () => void): void {
  let thrown: { readonly error: unknown } | undefined;
  let hasEnded = false;
  const told = (): void => {
    try {
      call();
    } catch (error) {
      thrown = { error };
    }
    hasEnded = true;
  };
  try {
    CALL.runInNewContext({ call: told }, { timeout: Math.max(1, Math.ceil(millis)) });
  } catch (error) {
    if (hasEnded) throw error;
    throw new Error(`it had not ended after ${Math.ceil(millis) / 1000} s`);
  }
  if (thrown) throw thrown.error;
}
