// Recordings that a simulation is compared with: their variables are below reference1, reference2 and so on, and never in its frames.
import type { Variable } from '../../model/state/variable.js';
import type { Column } from '../../simulation/recording/row.js';
import type { RecordedPast } from '../recorded-past.js';
import type { References } from '../source.js';
import { loadHdf5For } from './hdf5-library.js';
import { openRecording } from './open.js';
import { FilePast } from './past-thread.js';
import type { Recording } from './recording.js';
import { placed } from './variables.js';

/** It lies nowhere in a memory. */
const NOWHERE = -1;

/** Rejects with an Error with one sentence for a path that is no recording. */
export async function openReferences(paths: readonly string[]): Promise<References> {
  await loadHdf5For(paths);
  const opened: Recording[] = [];
  try {
    for (const path of paths) opened.push(openRecording(path));
  } catch (error) {
    for (const recording of opened) recording.close();
    throw error;
  }
  const variables = new Map<string, Variable>();
  const pasts = opened.map((recording, index) => {
    const columns = columnsOf(recording, `reference${index + 1}`);
    for (const [path, column] of columns) variables.set(path, variableOf(path, column));
    return new FilePast(recording, columns);
  });
  return {
    runs: paths.map((label, index) => ({ object: `reference${index + 1}`, label, isLive: false })),
    recorded: together(pasts),
    find: (path) => variables.get(path),
  };
}

function columnsOf(recording: Recording, name: string): Map<string, Column> {
  const columns = recording.columns.filter((column) => column !== recording.time);
  return new Map(
    placed(columns, false).map(({ object, component, column }) => [`${name}.${object}.${component}`, column]),
  );
}

const variableOf = (path: string, { type, units }: Column): Variable => ({
  ...{ path, type, units, about: 'of a recording', access: 'read-only', offsetBytes: NOWHERE, hops: [] },
});

/** Several pasts of different names as one. */
function together(pasts: readonly FilePast[]): RecordedPast {
  const of = (name: string): FilePast | undefined => pasts.find((past) => past.has(name));
  return {
    seconds: Math.max(0, ...pasts.map(({ seconds }) => seconds)),
    has: (name) => of(name) !== undefined,
    extent: (name) => of(name)?.extent(name),
    prepare: async (names) => {
      await Promise.all(pasts.map((past) => past.prepare(names.filter((name) => past.has(name)))));
    },
    points: async (name, from, to, most) => (of(name) as FilePast).points(name, from, to, most),
    close: () => {
      for (const past of pasts) past.close();
    },
  };
}
