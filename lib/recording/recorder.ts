// One group of recorded variables: samples them at their times and writes them to its file. Trick: DataRecordGroup
import type { OpenFile, RunDirectory } from '../files/run-directory.js';
import type { Catalog } from '../model/catalog.js';
import type { State } from '../model/state.js';
import { sizeOf } from '../model/type.js';
import { locate, type Variable } from '../model/variable.js';
import { ASCII, BINARY, headerOf, layOut, type RecordFormat, Row } from './row.js';

export interface RecordOptions {
  /** `ascii` writes a .csv file (default), `binary` a .trk file. */
  readonly format?: 'ascii' | 'binary';
  /** Seconds of simulation time between rows. Default 0.1. */
  readonly cycle?: number;
  /** Paths of single numbers; arrays are recorded by their elements. */
  readonly variables: readonly string[];
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

/** What a recorder reads and writes. */
export interface Recorded {
  readonly state: State;
  readonly catalog: Catalog;
  /** For the simulation's own recordings. */
  readonly files: RunDirectory;
  /** For recordings that clients have added. */
  readonly clientFiles: RunDirectory;
  readonly executive: { readonly timeSeconds: number };
  say(text: string, level: 'warning' | 'error'): void;
}

/** Rows are written when this many bytes are buffered, or when `flush` is called. */
const BUFFER_BYTES = 64 * 1024;

export class Recorder {
  isEnabled: boolean;
  private readonly format: RecordFormat;
  private readonly fileName: string;
  private variables: readonly Variable[] = [];
  private components: readonly string[] = [];
  private catalogVersion = 0;
  private now: Row | undefined;
  private last: Row | undefined;
  private file: OpenFile | undefined;
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private fileBytes = 0;

  constructor(
    readonly name: string,
    private readonly options: RecordOptions,
    private readonly recorded: Recorded,
    private readonly files: RunDirectory,
  ) {
    this.format = options.format === 'binary' ? BINARY : ASCII;
    this.fileName = `log_${name}`;
    this.isEnabled = options.enabled ?? true;
  }

  /** The names that its files have, or will have once there is a row. */
  get fileNames(): readonly string[] {
    return [`${this.fileName}.header`, `${this.fileName}.${this.format.extension}`];
  }

  /** Finds the variables. Throws an Error that names a variable that does not exist or is not a single number. */
  prepare(): void {
    const { catalog, state } = this.recorded;
    this.variables = this.options.variables.map((path) => {
      const variable = catalog.find(path);
      if (!variable) throw new Error(`${this.fileName}: ${catalog.explain(path)}`);
      return variable;
    });
    this.catalogVersion = state.version;
    this.components = [...new Set(this.variables.map(({ path }) => path.match(/^[^.[]*\.[^.[]*/)?.[0] ?? path))];
    if (this.now) return;
    const columns = layOut(this.variables);
    this.now = new Row(columns);
  }

  /** Records a row of the current values. An error ends the recording of this group, but not the simulation. */
  record(isForced = false): void {
    if (!this.isEnabled && !isForced) return;
    try {
      if (this.catalogVersion !== this.recorded.state.version) this.prepare();
      this.take(this.now as Row, isForced);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Writes the buffered rows. */
  flush(): void {
    if (this.bufferedBytes === 0) return;
    const bytes = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    try {
      this.file ??= this.open();
      this.file.append(bytes);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  close(): void {
    this.flush();
    this.file?.close();
    this.file = undefined;
    this.isEnabled = false;
  }

  private take(row: Row, isForced: boolean): void {
    row.setTime(this.recorded.executive.timeSeconds);
    this.sample(row);
    const { when = 'always' } = this.options;
    const { last } = this;
    if (when !== 'always' && !isForced && last) {
      if (row.equalValues(last)) return;
      if (when === 'change step') this.writeOld(last);
    }
    this.write(this.format.row(row));
    if (when === 'always') return;
    this.last ??= new Row(row.columns);
    this.last.copyValues(row);
  }

  private writeOld(last: Row): void {
    last.setTime(this.recorded.executive.timeSeconds);
    this.write(this.format.row(last));
  }

  /** Copies the values; a value that cannot be reached now counts as zero. */
  private sample({ columns, memory }: Row): void {
    const { state } = this.recorded;
    for (const component of this.components) state.pullMirror(component);
    const source = state.arena.memory;
    for (const [index, variable] of this.variables.entries()) {
      const at = columns[index + 1]?.offsetBytes as number;
      const size = sizeOf(variable.type);
      const offset = locate(variable, source);
      if (offset < 0) memory.bytes.fill(0, at, at + size);
      else memory.bytes.set(source.bytes.subarray(offset, offset + size), at);
    }
  }

  private write(bytes: Buffer): void {
    const { maxFileBytes = 2 ** 30 } = this.options;
    if (this.fileBytes + bytes.length > maxFileBytes) {
      this.isEnabled = false;
      this.recorded.say(`${this.fileName} has come to its ${maxFileBytes} bytes; recording of it ends`, 'warning');
      return;
    }
    this.fileBytes += bytes.length;
    this.buffered.push(bytes);
    this.bufferedBytes += bytes.length;
    if (this.bufferedBytes >= BUFFER_BYTES) this.flush();
  }

  private open(): OpenFile {
    const { columns } = this.now as Row;
    const { fileName, format, files } = this;
    const header = headerOf(format, fileName, columns);
    files.replace(`${fileName}.header`, header, `${format.headerLine(fileName)}\n`);
    const file = files.create(`${fileName}.${format.extension}`, format.head);
    try {
      file.append(format.start(columns));
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  private fail({ message }: Error): void {
    this.isEnabled = false;
    this.buffered = [];
    this.bufferedBytes = 0;
    this.fileBytes = this.file?.sizeBytes ?? 0;
    this.recorded.say(`${this.fileName}: ${message}; recording of it ends`, 'error');
  }
}
