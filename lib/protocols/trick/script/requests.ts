// What a session's blocks ask of the simulation: assignments, which travel together, and all other requests.
import { AssignmentError } from '../../../model/state/assign.js';
import type { Value } from '../../../model/state/read.js';
import { UnitsError } from '../../../model/units/index.js';
import { UnknownVariableError } from '../../../serving/session/errors.js';
import { bytesWritten, requireFewBytes } from '../../../serving/session/written-bytes.js';
import { type Answer, type Request, RequestError, type Write } from '../../../source/source.js';
import { ScriptError } from '../../python/index.js';
import { Stored } from '../commands/command.js';
import type { EventTable } from '../events/event-table.js';
import type { TrickSession } from '../session/trick-session.js';

/** Assignments that travel in one request. */
const MOST_WRITES = 1000;
/** After assignments to so many bytes of variables, they are sent: the simulation carries out a request at once. */
const MOST_BYTES = 256 * 1024;

/** The errors that an assignment may be refused with. */
const WRITE_ERRORS = [AssignmentError, UnknownVariableError, UnitsError, RequestError];

/** Whether the value fits but may not be stored; the block then continues. */
const isRefusal = (problem: Error): boolean =>
  problem instanceof RequestError || (problem instanceof AssignmentError && problem.isReadOnly);

export interface RequestsParts {
  readonly session: TrickSession;
  readonly events: EventTable;
  /** Makes a function that writes sentences about the statement that runs now to the session's stderr, also later. */
  readonly complainHere: () => (sentence: string) => void;
  /** Whether an input file runs. */
  readonly isInput: () => boolean;
  /** Counts the bytes of a variable that is assigned. */
  readonly stores: (bytes: number) => void;
}

export class Requests {
  /** Assignments that have not been sent yet. */
  private writes: Write[] = [];
  /** Bytes of their variables. */
  private writtenBytes = 0;
  private underwayCount = 0;

  constructor(private readonly parts: RequestsParts) {}

  /** Requests that have no answer yet. */
  get underway(): number {
    return this.underwayCount;
  }

  /** Assigns a value: `a.b = 1`. Throws a ScriptError when it does not fit; for a read-only variable it only complains. */
  assign(path: string, value: Value, units: string | undefined): void {
    const problem = this.prepare(path, value, units);
    if (!problem) return;
    if (isRefusal(problem)) this.parts.complainHere()(problem.message);
    else
      throw new ScriptError(problem instanceof UnknownVariableError ? 'AttributeError' : 'TypeError', problem.message);
  }

  /**
   * Stores a value; when it does not fit, complains, and the block goes on. An input file ends, as a Trick simulation
   * does. Trick: var_set
   */
  set(path: string, value: Value, units: string | undefined): Stored {
    const problem = this.prepare(path, value, units);
    if (!problem) return Stored.taken;
    if (this.parts.isInput() && problem instanceof AssignmentError && !problem.isReadOnly)
      throw new ScriptError('TypeError', problem.message);
    this.parts.complainHere()(problem.message);
    return problem instanceof UnknownVariableError ? Stored.unknown : Stored.readOnly;
  }

  /** Asks for a change, after all assignments so far; complains when it is refused. */
  submit(request: Request): void {
    this.flush();
    this.sendOff(request);
  }

  /** Asks for a change; the caller handles the answer and the refusal. */
  send(request: Request): Promise<Answer> {
    return this.counted(this.parts.session.client.submit(request));
  }

  private counted(answer: Promise<Answer>): Promise<Answer> {
    this.underwayCount++;
    const done = (): void => {
      this.underwayCount--;
    };
    answer.then(done, done);
    return answer;
  }

  /** Sends all assignments so far, and the state of events if it has changed. */
  flush(): void {
    if (this.writes.length > 0) {
      const writes = this.writes;
      this.writes = [];
      this.writtenBytes = 0;
      this.sendOff({ kind: 'write', writes, rule: 'trick' });
    }
    this.showEvents();
  }

  /** Sends the state of events if it has changed. */
  showEvents(): void {
    const { events } = this.parts;
    for (let shown = events.takeChange(); shown; shown = events.takeChange())
      // No block has asked for this, and a simulation that has ended shows nothing more.
      this.send(shown).catch(() => undefined);
  }

  private sendOff(request: Request): void {
    const complain = this.parts.complainHere();
    const sent = this.parts.session.client.offer(request);
    if (sent instanceof Promise) this.counted(sent).catch((error: Error) => complain(error.message));
    else complain(sent.message);
  }

  private prepare(path: string, value: Value, units: string | undefined): Error | undefined {
    const { client } = this.parts.session;
    try {
      const write = client.prepareWrite(path, value, units, 'trick');
      const bytes = bytesWritten(client.source.catalog, write);
      if (!this.parts.isInput()) requireFewBytes(client.source.catalog, [write]);
      this.writes.push(write);
      this.writtenBytes += bytes;
      this.parts.stores(bytes);
    } catch (error) {
      if (WRITE_ERRORS.some((known) => error instanceof known)) return error as Error;
      throw error;
    }
    if (this.writes.length >= MOST_WRITES || this.writtenBytes >= MOST_BYTES) this.flush();
    return undefined;
  }
}
