// What is recorded, how often, and in which form.
import { BINARY, HDF5, MCAP, type RecordFormat } from './row.js';
import { asciiFormat, CSV } from './text-rows.js';

/** A variable by its path, or by its path and the name that its column has. */
export type RecordedVariable = string | { readonly path: string; readonly name: string };

/** What is recorded, how often, and in which form. */
export interface RecordOptions {
  /**
   * `ascii` writes a .csv file as Trick does (default), `csv` one whose titles and numbers other tools read exactly, `binary` a
   * .trk file, `mcap` a .mcap file. `hdf5` is for input files (DRHDF5): a .trk file, which becomes an .h5 file when the run ends.
   */
  readonly format?: 'ascii' | 'csv' | 'binary' | 'mcap' | 'hdf5';
  /**
   * How rows become messages of a .mcap file: `protobuf`, exactly (default), or `json`, which more programs read, without NaN,
   * infinite numbers and the last digits of long integers; it takes seven times as long.
   */
  readonly encoding?: 'protobuf' | 'json';
  /** Seconds of simulation time between rows. Default 0.1. */
  readonly cycleSeconds?: number;
  /** More cycles of the same recording, in seconds. Trick: add_cycle */
  readonly moreCyclesSeconds?: readonly number[];
  /** Single numbers; arrays are recorded by their elements. */
  readonly variables: readonly RecordedVariable[];
  /** What is done about a variable that cannot be recorded. Default: the recording is refused. */
  readonly unknown?: 'refuse' | 'leave out';
  /** Paths whose changes alone decide about a row, unless `when` is always. Default: all variables do. Trick: add_change_variable */
  readonly changes?: readonly string[];
  /** Writes doubles with 8 digits, in a .csv file only. Trick: set_single_prec_only */
  readonly isSinglePrecision?: boolean;
  /** What stands between the columns of an ASCII file; its name ends in .txt unless this is a comma. Trick: set_delimiter */
  readonly delimiter?: string;
  /**
   * Whether to write every row (default), or only rows in which a value has changed; with `change step` the old values
   * at the new time come before such a row.
   */
  readonly when?: 'always' | 'change' | 'change step';
  /** False records nothing until dr_enable. Default true. */
  readonly enabled?: boolean;
  /** The recording ends when its file has this size. Default 1 GiB. Trick: set_max_file_size */
  readonly maxFileBytes?: number;
}

/** What decides about the columns of a file. */
export const LAYOUT_SETTINGS = ['variables', 'changes', 'delimiter', 'encoding', 'isSinglePrecision'] as const;

const FIXED = { binary: BINARY, hdf5: HDF5, mcap: MCAP, csv: CSV };

export const formatOf = ({ format, delimiter, isSinglePrecision }: RecordOptions): RecordFormat =>
  FIXED[format as keyof typeof FIXED] ?? asciiFormat(delimiter, isSinglePrecision);
