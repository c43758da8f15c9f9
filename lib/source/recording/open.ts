// Opens a recording of any form that is known, by what the file begins with.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { readStudy, studyRuns } from '../../simulation/recording/study.js';
import { CsvRecording } from './csv.js';
import { Hdf5Recording } from './hdf5.js';
import { HDF5_MARK } from './hdf5-library.js';
import { McapRecording } from './mcap.js';
import { isMcap } from './mcap-rows.js';
import { MergedRecording, type Part } from './merged.js';
import { ParquetRecording } from './parquet.js';
import { PARQUET_MARK } from './parquet-head.js';
import type { Recording } from './recording.js';
import { RecordingFile } from './recording-file.js';
import { ResultsOnly } from './results-only.js';
import { isTrk, TrkRecording } from './trk.js';

/** How a recording is read. */
export interface OpenOptions {
  /** The column of times in a text that is not Trick's. Default: guessed from names and numbers. */
  readonly time?: string;
  /** Of a directory of many runs those that are opened. Default: all, or as many of the first as go together. */
  readonly runs?: readonly number[];
  /** Told how much of a large file has been read, from 0 to 1, while what is found in it is put into an index. */
  readonly progress?: (part: number) => void;
}

/**
 * Opens a recording: a .trk file of Trick 05, 07 or 10, an MCAP file with messages in protobuf, a Parquet file, an HDF5 file as Trick
 * has them, after `loadHdf5`, or a text: Trick's and varwire's .csv and .txt, and tables of other programs. The .header file of a recording stands for it. A directory is one run: its .trk files together, where
 * a variable that several of them have is below the name of each group. Several paths are runs on one time, the variables
 * of the first below `run1`. It stays open until `close`, and may still be written.
 * Throws an Error with one sentence for a file that cannot be read, is damaged, or has no times.
 */
export function openRecording(path: string | readonly string[], options: OpenOptions = {}): Recording {
  const paths = typeof path === 'string' ? [path] : path;
  const [first, ...others] = paths;
  if (first === undefined) throw new RangeError('a recording is opened by one path or more');
  if (others.length === 0) return openStudy(first, options) ?? openRun(first, options);
  const { parts, failures } = openedOf(paths, (each, index) => ({
    name: `run${index + 1}`,
    recording: openRun(each, options),
  }));
  if (failures.length === 0) return new MergedRecording(`${first} and ${others.length} more`, parts, true);
  for (const { recording } of parts) recording.close();
  throw new Error(failures[0]);
}

/** What runs of a study may have together if nobody has chosen them. */
const [MOST_STUDY_RUNS, MOST_STUDY_COLUMNS, MOST_STUDY_BYTES] = [1000, 20_000, 2 ** 28];

/** A directory of many runs; undefined for other paths. */
function openStudy(path: string, options: OpenOptions): Recording | undefined {
  const directories = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? studyRuns(path) : undefined;
  if (!directories) return undefined;
  const missing = options.runs?.find((run) => !directories.has(run));
  if (missing !== undefined) throw new Error(`${path} has no recording of run ${missing}`);
  const results = readStudy(path);
  const failures: string[] = [];
  const parts: (Part & { readonly run: number })[] = [];
  let [columns, bytes] = [0, 0];
  const wanted = options.runs ?? [...directories.keys()];
  for (const [index, run] of wanted.entries()) {
    try {
      const recording = openRun(directories.get(run) as string, options);
      parts.push({ name: `run${run}`, recording, run });
      columns += recording.columns.length;
      bytes += recording.rows * recording.rowBytes;
    } catch (error) {
      failures.push((error as Error).message);
    }
    const isRoom = parts.length < MOST_STUDY_RUNS && columns < MOST_STUDY_COLUMNS && bytes < MOST_STUDY_BYTES;
    if (options.runs || isRoom) continue;
    const left = wanted.length - index - 1;
    if (left > 0) failures.push(`${left} more runs are not open; --run names those that are`);
    break;
  }
  if (parts.length === 0) {
    if (results && !options.runs) return new ResultsOnly(path, results, shortened(failures));
    throw new Error(failures[0] ?? `${path} has no RUN_ directory`);
  }
  const study = { results, open: parts.map(({ run }) => run) };
  return new MergedRecording(path, parts, true, shortened(failures), study);
}

const MOST_FAILURES = 5;

/** The last one may tell how many runs are not open. */
const shortened = (failures: readonly string[]): readonly string[] =>
  failures.length <= MOST_FAILURES
    ? failures
    : [
        ...failures.slice(0, MOST_FAILURES - 1),
        `${failures.length - MOST_FAILURES} more such faults`,
        failures.at(-1) as string,
      ];

/** Of one run. */
const MOST_FILES = 1000;

/** A file, or the recordings of a directory. */
function openRun(path: string, options: OpenOptions): Recording {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return openFile(besideHeader(path), options);
  const files = recordingsIn(path);
  if (files.length > MOST_FILES)
    throw new Error(
      `${path} has ${files.length} recordings, and ${MOST_FILES} go together: name those that are opened`,
    );
  const { parts, failures } = openedOf(files.sort(), (file) => ({
    // Trick: log_<group>.trk
    name: parse(file).name.replace(/^log_/, ''),
    recording: openFile(join(path, file)),
  }));
  if (parts.length === 0)
    throw new Error(failures[0] ?? `${path} has no recording such as log_flight.trk; other files are named one by one`);
  const [only] = parts;
  // One file alone opens at once, however large it is.
  if (parts.length === 1 && only && failures.length === 0) return only.recording;
  return new MergedRecording(path, parts, false, shortened(failures));
}

/** The .trk and .h5 files of a run, or its other recordings if there are none. */
function recordingsIn(directory: string): string[] {
  const names = readdirSync(directory);
  const binary = names.filter((name) => /\.(trk|h5)$/.test(name));
  return binary.length > 0
    ? binary
    : names.filter((name) => /^log_(?!.*timeline).+\.(csv|txt|mcap|parquet)$/.test(name));
}

/** Opens what can be opened, and tells why others cannot. */
function openedOf(paths: readonly string[], open: (path: string, index: number) => Part) {
  const [parts, failures]: [Part[], string[]] = [[], []];
  for (const [index, path] of paths.entries())
    try {
      parts.push(open(path, index));
    } catch (error) {
      failures.push((error as Error).message);
    }
  return { parts, failures };
}

function openFile(path: string, { time, progress }: OpenOptions = {}): Recording {
  const file = RecordingFile.open(path);
  try {
    const beginning = file.read(0, 4).toString('latin1');
    if (beginning === PARQUET_MARK) return new ParquetRecording(file, time);
    if (beginning === HDF5_MARK) return new Hdf5Recording(file, time);
    if (isTrk(file)) return new TrkRecording(file);
    return isMcap(file) ? new McapRecording(file) : new CsvRecording(file, time, progress);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The recording that a .header file belongs to. */
function besideHeader(path: string): string {
  const base = /^(.*)\.header$/s.exec(path)?.[1];
  const files = base === undefined ? [] : ['trk', 'h5', 'csv', 'txt'].map((extension) => `${base}.${extension}`);
  return files.find((file) => existsSync(file)) ?? path;
}
