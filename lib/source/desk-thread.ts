// Checkpoints on a thread of their own, which starts with the first one and ends after a while without any.

import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { LIMITS } from '../model/bounds/limits.js';
import { type Client, type ClientOrOperator, clientOf, type Figures, fairShare } from '../model/state/fair-share.js';
import {
  type CatalogPiece,
  CopyMemory,
  type Desk,
  type DeskOutcome,
  type DeskTask,
  type FreshMemory,
  type LoadPlan,
  ModelSender,
  type PackedModel,
  type ReturnedType,
} from '../simulation/executive/desk.js';
import type { Vitals } from '../simulation/executive/vitals.js';
import { DESK_MEMORY } from './simulation-memory.js';
import { startThread } from './start-thread.js';

/** The most waiting tasks, and bytes of copied states in them; a task of any size is accepted when none waits. */
const MOST_WAITING = LIMITS.waitingCheckpoints.all;
const MOST_WAITING_BYTES = 2 ** 28;
const IDLE_MILLIS = 10_000;
/** How long the thread is told between two frames what the state is made of. */
const TELLING_MILLIS = 1;

/** Given to the thread at its start. */
export interface DeskStart {
  readonly port: MessagePort;
  readonly runDirectory: string;
  /** The disk quota. */
  readonly quota: { readonly limitBytes: number; readonly words: Int32Array };
  /** Increased and notified with each outcome; undefined when the event loop is never blocked. */
  readonly wake: Int32Array | undefined;
}

type Packed<T extends DeskTask> = Omit<T, 'model'> & { readonly model: PackedModel<T['model']> };

/** What the thread is sent: for each task what it does not know of the catalog, and then the rest. */
export type ToDesk =
  | { readonly piece: CatalogPiece }
  | { readonly task: Packed<SaveTask> | Packed<Exclude<DeskTask, SaveTask>> };

type SaveTask = Extract<DeskTask, { readonly kind: 'save' }>;

/** An outcome on its way: types are told by numbers that both sides know. */
export type PackedOutcome =
  | Exclude<DeskOutcome, { readonly kind: 'planned' }>
  | { readonly kind: 'planned'; readonly plan: PackedPlan };

interface PackedPlan extends Omit<LoadPlan, 'fresh'> {
  readonly fresh: readonly (Omit<FreshMemory, 'type'> & { readonly type: ReturnedType })[];
}

/** What the thread sends for each task. */
export interface DeskAnswer {
  readonly outcome: PackedOutcome;
  /** The memory of a task's copy, which goes back. */
  readonly copy: Uint8Array | undefined;
}

interface Thread {
  readonly port: MessagePort;
  readonly worker: Worker;
  readonly sender: ModelSender;
}

/** A task that the thread has not been sent yet. */
interface Unsent {
  readonly task: DeskTask;
  readonly waiting: PendingTask;
  readonly pieces: Iterator<CatalogPiece>;
}

interface PendingTask {
  readonly client: Client | undefined;
  readonly bytes: number;
  readonly done: (outcome: DeskOutcome) => void;
  /** Knows the types of the answer; undefined as long as the task is not sent. */
  types?: ModelSender['types'];
}

export class DeskThread implements Desk {
  private thread: Thread | undefined;
  private readonly waiting: PendingTask[] = [];
  /** The last of those that wait. */
  private unsent: Unsent[] = [];
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

  prepare(bytes: number, by: ClientOrOperator | undefined, isOver: () => boolean): boolean {
    if (this.isFull(bytes, clientOf(by))) return true;
    // The start of a thread takes longer than many a copy.
    this.thread ??= this.begin();
    // With long ticks the memory takes longer than the thread stays without a task.
    this.usedMillis = this.nowMillis();
    return !isOver() && this.copies.prepare(bytes, isOver);
  }

  memoryFor(bytes: number, by?: ClientOrOperator): Buffer {
    this.admit(bytes, clientOf(by));
    return this.copies.take(bytes);
  }

  submit(task: DeskTask, done: (outcome: DeskOutcome) => void, by?: ClientOrOperator): void {
    const bytes = task.kind === 'save' ? task.model.usedBytes : 0;
    const client = clientOf(by);
    this.admit(bytes, client);
    this.thread ??= this.begin();
    const waiting: PendingTask = { client, bytes, done };
    this.waiting.push(waiting);
    this.counts.held++;
    this.sizes.held += bytes;
    this.unsent.push({ task, waiting, pieces: this.thread.sender.pieces(task.model.catalog) });
    if (this.unsent.length === 1) this.send(TELLING_MILLIS);
  }

