// One group of recorded variables: samples them at their times and writes them to its file. Trick: DataRecordGroup

import type { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';
import type { OpenFile } from '../files/open-file.js';
import { type RunDirectory, reasonOf } from '../files/run-directory.js';
import { endHeader, endWithin } from './file-end.js';
import { FollowedVariables } from './followed-variables.js';
import type { LogLevel, RecordedMark } from './mcap-file.js';
import type { Past } from './past.js';
import { formatOf, LAYOUT_SETTINGS, type RecordedVariable, type RecordOptions } from './record-options.js';
import { BINARY, HDF5, headerOf, layOut, MCAP, type Recordable, type RecordFormat, Row, requireFit } from './row.js';
import { encoderOf, type RowEncoder } from './row-encoder.js';

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

/** No catalog has this version. */
const NEVER_PREPARED = -1;
/** The name of a column, which a reader of the file can tell from its units and from the next column. */
const COLUMN_NAME = /^[^\s,{}\0-\x1f]{1,4096}$/;

const wantedOf = (followed: FollowedVariables | undefined): RecordedVariable[] =>
  (followed?.variables ?? []).map(({ variable: { path }, name }) => (name === path ? path : { path, name }));

/** Variables that cannot be recorded and are named, with the nearest names: looking for those takes milliseconds. */
const MOST_EXPLAINED = 5;

/** Rows are written when this many bytes are buffered, or when `flush` is called. */
const BUFFER_BYTES = 64 * 1024;
/** No chunk is open longer. */
const CHUNK_MILLIS = 1000;
/** Rows that wait for rows of the past take this many bytes at most; then they are written without them. */
const WAITING_BYTES = 1024 * 1024;

export class Recorder {
  isEnabled: boolean;
  private settings: RecordOptions;
  private format: RecordFormat;
  private readonly fileName: string;
  private recordables: FollowedVariables | undefined;
  private watched: FollowedVariables | undefined;
  private catalogVersion = NEVER_PREPARED;
  private now: Row | undefined;
  private last: Row | undefined;
  /** The values whose changes decide, and as they were at the last row. */
  private changes: Row | undefined;
  private lastChanges: Row | undefined;
  /** Simulation time of the last row; undefined before the first. */
  private lastSeconds: number | undefined;
  private lastTakenSeconds: number | undefined;
  private file: OpenFile | undefined;
  /** Of the present file. */
  private encoder: RowEncoder | undefined;
  /** When the first row of the present chunk came. */
  private heldSinceMillis: number | undefined;
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private fileBytes = 0;
  /** How much there was in the file when the recording ended by itself, which may go on later. */
  private leftBytes = 0;
  private failure: string | undefined;
  /** Whether the first rows wait for rows of the past, which are being made. */
  private isWaiting = false;

  constructor(
    readonly name: string,
    options: RecordOptions,
    private readonly recorded: Recorded,
    private readonly files: RunDirectory,
    private readonly facts: Readonly<Record<string, string>> = {},
  ) {
    this.settings = options;
    this.format = formatOf(options);
    this.fileName = `log_${name}`;
    this.isEnabled = options.enabled ?? true;
  }

  get options(): RecordOptions {
    return this.settings;
  }

  /** Why the recording has ended by itself, in one sentence; undefined while it goes on. */
  get end(): string | undefined {
    return this.failure;
  }

  /** Changes settings. Throws an Error for what cannot change any more once there is a row. */
  change(changed: Partial<RecordOptions>): void {
    const isLayout = LAYOUT_SETTINGS.some((name) => name in changed);
    if (isLayout && this.lastSeconds !== undefined)
      throw new Error(`${this.fileName} has rows already; its variables and its form stay as they are`);
    const next = { ...this.settings, ...changed };
    this.format = formatOf(next);
    this.settings = next;
    this.isEnabled = changed.enabled ?? this.isEnabled;
    if (!isLayout) return;
    this.now = undefined;
    this.catalogVersion = NEVER_PREPARED;
    this.closeFile();
    this.encoder = undefined;
    this.leftBytes = 0;
  }

  /** The names that its files have, or will have once there is a row. */
  get fileNames(): readonly string[] {
    const { fileName, format } = this;
    return [...(format === MCAP ? [] : [`${fileName}.header`]), `${fileName}.${format.extension}`];
  }

  /** Throws an Error when another server writes its files. */
  requireFree(): void {
    // A row that the input file has recorded has made them.
    if (this.file) return;
    for (const name of this.fileNames) this.files.requireFree(name);
  }

  /** Finds the variables. Throws an Error that names one that does not exist, is not a single number or fits its column no more. */
  prepare(): void {
    const { changes = [] } = this.settings;
    const { catalog, state } = this.recorded;
    // What was left out of the columns stays out.
    const variables = this.found(this.now ? wantedOf(this.recordables) : this.settings.variables);
    const watched = this.found(this.now ? wantedOf(this.watched) : changes);
    if (this.now) requireFit(this.now.columns, variables);
    if (this.changes) requireFit(this.changes.columns, watched);
    this.recordables = new FollowedVariables(variables, catalog);
    this.watched = new FollowedVariables(watched, catalog);
    this.catalogVersion = state.version;
    if (this.now) return;
    this.now = new Row(layOut(variables));
    this.changes = changes.length > 0 ? new Row(layOut(watched)) : undefined;
  }

  /**
   * Finds the variables where they lie in the present catalog, at a cost for what has changed. Returns false when all must
   * be prepared again. Call it often: it is not known for long what has changed.
   */
  keepUp(): boolean {
    const { recordables, watched, catalogVersion } = this;
    if (catalogVersion === this.recorded.state.version) return true;
    if (!recordables || !watched || catalogVersion === NEVER_PREPARED) return false;
    const { catalog } = this.recorded;
    const changed = catalog.changedSince(catalogVersion);
    const isFound = changed !== undefined && recordables.follow(changed, catalog) && watched.follow(changed, catalog);
    this.catalogVersion = isFound ? catalog.version : NEVER_PREPARED;
    return isFound;
  }

  /** What cannot be recorded is left out with a warning, where the settings say so and no row has been laid out yet. */
  private found(wanted: readonly RecordedVariable[]): Recordable[] {
    const isLenient = this.settings.unknown === 'leave out' && !this.now;
    let leftOut = 0;
    const found = wanted.flatMap((one) => {
      try {
        const found = this.find(one, leftOut < MOST_EXPLAINED);
        layOut([found]);
        return [found];
      } catch (error) {
        if (!isLenient) throw error;
        if (++leftOut <= MOST_EXPLAINED) this.recorded.say(`${(error as Error).message}; it is left out`, 'warning');
        return [];
      }
    });
    const more = leftOut - MOST_EXPLAINED;
    if (more > 0) this.recorded.say(`${this.fileName}: ${more} more that cannot be recorded are left out`, 'warning');
    return found;
  }

  private find(wanted: RecordedVariable, isExplained: boolean): Recordable {
    const { path, name } = typeof wanted === 'string' ? { path: wanted, name: undefined } : wanted;
    if (name !== undefined && !COLUMN_NAME.test(name))
      throw new Error(
        `${this.fileName}: a column's name has no blanks, commas or braces, unlike ${JSON.stringify(name)}`,
      );
    const variable = this.recorded.catalog.find(path);
    if (!variable)
      throw new Error(`${this.fileName}: ${isExplained ? this.recorded.catalog.explain(path) : 'no variable'}`);
    return { variable, name: name ?? variable.path };
  }

  /**
   * Makes the files, and looks whether there is room for a row; goes on with them if the recording had ended by itself. An
   * error ends it, and `end` tells why.
   */
  begin(): void {
    if (this.isWaiting) return;
    this.failure = undefined;
    this.attempt(() => {
      const row = this.upToDate();
      this.file ??= this.open();
      this.sample(row, this.recordables);
      this.file.requireRoom(this.format.row(row));
    });
  }

  /** Records a row of the current values. An error ends the recording of this group, but not the simulation. */
  record(isForced = false): void {
    if (this.failure === undefined && (this.isEnabled || isForced))
      this.attempt(() => this.take(this.upToDate(), isForced));
  }

  private upToDate(): Row {
    if (!this.now || !this.keepUp()) this.prepare();
    return this.now as Row;
  }

  /** Holds all rows back until `begin`. */
  waitForPast(): void {
    this.isWaiting = true;
  }

  /** Writes rows of the past before the rows taken since; rows of other columns are left out. */
  beginWith({ start, rows }: Past): void {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.begin();
    if (this.failure !== undefined) return;
    if (this.now && this.format.start(this.now.columns).equals(start)) {
      this.buffered.unshift(Buffer.from(rows));
      this.bufferedBytes += rows.length;
      this.fileBytes += rows.length;
      this.lastSeconds ??= this.recorded.executive.timeSeconds;
    }
    this.flush();
  }

  /** Writes the buffered rows. @param isDue also those of a chunk that has not been open for long. */
  flush(isDue = true): void {
    const { encoder, heldSinceMillis = Number.POSITIVE_INFINITY } = this;
    if (encoder && encoder.heldBytes > 0 && (isDue || Date.now() - heldSinceMillis > CHUNK_MILLIS))
      this.keep(encoder.held());
    if (this.bufferedBytes > WAITING_BYTES) this.isWaiting = false;
    if (this.isWaiting) return;
    this.file?.renew();
    if (this.bufferedBytes === 0) return;
    const rows = this.buffered;
    this.buffered = [];
    this.bufferedBytes = 0;
    this.attempt(() => {
      this.file ??= this.open();
      this.file.appendAll(rows, this.format.extension === BINARY.extension);
    });
  }

  close(): void {
    this.isWaiting = false;
    this.flush();
    if (this.file && this.encoder) this.keep(this.encoder.end());
    this.flush();
    this.closeFile();
    this.isEnabled = false;
  }

  /** Keeps a message of the simulation, or what has happened to it, among the rows, in forms that have some. */
  note(text: string, level: LogLevel, mark?: RecordedMark, seconds = this.recorded.executive.timeSeconds): void {
    if (this.format === MCAP && this.file && this.failure === undefined)
      this.keep(this.encoding().say(seconds, level, text, mark));
  }

  private closeFile(): void {
    this.file?.close();
    this.file = undefined;
  }

  private take(row: Row, isForced: boolean): void {
    const seconds = this.recorded.executive.timeSeconds;
    const { when = 'always', moreCyclesSeconds } = this.settings;
    // Two cycles may come together.
    if (moreCyclesSeconds && !isForced && seconds === this.lastTakenSeconds) return;
    this.lastTakenSeconds = seconds;
    row.setTime(seconds);
    this.sample(row, this.recordables);
    if (when !== 'always' && !this.hasChanged(row) && !isForced) return;
    const { last } = this;
    if (when === 'change step' && last && !isForced) this.writeOld(last, seconds);
    this.lastSeconds = seconds;
    this.write(row);
    if (when === 'always') return;
    this.last ??= new Row(row.columns);
    this.last.copyValues(row);
  }

  /** Whether a value that decides differs from the last row; the first row always does. */
  private hasChanged(row: Row): boolean {
    const { changes, lastChanges } = this;
    if (!changes) return !this.last || !row.equalValues(this.last);
    this.sample(changes, this.watched);
    const hasChanged = !lastChanges || !changes.equalValues(lastChanges);
    this.lastChanges ??= new Row(changes.columns);
    this.lastChanges.copyValues(changes);
    return hasChanged || !this.last;
  }

  private writeOld(last: Row, seconds: number): void {
    last.setTime(seconds);
    this.write(last);
  }

  private sample({ columns, memory }: Row, followed: FollowedVariables | undefined): void {
    if (!followed) return;
    const { state } = this.recorded;
    for (const component of followed.components) state.pullMirror(component);
    followed.copy(state.arena.memory, memory, columns);
  }

  private write(row: Row): void {
    const { maxFileBytes = 2 ** 30 } = this.settings;
    const encoder = this.encoding();
    // A row of a chunk takes a little more than its values.
    const bytes = this.format === MCAP ? encoder.heldBytes + 2 * row.memory.bytes.length : this.format.row(row);
    if (this.fileBytes + (typeof bytes === 'number' ? bytes : bytes.length) > maxFileBytes) {
      this.flush();
      this.endWith(`${this.fileName} has come to its ${maxFileBytes} bytes`, 'warning');
      return;
    }
    this.keep(typeof bytes === 'number' ? encoder.row(row) : bytes);
    if (this.bufferedBytes >= BUFFER_BYTES) this.flush(false);
  }

  private encoding(): RowEncoder {
    const { encoding } = this.settings;
    this.encoder ??= encoderOf(this.format, (this.now as Row).columns, this.facts, encoding && { encoding });
    return this.encoder;
  }

  private keep(bytes: Buffer): void {
    this.heldSinceMillis = this.encoder?.heldBytes ? (this.heldSinceMillis ?? Date.now()) : undefined;
    if (bytes.length === 0) return;
    this.fileBytes += bytes.length;
    this.buffered.push(bytes);
    this.bufferedBytes += bytes.length;
  }

  private open(): OpenFile {
    const { columns } = this.now as Row;
    const { fileName, format, files, leftBytes } = this;
    if (format === MCAP && leftBytes > 0) throw new Error('it has its end already; another recording can be made');
    // One file for both forms: its first line begins with the name in each.
    if (format !== MCAP) files.replace(`${fileName}.header`, headerOf(format, fileName, columns), `${fileName} `);
    // That of an earlier run is not of this one.
    if (format === HDF5 && leftBytes === 0) this.quietly(() => files.remove(`${fileName}.h5`, ''));
    const file = files.create(`${fileName}.${format.extension}`, format.head, leftBytes);
    try {
      if (leftBytes === 0) file.append(this.encoding().start);
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  private attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.endWith(`${this.fileName}: ${reasonOf(error)}`, 'error');
    }
  }

  /** Ends the recording, with its file closed: nothing is lost that is in it. */
  private endWith(why: string, level: 'error' | 'warning'): void {
    if (this.failure !== undefined) return;
    this.isEnabled = false;
    this.buffered = [];
    this.bufferedBytes = 0;
    const { file, fileName, format, files, now } = this;
    this.failure = why;
    if (format === MCAP && file) this.quietly(() => endWithin(file, this.encoding(), why));
    if (file) this.leftBytes = file.sizeBytes;
    this.fileBytes = this.leftBytes;
    this.closeFile();
    this.quietly(() => {
      if (format !== MCAP && file && now)
        endHeader(files, fileName, (ended) => headerOf(format, fileName, now.columns, ended), why);
    });
    this.recorded.say(`${why}; recording of it ends`, level);
  }

  /** For what is said in the files where there is room for it. */
  private quietly(act: () => void): void {
    try {
      act();
    } catch {}
  }
}
