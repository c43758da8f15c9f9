// Makes the .h5 files of a run that has ended, of the .trk files that were written meanwhile. Trick: DRHDF5
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RunDirectory, reasonOf } from '../../simulation/files/run-directory.js';
import { becomes, hdf5HeaderLine } from '../../simulation/recording/row.js';

/** By directory. */
const underWay = new Map<string, Promise<void>>();

/** Makes them of all whose .header file says so. A .trk file stays where that fails, and `say` is told why. */
export function finishHdf5(directory: string, say: (sentence: string) => void): Promise<void> {
  const making = underWay.get(directory) ?? finishAll(directory, say).finally(() => underWay.delete(directory));
  underWay.set(directory, making);
  return making;
}

/** Resolves when none is being made. */
export async function hdf5Finished(): Promise<void> {
  await Promise.all(underWay.values());
}

async function finishAll(directory: string, say: (sentence: string) => void): Promise<void> {
  for (const name of waitingIn(directory))
    try {
      await finish(directory, name);
    } catch (error) {
      say(`${name}.h5 is not made, ${name}.trk stays: ${reasonOf(error)}`);
    }
}

function waitingIn(directory: string): readonly string[] {
  try {
    const files = new Set(readdirSync(directory));
    const names = [...files].flatMap((file) => /^(log_.+)\.header$/s.exec(file)?.[1] ?? []);
    return names.filter((name) => files.has(`${name}.trk`) && headerIn(directory, name)[1] === becomes(name));
  } catch {
    return [];
  }
}

const headerIn = (directory: string, name: string): string[] =>
  readFileSync(join(directory, `${name}.header`), 'utf8').split('\n');

async function finish(directory: string, name: string): Promise<void> {
  const files = new RunDirectory(directory);
  files.requireFree(`${name}.trk`);
  const [{ convert }, { openRecording }] = await Promise.all([import('./convert.js'), import('./open.js')]);
  const recording = openRecording(join(directory, `${name}.trk`));
  try {
    await convert(recording, join(directory, `${name}.h5`));
  } finally {
    recording.close();
  }
  rmSync(join(directory, `${name}.trk`));
  const [, , ...lines] = headerIn(directory, name);
  files.replace(`${name}.header`, Buffer.from([hdf5HeaderLine(name), ...lines].join('\n')));
}
