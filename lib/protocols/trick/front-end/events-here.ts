// Events of a simulation in a run without a server: the same events as in a server, on the simulation's thread.
import { Mode } from '../../../model/frame/header.js';
import { SessionRegistry } from '../../../serving/session/registry.js';
import type { LogLevel, Source } from '../../../source/source.js';
import { HeldNames, INPUT_LIMITS, type Run } from '../../python/index.js';
import { isReady, type TrickEvent } from '../events/event.js';
import { EventTable } from '../events/event-table.js';
import { ModelEvents } from '../events/model-events.js';
import { runText } from '../script/block-text.js';
import { type Decided, EventEvaluation, lengthOf } from '../script/event-evaluation.js';
import { EventHolds } from '../script/event-holds.js';
import { ServerScript } from '../script/server-script.js';
import type { ServerSurroundings } from '../session/server-settings.js';
import { ReferenceTable } from '../wire/reference.js';
import { ServerState } from './server-state.js';

type Say = (text: string, level?: LogLevel) => void;

export class EventsHere {
  private readonly registry: SessionRegistry;
  private readonly events: EventTable;
  private readonly evaluation: EventEvaluation;
  private readonly holds: EventHolds;
  private readonly script: ServerScript;
  private lastRead = 0;

  /** @param source carries out requests before `submit` returns. */
  constructor(
    private readonly source: Source,
    private readonly say: Say,
  ) {
    this.registry = new SessionRegistry(source);
    this.events = new EventTable({
      canWait: () => true,
      follow: () => undefined,
      changed: () => this.holds.settle(),
      accountOf: () => undefined,
      say: (text, level = 'informational') => say(text, level),
      isVariable: (path) => source.catalog.find(path) !== undefined,
      timeTics: () => (source.frame.header.mode === Mode.initialization ? -1 : source.frame.header.timeTics),
    });
    this.script = this.createScript();
    // A timer would keep a process alive that has nothing else to do.
    this.registry.lag.stop();
    this.evaluation = new EventEvaluation(
      this.events,
      () => this.script,
      (code, reason) => {
        source.submit({ kind: 'control', control: { action: 'terminate', code, reason } }).catch(() => undefined);
      },
    );
    this.holds = new EventHolds(
      this.events,
      source,
      this.evaluation.trees,
      () => this.script.surroundings,
      (event, decided, done) => {
        this.evaluate(event, decided);
        done();
      },
    );
    new ModelEvents(source, this.events).make();
    this.holds.settle();
  }

  close(): void {
    this.registry.close();
  }

  private evaluate(event: TrickEvent, decided: Decided): void {
    if (!isReady(event)) return;
    const { surroundings } = this.script;
    const { timeSeconds } = this.source.frame;
    const failure = this.script.runNow(lengthOf(event), (interpreter) =>
      this.evaluation.run(event, timeSeconds, interpreter, surroundings.ask, decided),
    );
    if (failure) this.evaluation.stop(event, failure);
    this.holds.namesChanged();
  }

  private createScript(): ServerScript {
    const { registry, source } = this;
    const firing: ServerState['firing'] = {
      here: (event, interpreter, ask) => this.evaluation.run(event, source.frame.timeSeconds, interpreter, ask),
      later: async () => undefined,
      elsewhere: async () => undefined,
    };
    const addRead: ServerState['addRead'] = (atSeconds, text) => this.addRead(atSeconds, text);
    const shared = { open: new Set<never>(), events: this.events, firing, addRead };
    return new ServerScript({
      registry,
      references: new ReferenceTable(source),
      server: new ServerState(withoutServer(this.say), shared),
      turns: registry.turns,
      owner: '',
      names: new HeldNames(INPUT_LIMITS.heldBytes),
      explain: (name) => source.catalog.explain(name),
    });
  }

  private addRead(atSeconds: number, text: string): boolean {
    const id = ++this.lastRead;
    const atTics = Math.round(atSeconds * this.source.frame.header.ticsPerSecond);
    const run = (): void => {
      const failure = this.script.runNow(text.length, (interpreter): Run<void> => runText(interpreter, text));
      if (failure) this.script.session.stdio.writeError(failure.pieces);
      this.source.submit({ kind: 'control', control: { action: 'let-go', id } }).catch(() => undefined);
      this.holds.namesChanged();
    };
    this.source.submit({ kind: 'control', control: { action: 'hold', id, atTics } }).then(run, () => undefined);
    return true;
  }
}

const NO_PORT = async (): Promise<void> => {
  throw new Error('a run without a server opens no ports');
};

const withoutServer = (say: Say): ServerSurroundings => ({
  hostname: '',
  ports: { tcp: NO_PORT, udp: NO_PORT, multicast: NO_PORT },
  allowed: {
    add: () => undefined,
    remove: () => false,
    setOpen: () => undefined,
    allowAll: () => undefined,
    forgetAdded: () => undefined,
    isOpen: true,
    isNarrowed: false,
  },
  hasClientRules: false,
  log: (text, level = 'informational') => say(text, level),
});
