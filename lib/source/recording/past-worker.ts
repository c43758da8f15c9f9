// The thread on which the files of a recording are looked through for plots.
import { type MessagePort, workerData } from 'node:worker_threads';
import { preferOtherThreads } from '../thread-priority.js';
import { loadLibrariesFor } from './libraries.js';
import { openRecording } from './open.js';
import type { PastAnswer, PastQuestion, PastStart } from './past-thread.js';
import { RecordingPoints } from './recording-points.js';

/** How long an answer waits for the whole file; then it is of rows here and there, and is asked for again. */
const PATIENCE_MILLIS = 250;

const { port, files } = workerData as PastStart & { readonly port: MessagePort };
const opened = new Map<number, RecordingPoints>();

preferOtherThreads();
const loaded = loadLibrariesFor(files.map(({ path }) => path));
port.on('message', ({ id, ...question }: PastQuestion & { readonly id: number }) => {
  answer(question).then(
    (result) => port.postMessage({ id, ...result } satisfies PastAnswer),
    (error: Error) => port.postMessage({ id, error: error.message } satisfies PastAnswer),
  );
});

async function answer({ columns, span }: PastQuestion): Promise<Pick<PastAnswer, 'points'>> {
  await loaded;
  const found = columns.map(({ file, index }) => {
    const read = pointsOf(file);
    const column = read.recording.columns[index];
    if (!column) throw new Error(`${read.recording.file} has become another file`);
    return { read, column };
  });
  if (!span) {
    const all = [...new Set(found.map(({ read }) => read))].map((each) =>
      each.prepare(found.filter(({ read }) => read === each).map(({ column }) => column)),
    );
    await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLIS))]);
    return {};
  }
  const [only] = found;
  return only ? { points: only.read.points(only.column, span.from, span.to, span.most) } : {};
}

function pointsOf(file: number): RecordingPoints {
  const known = opened.get(file);
  if (known) return known;
  const { path, time } = files[file] as PastStart['files'][number];
  const made = new RecordingPoints(openRecording(path, time === undefined ? {} : { time }));
  opened.set(file, made);
  return made;
}
