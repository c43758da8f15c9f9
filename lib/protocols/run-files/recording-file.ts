// GET /recordings/FILE: a recording as a download, as far as it is written, and no other file.
import { openIn } from '../../simulation/files/run-listing.js';
import type { Folder } from './downloads.js';

export const RECORDINGS_PATH = '/recordings/';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  trk: 'application/octet-stream',
  mcap: 'application/octet-stream',
};

export interface RecordingName {
  readonly name: string;
  readonly format: 'csv' | 'txt' | 'trk' | 'mcap';
}

/** The recording that a file's name belongs to; undefined for any other file. */
export function recordingIn(file: string): RecordingName | undefined {
  const [, name, format] = /^log_([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})\.(csv|txt|trk|mcap)$/.exec(file) ?? [];
  return name === undefined ? undefined : { name, format: format as 'csv' | 'txt' | 'trk' | 'mcap' };
}

export const recordingFiles = (directory: () => string): Folder => ({
  path: RECORDINGS_PATH,
  find: async (name) => {
    const recording = recordingIn(name);
    const file = recording && (await openIn(directory(), name));
    if (!recording || !file)
      return `there is no recording ${JSON.stringify(name.slice(0, 100))}; recording/list lists them`;
    const headers = {
      'content-type': TYPES[recording.format],
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    };
    return { file, headers };
  },
});
