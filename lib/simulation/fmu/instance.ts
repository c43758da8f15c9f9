// An FMU at work: its instance, behind a link, and the values that it shares with the state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { unpack } from './archive.js';
import type { FmuCells } from './cells.js';
import type { FmuInterface, RunKind } from './description.js';
import { type Link, linksHere, linkToProcess } from './link.js';
import { HEAD_BYTES, Message, type Operation, type Setup, TERMINATES, type Words } from './messages.js';
import type { ReadFmu } from './parse-description.js';
import { type Platform, platformOf } from './platform.js';
import { type InstanceHost, Speech } from './speech.js';

export interface InstanceOptions {
  readonly isIsolated: boolean;
  readonly kind: RunKind;
  readonly limitSeconds: number;
  readonly isLogging: boolean;
  /** Whether its state may be in them. */
  readonly checkpoints: boolean;
}

/** What must not outlive this process. */
const running = new Set<FmuInstance>();
process.on('exit', () => {
  for (const instance of running) instance.close();
});

export class FmuInstance {
  readonly request = new Message();
  private readonly speech: Speech;
  private link: Link | undefined;
  private directory: string | undefined;
  /** Starts it again. */
  private launch: (() => () => void) | undefined;
  /** Why it runs no longer. */
  private failure: string | undefined;

  constructor(
    /** The name of its object. */
    readonly name: string,
    private readonly fmu: ReadFmu,
    readonly cells: FmuCells,
    private readonly options: InstanceOptions,
    host: InstanceHost,
  ) {
    this.speech = new Speech(name, host);
  }

  get isLost(): boolean {
    return this.failure !== undefined;
  }

  /** Unpacks it and makes the instance. Rejects with one sentence. */
  async start(): Promise<void> {
    const makeHere = this.options.isIsolated ? undefined : await linksHere();
    this.launch = makeHere ? () => this.open(makeHere) : () => this.open(linkToProcess);
    const setup = this.launch();
    // Processes that are started together get ready together.
    await new Promise((resolve) => setImmediate(resolve));
    setup();
  }

  /** Unpacks it and opens a link. @returns makes the instance. */
  private open(makeLink: (directory: string) => Link): () => void {
    // Without one, it would not have come this far.
    const platform = platformOf(this.fmu, this.interface.modelIdentifier) as Platform;
    const directory = mkdtempSync(join(tmpdir(), 'varwire-fmu-'));
    this.directory = directory;
    running.add(this);
    unpack(this.fmu.archive, platform.directory, directory);
    this.link = makeLink(directory);
    this.failure = undefined;
    return () => {
      this.request.finish(0, [], this.setup(join(directory, platform.library), join(directory, 'resources')));
      this.ask('setup');
    };
  }

  /** The bytes of its state. Throws an Error when it cannot save it. */
  save(): Uint8Array {
    this.requireState();
    this.request.finish(0);
    const reply = this.ask('save');
    return reply.bytes.slice(HEAD_BYTES, HEAD_BYTES + reply.numbersBytes);
  }

  /**
   * Goes on from a saved state, in a new process when the last one is lost. Throws an Error when it cannot.
   * @returns the reply with the values of that state.
   */
  restore(bytes: Uint8Array): Message {
    this.requireState();
    if (bytes.length === 0) throw new Error(`the checkpoint has no state of ${this.said}`);
    const { request } = this;
    if (this.isLost) {
      this.close();
      this.launch?.()();
      request.finish(0);
      request.seconds = 0;
      this.ask('initialize');
    }
    request.ensure(HEAD_BYTES + bytes.length);
    request.bytes.set(bytes, HEAD_BYTES);
    request.finish(bytes.length);
    return this.ask('load');
  }

  private requireState(): void {
    if (!this.options.checkpoints) throw new Error(`${this.said} has the option checkpoints: false`);
    if (!this.interface.canSerializeState)
      throw new Error(`${this.said} cannot save and restore its state, so there are no checkpoints with it`);
  }

  get canSave(): boolean {
    return this.options.checkpoints && this.interface.canSerializeState;
  }

  private get interface(): FmuInterface {
    return this.fmu.description.ways.get(this.options.kind) as FmuInterface;
  }

  private setup(library: string, resources: string): Setup {
    const { description, archive } = this.fmu;
    const { kind, isLogging, limitSeconds } = this.options;
    const isExchange = kind === 'model exchange';
    return {
      ...{ generation: description.generation, kind, library, resources, token: description.token, name: this.name },
      ...{ isLogging, limitSeconds, tolerance: description.tolerance, reads: this.cells.reads },
      hasEventMode: kind === 'co-simulation' && description.generation === 3 && this.interface.hasEventMode,
      hasVariableSteps: this.interface.canHandleVariableStep,
      clocks: kind === 'scheduled execution' ? description.clocks : [],
      needsCompletedStep: isExchange && this.interface.needsCompletedStep,
      states: isExchange ? description.derivatives.length : 0,
      indicators: isExchange ? description.eventIndicators : 0,
      lookUp: [dirname(archive.file), process.cwd()],
    };
  }

  /**
   * Sends the request, whose parts are in place, and returns the reply. Throws an Error with one sentence when it fails, and
   * then every time.
   */
  ask(operation: Operation): Message {
    if (this.failure !== undefined) throw new Error(this.failure);
    if (!this.link) throw new Error(`${this.said} is not running`);
    this.request.operation = operation;
    const reply = this.link.ask(this.request);
    const words = reply.wordsBytes > 0 ? (reply.words as Words) : undefined;
    if (words?.logs) this.speech.say(words);
    if (reply.status !== 'done') {
      this.failure = this.sentence(operation, reply, words?.error ?? '');
      if (reply.status !== 'failed') this.close();
      throw new Error(this.failure);
    }
    return reply;
  }

  /** Whether a reply says that the FMU ends the simulation. */
  isOver(reply: Message): boolean {
    return (reply.flags & TERMINATES) !== 0;
  }

  private get said(): string {
    return `${this.name} (${basename(this.fmu.archive.file)})`;
  }

  private sentence(operation: Operation, { status }: Message, error: string): string {
    if (status === 'failed') return `${this.said}: ${error}`;
    const when = WHEN[operation];
    if (status === 'lost') return `${this.said} is lost ${when}: ${error}`;
    return `${this.said} has not returned ${when} in time, and its process was ended`;
  }

  /** Ends the instance as the standard wants it; what goes wrong then is said only. */
  end(): void {
    try {
      if (this.link && !this.isLost) {
        this.request.finish(0);
        this.ask('end');
      }
    } catch (error) {
      this.speech.warn((error as Error).message);
    }
    this.speech.end();
    this.close();
  }

  /** Ends its process, and removes what was unpacked. */
  readonly close = (): void => {
    running.delete(this);
    this.link?.close();
    this.link = undefined;
    if (this.directory) rmSync(this.directory, { recursive: true, force: true });
    this.directory = undefined;
  };
}

const WHEN: Readonly<Record<Operation, string>> = {
  setup: 'when it was loaded',
  initialize: 'in its initialization',
  step: 'in a step',
  rates: 'in the computation of its rates',
  accept: 'after a step of the integrator',
  event: 'at an event',
  save: 'when its state was saved',
  load: 'when its state was restored',
  end: 'at its end',
};
