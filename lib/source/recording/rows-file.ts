// A recording that is written from outside a simulation, row by row, to a file of any form.
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { type LeafType, sizeOf } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { reasonOf } from '../../simulation/files/run-directory.js';
import type { McapOptions } from '../../simulation/recording/mcap-file.js';
import { BINARY, type Column, MCAP, Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { encoderOf, type RowEncoder } from '../../simulation/recording/row-encoder.js';
import { CSV } from '../../simulation/recording/text-rows.js';

const FORMS = { '.trk': BINARY, '.mcap': MCAP, '.csv': CSV } as const;

/** What a column is of. */
export interface Recorded {
  readonly name: string;
  readonly units: string;
  readonly type: LeafType;
}

export class RowsFile {
  rows = 0;
  /** Rows that no open chunk has. */
  private writtenRows = 0;
  private isBroken = false;
  private readonly row: Row;
  private readonly encoder: RowEncoder;
  private readonly descriptor: number;
  private bytes = 0;

  /**
   * Throws an Error with one sentence for a form that is not written, and for a file that is there or cannot be made.
   * @param facts of the run, for forms that keep them.
   * @param mcap of MCAP alone.
   */
  constructor(
    private readonly path: string,
    recorded: readonly Recorded[],
    facts: Readonly<Record<string, string>>,
    isForced: boolean,
    mcap: McapOptions = {},
  ) {
    requireForm(path);
    let offsetBytes = sizeOf(TIME_COLUMN.type);
    const columns: Column[] = [TIME_COLUMN];
    for (const one of recorded) {
      columns.push({ ...one, offsetBytes });
      offsetBytes += sizeOf(one.type);
    }
    this.row = new Row(columns);
    this.encoder = encoderOf(FORMS[extname(path) as keyof typeof FORMS], columns, facts, mcap);
    this.descriptor = this.opened(isForced);
    this.write(this.encoder.start);
  }

  get sizeBytes(): number {
    return this.bytes + this.encoder.heldBytes;
  }

  /**
   * Throws an Error with one sentence when it cannot be written; then the file has `rows` of those before.
   * @param values in the order of the columns; one that is not there is NaN, or 0.
   */
  add(seconds: number, values: readonly (number | bigint | boolean | undefined)[]): void {
    const { columns, memory } = this.row;
    this.row.setTime(seconds);
    for (const [index, value] of values.entries()) {
      const { type, offsetBytes } = columns[index + 1] as Column;
      storeValue(memory, type, offsetBytes, value ?? (isFloating(type) ? Number.NaN : 0));
    }
    this.write(this.encoder.row(this.row));
    this.rows++;
    if (this.encoder.heldBytes === 0) this.writtenRows = this.rows;
  }

  /** Writes what is held back for a chunk. */
  flush(): void {
    this.write(this.encoder.held());
    this.writtenRows = this.rows;
  }

  /** @param why it ends, if not because somebody has ended it. */
  close(why?: string): void {
    try {
      // A chunk that could not be written is not in the file, nor among its places.
      const isEnded = !this.isBroken || this.encoder.backTo(fstatSync(this.descriptor).size) !== undefined;
      if (isEnded) this.write(this.encoder.end(why));
    } catch (error) {
      if (!this.isBroken || why === undefined) throw error;
    } finally {
      closeSync(this.descriptor);
    }
  }

  private opened(isForced: boolean): number {
    try {
      return openSync(this.path, isForced ? 'w' : 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        throw new Error(`${this.path} is there already; --force replaces it`);
      throw new Error(`${this.path} cannot be written: ${reasonOf(error)}`);
    }
  }

  /** All of the bytes, or none. */
  private write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const { descriptor } = this;
    const before = fstatSync(descriptor).size;
    try {
      // A .trk file always has whole rows.
      ftruncateSync(descriptor, before + bytes.length);
      for (let done = 0; done < bytes.length; )
        done += writeSync(descriptor, bytes, done, bytes.length - done, before + done);
      this.bytes += bytes.length;
    } catch (error) {
      ftruncateSync(descriptor, before);
      this.isBroken = true;
      this.rows = this.writtenRows;
      throw new Error(`${this.path} cannot be written: ${reasonOf(error)}`);
    }
  }
}

/** Throws an Error with one sentence. */
export function requireForm(path: string): void {
  if (!Object.hasOwn(FORMS, extname(path)))
    throw new Error(`${path} would be of a form that is not written: .trk, .mcap and .csv are`);
}

const isFloating = (type: LeafType): boolean =>
  type.kind === 'number' && (type.name === 'double' || type.name === 'float');
