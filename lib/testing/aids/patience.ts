// How long tests wait for what must come: only a test that fails waits so long, however slow the machine is.

/** Milliseconds; below the time that mocha gives a test (.mocharc.json), so that the sentence says what has not come. */
export const PATIENCE_MILLIS = 240_000;
