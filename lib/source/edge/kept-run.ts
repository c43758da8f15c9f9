// The last run of what a NATS server has kept of a simulation, as a recording in Trick's binary form.
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../model/bounds/limits.js';
import { Catalog } from '../../model/state/catalog.js';
import { FollowedVariables } from '../../simulation/recording/followed-variables.js';
import { BINARY, type Column, layOut, Row } from '../../simulation/recording/row.js';
import { Down } from './carrier.js';
import { unpackCatalog } from './catalog-codec.js';
import { type DecodedFrame, epochOf, FrameDecoder } from './frame-codec.js';
import { readKept } from './nats-stream.js';
import { numbersIn } from './numbers.js';

const MOST_FILE_BYTES = LIMITS.playedBytes.all;
const MOST_COLUMNS = LIMITS.playedNumbers.all;

/** Fetches it into a file that lies there until it is forgotten. Rejects with one sentence. */
export async function fetchKept(url: string, name: string): Promise<{ readonly path: string; forget(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-kept-'));
  const forget = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const path = join(directory, 'kept.trk');
    const run = new KeptRun(path);
    try {
      await readKept(url, name, (message) => run.take(message));
    } finally {
      run.close();
    }
    if (run.rows === 0) throw new Error(`the NATS server keeps no frame of ${name}`);
    return { path, forget };
  } catch (error) {
    forget();
    throw error;
  }
}

/** Columns whose variables are there, with that of the time before them. */
interface Found {
  readonly variables: FollowedVariables;
  readonly columns: readonly Column[];
}

/** Takes the messages of a simulation in order. */
export class KeptRun {
  rows = 0;
  private readonly file: number;
  private bytes = 0;
  private epoch: number | undefined;
  private decoder = new FrameDecoder();
  private catalog: Catalog | undefined;
  private found: Found | undefined;
  private row: Row | undefined;
  private seconds = Number.NaN;

  /** @param path of a file that is made. */
  constructor(path: string) {
    this.file = openSync(path, 'wx');
  }

  /** Throws an Error with one sentence for a run that is too long. */
  take(message: Uint8Array): void {
    if (message[0] === Down.catalog) this.takeCatalog(message);
    if (message[0] !== Down.frame || epochOf(message) !== this.epoch) return;
    const frame = this.decoder.decode(message);
    if (frame && frame.header.catalogVersion === this.catalog?.version) this.takeFrame(frame);
  }

  close(): void {
    closeSync(this.file);
  }

  private takeCatalog(message: Uint8Array): void {
    const { epoch, catalog } = unpackCatalog(message);
    const isWhole = !('from' in catalog);
    if (isWhole && epoch !== this.epoch) this.begin(epoch);
    const isNext = isWhole ? catalog.version !== this.catalog?.version : catalog.from === this.catalog?.version;
    if (epoch !== this.epoch || !isNext) return;
    this.catalog = new Catalog(catalog, isWhole ? undefined : this.catalog);
    this.found = undefined;
  }

  /** Another run has begun, which takes the place of the one before. */
  private begin(epoch: number): void {
    this.epoch = epoch;
    this.catalog = undefined;
    this.row = undefined;
    this.decoder = new FrameDecoder();
    this.seconds = Number.NaN;
    this.rows = 0;
    this.bytes = 0;
    ftruncateSync(this.file);
  }

  private takeFrame({ header, memory }: DecodedFrame): void {
    const catalog = this.catalog as Catalog;
    const seconds = header.timeTics / header.ticsPerSecond;
    // In a freeze time stands still.
    if (seconds === this.seconds) return;
    this.seconds = seconds;
    const row = this.row ?? this.laidOut(catalog);
    const { variables, columns } = this.found ?? this.find(row, catalog);
    row.setTime(seconds);
    variables.copy(memory, row.memory, columns);
    this.write(BINARY.row(row));
    this.rows++;
  }

  /** The numbers of the first frame are the columns. */
  private laidOut(catalog: Catalog): Row {
    const found = [...numbersIn(catalog)];
    if (found.length > MOST_COLUMNS) throw new Error(`it has more than ${MOST_COLUMNS} numbers`);
    this.row = new Row(layOut(found.map((variable) => ({ variable, name: variable.path }))));
    this.write(BINARY.start(this.row.columns));
    return this.row;
  }

  /** What has gone since keeps its last value. */
  private find({ columns }: Row, catalog: Catalog): Found {
    const [time, ...values] = columns as [Column, ...Column[]];
    const found = values.flatMap((column) => {
      const variable = catalog.find(column.name);
      return variable && isDeepStrictEqual(variable.type, column.type) ? [{ variable, column }] : [];
    });
    const recordables = found.map(({ variable }) => ({ variable, name: variable.path }));
    this.found = {
      variables: new FollowedVariables(recordables, catalog),
      columns: [time, ...found.map(({ column }) => column)],
    };
    return this.found;
  }

  private write(bytes: Buffer): void {
    if (this.bytes + bytes.length > MOST_FILE_BYTES) throw new Error('it takes more than 4 GB');
    writeSync(this.file, bytes, 0, bytes.length, this.bytes);
    this.bytes += bytes.length;
  }
}
