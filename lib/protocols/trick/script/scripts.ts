// The sessions in which the server runs texts by itself: one for the input file, one for each address whose events and reads run.
import { HeldNames, INPUT_LIMITS } from '../../python/index.js';
import type { Work } from './block-runner.js';
import type { BlockFailure } from './block-text.js';
import { ServerScript, type ServerScriptSettings } from './server-script.js';

/** Idle sessions beyond this number are closed when another one is opened. */
const MOST_IDLE = 64;

interface ScriptInUse {
  readonly script: ServerScript;
  /** How many works have not ended. */
  count: number;
}

export class Scripts {
  private readonly held = new Map<string, ScriptInUse>();
  private readonly waiting: (() => void)[] = [];
  /** Called after each text of the operator, before anybody who waits for it goes on. */
  operatorsRan: () => void = () => undefined;
  /**
   * The names of the input file. Events and reads of clients see copies of them, so that an action can call its
   * functions.
   */
  private readonly names = new HeldNames(INPUT_LIMITS.heldBytes);

  /** @param isNeeded whether an owner's session must stay. */
  constructor(
    private readonly settings: Omit<ServerScriptSettings, 'owner' | 'names'>,
    private readonly isNeeded: (owner: string) => boolean,
  ) {}

  /** Simulation time of the latest frame. */
  get timeSeconds(): number {
    return this.settings.registry.source.frame.timeSeconds;
  }

  /** The session of an address; of the input file for empty text. Made when it is needed first. */
  of(owner: string): ServerScript {
    return this.heldFor(owner).script;
  }

  /** Whether all work of an owner has ended. */
  isIdle(owner: string): boolean {
    return (this.held.get(owner)?.count ?? 0) === 0;
  }

  /** Runs work when its turn comes; resolves with the failure, if there was one. */
  async run(owner: string, work: Omit<Work, 'ended'>): Promise<BlockFailure | undefined> {
    const held = this.heldFor(owner);
    held.count++;
    try {
      return await held.script.run(work);
    } finally {
      held.count--;
      if (owner === '') this.operatorsRan();
      if (owner === '' && held.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
    }
  }

  /** Tells of an error in work for which nobody waits. */
  readonly failed = (error: unknown): void => this.settings.turns.failed(error);

  /** Resolves when the input file's events and reads that have begun are done. */
  get settled(): Promise<void> {
    const main = this.held.get('');
    return !main || main.count === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  private heldFor(owner: string): ScriptInUse {
    const known = this.held.get(owner);
    if (known) return known;
    if (this.held.size >= MOST_IDLE) this.closeIdle();
    const made = { script: new ServerScript({ ...this.settings, owner, names: this.names }), count: 0 };
    this.held.set(owner, made);
    return made;
  }

  private closeIdle(): void {
    for (const [owner, { script, count }] of this.held) {
      if (owner === '' || count > 0 || this.isNeeded(owner)) continue;
      script.close();
      this.held.delete(owner);
    }
  }
}