  /** Sends tasks, with what the thread does not know of their catalogs, for so long. */
  private send(millis: number): void {
    const startMillis = this.nowMillis();
    for (let next = this.unsent[0]; next && this.thread; next = this.unsent[0]) {
      const { port, sender } = this.thread;
      const piece = next.pieces.next();
      if (!piece.done) port.postMessage({ piece: piece.value } satisfies ToDesk);
      else {
        this.unsent.shift();
        const { task, waiting } = next;
        waiting.types = sender.types;
        const sent = { task: { ...task, model: sender.end(task.model) } } as ToDesk;
        port.postMessage(sent, task.kind === 'save' ? [task.bytes.buffer as ArrayBuffer] : []);
      }
      if (this.nowMillis() - startMillis >= millis) return;
    }
  }

  get isBehind(): boolean {
    return this.unsent.length > 0;
  }

  /** Throws an Error when too many tasks wait. */
  private admit(bytes: number, client: Client | undefined): void {
    if (!this.isFull(bytes, client)) return;
    this.counts.refusals++;
    throw new Error(`${this.waiting.length} checkpoints are being written or read already; ask again later`);
  }

  private isFull(bytes: number, client: Client | undefined): boolean {
    if (this.waiting.length === 0) return false;
    if (this.waiting.length >= MOST_WAITING || this.sizes.held + bytes > MOST_WAITING_BYTES) return true;
    return client !== undefined && this.isBeyondShare(client, bytes);
  }

  /** The first checkpoint of an address may have any size. */
  private isBeyondShare(client: Client, bytes: number): boolean {
    const counts = fairShare(
      client,
      MOST_WAITING,
      this.waiting.map((one) => ({ client: one.client, amount: 1 })),
    );
    if (counts.has + 1 > counts.most) return true;
    const sizes = fairShare(
      client,
      MOST_WAITING_BYTES,
      this.waiting.map((one) => ({ client: one.client, amount: one.bytes })),
    );
    return this.waiting.some((one) => one.client?.address === client.address) && sizes.has + bytes > sizes.most;
  }

  get worksForClients(): boolean {
    return this.waiting.some(({ client }) => client !== undefined);
  }

  collect(): void {
    const { thread } = this;
    if (!thread) return;
    this.takeFrom(thread);
    this.send(TELLING_MILLIS);
    if (this.waiting.length > 0) this.usedMillis = this.nowMillis();
    else if (this.nowMillis() - this.usedMillis > IDLE_MILLIS) this.end();
  }

  private takeFrom({ port }: Thread): void {
    for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port))
      this.answered(got.message as DeskAnswer);
  }

  async close(): Promise<void> {
    const { thread } = this;
    if (!thread) return;
    if (this.waiting.length > 0) {
      const all = new Promise<void>((resolve) => {
        this.drained = resolve;
      });
      thread.port.ref();
      this.send(Number.POSITIVE_INFINITY);
      // With an event loop that runs, answers are taken already.
      if (!this.arrived) thread.port.on('message', (answer: DeskAnswer) => this.answered(answer));
      await all;
    }
    this.end();
  }

  private begin(): Thread {
    const { port1, port2 } = new MessageChannel();
    const worker = startThread(this.entry, {
      workerData: { ...this.start, port: port2 } satisfies DeskStart,
      transferList: [port2],
      resourceLimits: DESK_MEMORY,
    });
    const thread = { port: port1, worker, sender: new ModelSender() };
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
    this.take(unpacked(outcome, this.waiting[0]?.types));
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
    // What it has answered before is not for the tasks of the next thread.
    this.takeFrom(thread);
    thread.port.close();
    this.thread = undefined;
    this.copies.dropKept();
    this.unsent = [];
    const error = `the thread for checkpoints failed: ${message}`;
    while (this.waiting.length > 0) this.take({ kind: 'refused', error });
    this.arrived?.();
  }
}

function unpacked(outcome: PackedOutcome, types: ModelSender['types'] | undefined): DeskOutcome {
  if (outcome.kind !== 'planned' || !types) return outcome as DeskOutcome;
  const { plan } = outcome;
  const fresh = plan.fresh.map((memory) => ({ ...memory, type: types.returned(memory.type) }));
  return { kind: 'planned', plan: { ...plan, fresh } };
}
