// Checkpoints on a thread of their own, which starts with the first one and ends after a while without any.
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { CopyMemory, type Desk, type DeskOutcome, type DeskTask } from '../executive/desk.js';
import type { Vitals } from '../executive/vitals.js';
import { type AskedBy, type Asker, askerOf, type Figures, fairShare } from '../model/fair-share.js';
import { DESK_MEMORY } from './simulation-memory.js';

/** The most waiting tasks, and bytes of copied states in them; a task of any size is accepted when none waits. */
const MOST_WAITING = 24;
const MOST_WAITING_BYTES = 2 ** 28;
const IDLE_MILLIS = 10_000;

/** Given to the thread at its start. */
export interface DeskStart {
  readonly port: MessagePort;
  readonly runDirectory: string;
  /** The disk quota. */
  readonly quota: { readonly limitBytes: number; readonly words: Int32Array };
  /** Increased and notified with each outcome; undefined when the event loop is never blocked. */
  readonly wake: Int32Array | undefined;
}

/** What the thread sends for each task. */
export interface DeskAnswer {
  readonly outcome: DeskOutcome;
  /** The memory of a task's copy, which goes back. */
  readonly copy: Uint8Array | undefined;
}

interface Thread {
  readonly port: MessagePort;
  readonly worker: Worker;
}

interface Waiting {
  readonly asker: Asker | undefined;
  readonly bytes: number;
  readonly done: (outcome: DeskOutcome) => void;
}

export class DeskThread implements Desk {
  private thread: Thread | undefined;
  private readonly waiting: Waiting[] = [];
  /** As much as waited at once, until the thread ends. */
  private readonly copies = new CopyMemory();
  private counts: Figures = { held: 0, refusals: 0 };
  private sizes: Figures = { held: 0, refusals: 0 };
  private usedMillis = 0;
  private drained: () => void = () => undefined;

  /**
   * @param entry the thread's first module, which calls `runDeskThread`.
   * @param arrived called by the event loop when an outcome has come, if this thread's event loop runs.
   */
  constructor(
    private readonly entry: URL,
    private readonly start: Omit<DeskStart, 'port'>,
    private readonly arrived?: () => void,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** Shows what waits in the vitals of the simulation's thread. */
  showIn(vitals: Pick<Vitals, 'figuresOf'>): void {
    this.counts = vitals.figuresOf('waitingCheckpoints');
    this.sizes = vitals.figuresOf('waitingCheckpointBytes');
  }

  memoryFor(bytes: number, by?: AskedBy): Buffer {
    this.admit(bytes, askerOf(by));
    return this.copies.take(bytes);
  }

  submit(task: DeskTask, done: (outcome: DeskOutcome) => void, by?: AskedBy): void {
    const bytes = task.kind === 'save' ? task.model.usedBytes : 0;
    const asker = askerOf(by);
    this.admit(bytes, asker);
    this.thread ??= this.begin();
    this.thread.port.postMessage(task, task.kind === 'save' ? [task.bytes.buffer as ArrayBuffer] : []);
    this.waiting.push({ asker, bytes, done });
    this.counts.held++;
    this.sizes.held += bytes;
  }

  /** Throws an Error when too many tasks wait. */
  private admit(bytes: number, asker: Asker | undefined): void {
    if (this.waiting.length === 0) return;
    const isFull = this.waiting.length >= MOST_WAITING || this.sizes.held + bytes > MOST_WAITING_BYTES;
    if (!isFull && !(asker && this.isBeyondShare(asker, bytes))) return;
    this.counts.refusals++;
    throw new Error(`${this.waiting.length} checkpoints are being written or read already; ask again later`);
  }

  /** The first checkpoint of an address may have any size. */
  private isBeyondShare(asker: Asker, bytes: number): boolean {
    const counts = fairShare(
      asker,
      MOST_WAITING,
      this.waiting.map((one) => ({ asker: one.asker, amount: 1 })),
    );
    if (counts.has + 1 > counts.most) return true;
    const sizes = fairShare(
      asker,
      MOST_WAITING_BYTES,
      this.waiting.map((one) => ({ asker: one.asker, amount: one.bytes })),
    );
    return this.waiting.some((one) => one.asker?.address === asker.address) && sizes.has + bytes > sizes.most;
  }

  get worksForClients(): boolean {
    return this.waiting.some(({ asker }) => asker !== undefined);
  }

  collect(): void {
    const { thread } = this;
    if (!thread) return;
    for (let got = receiveMessageOnPort(thread.port); got; got = receiveMessageOnPort(thread.port))
      this.answered(got.message as DeskAnswer);
    if (this.waiting.length > 0) this.usedMillis = this.nowMillis();
    else if (this.nowMillis() - this.usedMillis > IDLE_MILLIS) this.end();
  }

  async close(): Promise<void> {
    const { thread } = this;
    if (!thread) return;
    if (this.waiting.length > 0) {
      const all = new Promise<void>((resolve) => {
        this.drained = resolve;
      });
      thread.port.ref();
      // With an event loop that runs, answers are taken already.
      if (!this.arrived) thread.port.on('message', (answer: DeskAnswer) => this.answered(answer));
      await all;
    }
    this.end();
  }

  private begin(): Thread {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(this.entry, {
      workerData: { ...this.start, port: port2 } satisfies DeskStart,
      transferList: [port2],
      resourceLimits: DESK_MEMORY,
    });
    const thread = { port: port1, worker };
    worker.unref();
    worker.on('error', (error) => this.failed(thread, error));
    worker.on('exit', () => this.failed(thread, new Error('it has ended')));
    if (this.arrived) {
      port1.on('message', (answer: DeskAnswer) => {
        this.answered(answer);
        this.arrived?.();
      });
      port1.unref();
    }
    this.usedMillis = this.nowMillis();
    return thread;
  }

  private end(): void {
    this.thread?.port.close();
    this.thread = undefined;
    this.copies.clear();
  }

  private answered({ outcome, copy }: DeskAnswer): void {
    if (copy) this.copies.giveBack(copy);
    this.take(outcome);
  }

  private take(outcome: DeskOutcome): void {
    const first = this.waiting.shift();
    this.counts.held = this.waiting.length;
    this.sizes.held -= first?.bytes ?? 0;
    first?.done(outcome);
    if (this.waiting.length === 0) this.drained();
  }

  private failed(thread: Thread, { message }: Error): void {
    if (thread !== this.thread) return;
    this.thread = undefined;
    const error = `the thread for checkpoints failed: ${message}`;
    while (this.waiting.length > 0) this.take({ kind: 'refused', error });
    this.arrived?.();
  }
}
