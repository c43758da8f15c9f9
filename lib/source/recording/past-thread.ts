// The past of a recording that is played, of its files, which a thread of its own reads.

import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Extent, PastPoints } from '../../model/points/points.js';
import { thrownText } from '../../model/state/thrown.js';
import { RequestError } from '../../simulation/executive/request.js';
import type { Column } from '../../simulation/recording/row.js';
import type { RecordedPast } from '../recorded-past.js';
import { startThread } from '../start-thread.js';
import type { Recording } from './recording.js';

/** Given to the thread at its start. */
export interface PastStart {
  readonly files: readonly { readonly path: string; readonly time: string | undefined }[];
}

/** What it is asked: to prepare columns, or, with a span, for the points of one. */
export interface PastQuestion {
  readonly columns: readonly { readonly file: number; readonly index: number }[];
  readonly span?: { readonly from: number; readonly to: number; readonly most: number };
}

export interface PastAnswer {
  readonly id: number;
  readonly points?: PastPoints;
  readonly error?: string;
}

interface Waiting {
  resolve(points: PastPoints | undefined): void;
  reject(error: Error): void;
}

interface Origin {
  readonly recording: Recording;
  readonly column: Column;
}

export class FilePast implements RecordedPast {
  private readonly origins: ReadonlyMap<string, Origin>;
  private readonly recordings: readonly Recording[];
  private readonly waiting = new Map<number, Waiting>();
  private thread: { readonly port: MessagePort; readonly worker: Worker } | undefined;
  private asked = 0;
  private isClosed = false;

  /** @param columns by the paths that clients know. */
  constructor(recording: Recording, columns: ReadonlyMap<string, Column>) {
    this.origins = new Map([...columns].map(([path, column]) => [path, recording.origin(column)]));
    this.recordings = [...new Set([...this.origins.values()].map((origin) => origin.recording))];
  }

  get seconds(): number {
    const lengths = this.recordings.map((recording) => {
      const { from, to } = extentOf(recording) ?? { from: 0, to: 0 };
      return to - from;
    });
    return Math.max(0, ...lengths.filter(Number.isFinite));
  }

  has(name: string): boolean {
    return this.origins.has(name);
  }

  extent(name: string): Extent | undefined {
    const origin = this.origins.get(name);
    return origin && origin.recording.rows > 0 ? extentOf(origin.recording) : undefined;
  }

  async prepare(names: readonly string[]): Promise<void> {
    await this.ask({ columns: names.flatMap((name) => this.placeOf(name)) });
  }

  async points(name: string, from: number, to: number, most: number): Promise<PastPoints> {
    const found = await this.ask({ columns: this.placeOf(name), span: { from, to, most } });
    return found ?? { times: [], values: [], stretchSeconds: 0 };
  }

  close(): void {
    this.isClosed = true;
    void this.thread?.worker.terminate();
    this.thread?.port.close();
    this.thread = undefined;
    this.fail('the recording has been closed');
  }

  private placeOf(name: string): PastQuestion['columns'] {
    const origin = this.origins.get(name);
    if (!origin) return [];
    const { recording, column } = origin;
    return [{ file: this.recordings.indexOf(recording), index: recording.columns.indexOf(column) }];
  }

  private ask(question: PastQuestion): Promise<PastPoints | undefined> {
    if (this.isClosed) return Promise.reject(new RequestError('the recording has been closed'));
    this.thread ??= this.begin();
    const id = this.asked++;
    const { port } = this.thread;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      port.ref();
      port.postMessage({ id, ...question });
    });
  }

  private begin(): { readonly port: MessagePort; readonly worker: Worker } {
    const { port1, port2 } = new MessageChannel();
    const files = this.recordings.map(({ file, timeName }) => ({ path: file, time: timeName }));
    const worker = startThread(new URL('./past-worker.js', import.meta.url), {
      workerData: { port: port2, files } satisfies PastStart & { readonly port: MessagePort },
      transferList: [port2],
    });
    port1.on('message', ({ id, points, error }: PastAnswer) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      // The program may end while nobody waits.
      if (this.waiting.size === 0) port1.unref();
      if (error === undefined) waiting?.resolve(points);
      else waiting?.reject(new RequestError(error));
    });
    worker.unref();
    worker.on('error', (thrown) => {
      this.thread = undefined;
      this.fail(`the recording cannot be read: ${thrownText(thrown)}`);
    });
    return { port: port1, worker };
  }

  private fail(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new RequestError(reason));
    this.waiting.clear();
  }
}

/** How far each reached when it could be read last. */
const extents = new WeakMap<Recording, Extent>();

/** Of a file that cannot be read any more what it was; whoever asks for its points is told why. */
function extentOf(recording: Recording): Extent | undefined {
  try {
    const [from, to] = [0, recording.rows - 1].map((row) => Number(recording.peek(recording.time, row)));
    extents.set(recording, { from, to, wholeFrom: from } as Extent);
  } catch {}
  return extents.get(recording);
}
