// An FMU at work: its instance, behind a link, and the values that it shares with the state.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { unpack } from './archive.js';
import type { FmuCells } from './cells.js';
import type { FmuInterface } from './description.js';
import { type Link, linkHere, linkToProcess } from './link.js';
import { Message, type Operation, type Setup, TERMINATES, type Words } from './messages.js';
import type { ReadFmu } from './parse-description.js';
import { platformOf } from './platform.js';
import { type InstanceHost, Speech } from './speech.js';

export interface InstanceOptions {
  readonly isIsolated: boolean;
  readonly kind: 'co-simulation' | 'model exchange';
  readonly limitSeconds: number;
  readonly isLogging: boolean;
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
    running.add(this);
  }

  get isLost(): boolean {
    return this.failure !== undefined;
  }

  /** Unpacks it and makes the instance. Rejects with one sentence. */
  async start(): Promise<void> {
    const { archive } = this.fmu;
    const platform = platformOf(this.fmu, this.interface.modelIdentifier);
    const directory = mkdtempSync(join(tmpdir(), 'varwire-fmu-'));
    this.directory = directory;
    unpack(archive, platform.directory, directory);
    this.link = this.options.isIsolated ? linkToProcess(directory) : await linkHere();
    this.failure = undefined;
    // Processes that are started together get ready together.
    await new Promise((resolve) => setImmediate(resolve));
    this.request.finish(0, [], this.setup(join(directory, platform.library), join(directory, 'resources')));
    this.ask('setup');
  }

  private get interface(): FmuInterface {
    const { coSimulation, modelExchange } = this.fmu.description;
    return (this.options.kind === 'co-simulation' ? coSimulation : modelExchange) as FmuInterface;
  }

  private setup(library: string, resources: string): Setup {
    const { description, archive } = this.fmu;
    const { kind, isLogging, limitSeconds } = this.options;
    const isExchange = kind === 'model exchange';
    return {
      ...{ generation: description.generation, kind, library, resources, token: description.token, name: this.name },
      ...{ isLogging, limitSeconds, tolerance: description.tolerance, reads: this.cells.reads },
      hasEventMode: !isExchange && description.generation === 3 && this.interface.hasEventMode,
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
