// Passes log lines to the operator's log, and to everybody who follows the messages of the simulation and the server.
import type { Log, LogFacts } from '../../serving/session/log.js';
import type { LogLevel, SimMessage, Source } from '../../source/source.js';

export class ServerLog {
  private readonly listeners = new Set<(message: SimMessage) => void>();

  /**
   * @param operator gets every line that is logged here, and every message of the simulation.
   * @param isToldElsewhere of messages of the simulation, that he gets them from another server.
   */
  constructor(
    private readonly source: Source,
    readonly operator: Log,
    isToldElsewhere = false,
  ) {
    source.onMessage((message) => (isToldElsewhere ? this.tell(message) : this.pass(message)));
  }

  /** Logs to the operator and to all listeners, at the current simulation time. */
  readonly say: Log = (level, text, facts) => this.put(level, text, facts, false);

  /** As `say`. @param isClients whether a client has written the text. */
  put(level: LogLevel, text: string, facts: LogFacts | undefined, isClients: boolean): void {
    this.pass({ level, text, timeSeconds: this.source.frame.timeSeconds, ...(isClients && { isClients }) }, facts);
  }

  onMessage(listener: (message: SimMessage) => void): void {
    this.listeners.add(listener);
  }

  /** Writes a fact `by` before the text, in the operator's log only. */
  private pass(message: SimMessage, { by, ...facts }: LogFacts = {}): void {
    const { level, text, timeSeconds, stack } = message;
    const shown = { simSeconds: timeSeconds, ...(stack !== undefined && { stack }), ...facts };
    this.operator(level, by === undefined ? text : `${by}: ${text}`, shown);
    this.tell(message);
  }

  private tell(message: SimMessage): void {
    for (const listener of this.listeners) listener(message);
  }
}
