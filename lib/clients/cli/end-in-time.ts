// The end of the process of a server that is closed.
import type { RunningServer } from '../../index.js';

/** Longest time from the signal to the end. */
const CLOSE_MILLIS = 1500;
/** And to the end when a thread cannot be ended. */
const NATIVE_MILLIS = 300;

/** Closes the server, and ends the process in time even if the server does not close by itself. */
export function closeInTime(server: RunningServer): void {
  void server.close();
  endInTime(server);
}

/** Ends the process soon, or when the .h5 files are made that are being made. */
export function endInTime({ source }: RunningServer): void {
  setTimeout(() => {
    // Node waits for its threads, and one that is in native code cannot be ended.
    const killing = setTimeout(killThis, NATIVE_MILLIS).unref();
    void source
      .close()
      .then(() => clearTimeout(killing))
      .then(async () => (await import('../../source/recording/hdf5-recordings.js')).hdf5Finished())
      .finally(() => process.exit());
  }, CLOSE_MILLIS).unref();
}

function killThis(): void {
  console.error("varwire: the simulation's thread does not return from native code, so the process is killed");
  process.kill(process.pid, 'SIGKILL');
}
