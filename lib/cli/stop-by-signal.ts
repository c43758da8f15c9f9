// Ctrl-C and SIGTERM as a wish to stop, for commands that have something to finish.

/** Signals, and the exit code of a process that they have ended. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Aborts at the first signal, with its exit code as the reason; a second one ends the process as usual. */
export function stopBySignal(): AbortController {
  const stop = new AbortController();
  for (const [signal, code] of SIGNALS) process.once(signal, () => stop.abort(code));
  return stop;
}
