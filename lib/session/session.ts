// One client of any front-end: its name, its outgoing messages, and which frame its next read must show.
import type { Shown } from '../frame/reader.js';
import { convertFor } from '../model/assign.js';
import type { Part } from '../model/reach.js';
import type { Value } from '../model/read.js';
import { type Answer, type Request, refusalOf, type Source, type Write } from '../source/source.js';
import type { Account } from './account.js';
import { demandFrame } from './frame-demand.js';
import { Outbound, type Sink } from './outbound.js';
import { toOwnUnits } from './own-units.js';
import { findVariable } from './reference.js';

export interface SessionFacts {
  readonly frontEnd: string;
  /** Such as `127.0.0.1:53412`. */
  readonly peer: string;
  readonly transport: string;
}

export class Session {
  /** The name that the client gave itself. Trick: var_set_client_tag */
  tag = '';
  readonly outbound: Outbound;
  private unsettled = 0;
  private lastAnswer: Promise<unknown> = Promise.resolve();
  private lookProblem: Error | undefined;

  constructor(
    readonly id: number,
    readonly facts: SessionFacts,
    readonly source: Source,
    readonly account: Account,
    sink: Sink,
    private readonly onClose: (session: Session) => void,
  ) {
    this.outbound = new Outbound(sink);
  }

  /** Sends a request to the simulation. Reads after `settled` show what it changed. */
  submit(request: Request): Promise<Answer> {
    return this.settling(this.source.submit(request));
  }

  /** Makes `settled` wait for an answer. */
  private settling<Settled>(answer: Promise<Settled>): Promise<Settled> {
    this.unsettled++;
    const done = (): void => {
      this.unsettled--;
    };
    // A request that is refused early must not hide that an older request is still under way.
    this.lastAnswer = Promise.all([this.lastAnswer, answer.then(done, done)]);
    return answer;
  }

  /**
   * Resolves when the latest frame shows all changes that this session has asked for; undefined when it already does.
   */
  get settled(): Promise<unknown> | undefined {
    return this.unsettled > 0 ? this.lastAnswer : undefined;
  }

  /**
   * Whether the latest frame carries the values at these paths. If not, this asks for a frame that does: check again
   * after `settled`. Throws the RequestError that says why no such frame can come.
   */
  canRead(paths: Iterable<string>, part: Part = 'all'): boolean {
    const { frame, catalog } = this.source;
    if (!frame.pages) return true;
    let isShown = true;
    for (const path of paths) {
      const variable = catalog.find(path);
      if (variable && !frame.shows(variable, part)) isShown = false;
    }
    if (!isShown) this.look();
    return isShown;
  }

  /** As `canRead`, for objects that know their variables, such as references. */
  canShow(all: readonly Shown[]): boolean {
    const isShown = this.source.frame.showsAll(all);
    if (!isShown) this.look();
    return isShown;
  }

  private look(): void {
    if (this.lookProblem) throw this.lookProblem;
    this.settling(demandFrame(this.source)).catch((error: Error) => {
      this.lookProblem = error;
    });
  }

  /**
   * Checks a value for a variable, in `units` or else in the variable's own. Throws UnknownVariableError,
   * AssignmentError, UnitsError, or the RequestError of a source that cannot be written; each has one sentence.
   */
  prepareWrite(path: string, value: Value, units?: string): Write {
    const refusal = refusalOf(this.source, 'write');
    if (refusal) throw refusal;
    const variable = findVariable(this.source, path);
    const { version } = this.source.catalog;
    const own = units === undefined ? value : toOwnUnits(variable, value, units);
    return { path: variable.path, value: convertFor(variable, own), catalogVersion: version };
  }

  close(): void {
    this.account.close();
    this.onClose(this);
  }
}
