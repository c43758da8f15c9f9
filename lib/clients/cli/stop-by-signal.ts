// Ctrl-C, SIGTERM and the end of the terminal as a wish to stop, for commands that have something to finish.

/** Signals, and the exit code of a process that they have ended. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

export interface StopBySignal {
  /** Aborts at the first signal, with its exit code as the reason. */
  readonly signal: AbortSignal;
  /** Signals end the process as usual from now on. */
  readonly end: () => void;
}

/** Takes one signal as a wish; a second one, of either kind, ends the process as usual. */
export function stopBySignal(): StopBySignal {
  const stop = new AbortController();
  const listeners = SIGNALS.map(([signal, code]) => {
    const listener = (): void => {
      end();
      if (signal === 'SIGHUP') endByHangUp();
      stop.abort(code);
    };
    return [signal, listener] as const;
  });
  const end = (): void => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return { signal: stop.signal, end };
}

/** Has the signal end the process: Node aborts when it ends by itself after its terminal has gone. */
export function endByHangUp(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGHUP'));
}
