// Reports output of a command that does not arrive, because the disk is full or the reader has closed the pipe.

/**
 * Turns lost output into a failure with one sentence; without it, Node drops the output or prints a stack. A reader
 * that has closed the pipe, as `head` does, has read all that it wants.
 */
export function sayWhatIsNotWritten(output: NodeJS.EventEmitter, say: (text: string) => void = console.error): void {
  let isSaid = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isSaid) return;
    isSaid = true;
    say(`varwire: the output cannot be written: ${error.message}`);
    process.exitCode = 1;
  });
}
