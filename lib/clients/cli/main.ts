#!/usr/bin/env node
// The varwire command.
import { dispatch } from './dispatch.js';
import { sayWhatIsNotWritten } from './lost-output.js';

const LINGER_MILLIS = 1000;

sayWhatIsNotWritten(process.stdout);
void dispatch(process.argv.slice(2)).then((isRefused) => {
  if (isRefused) setTimeout(endUnlessWriting, LINGER_MILLIS).unref();
});

/** A library may have left a socket open whose other end does not answer. */
function endUnlessWriting(): void {
  if (process.stdout.writableLength === 0) process.exit();
}
