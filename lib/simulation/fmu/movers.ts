// How an instance moves on by a step: by itself in co-simulation, by an integrator in model exchange.
import { Integrator } from '../integration/integrator.js';
import type { MethodName } from '../integration/methods.js';
import type { FmuCells } from './cells.js';
import type { FmuInstance } from './instance.js';
import { COMPLETES, HEAD_BYTES, IS_EVENT, type Message, TERMINATES, WANTS_EVENT } from './messages.js';

export interface Mover {
  /** Takes the reply to an initialization or to a restored state. */
  begin(reply: Message): void;
  /** What it knows besides the FMU's own state, as numbers of a fixed count. */
  memory: readonly number[];
  /** Moves on from a time, and returns the reply with the values at the end. */
  step(fromSeconds: number, lengthSeconds: number): Message;
}

export class CoSimulation implements Mover {
  readonly memory = [];

  constructor(
    private readonly instance: FmuInstance,
    private readonly cells: FmuCells,
  ) {}

  begin(): void {
    // It has its state to itself.
  }

  step(fromSeconds: number, lengthSeconds: number): Message {
    const { request } = this.instance;
    const { bytes, texts, isEvent } = this.cells.write(request, 0);
    request.finish(bytes, texts);
    request.flags = isEvent ? IS_EVENT : 0;
    request.seconds = fromSeconds;
    request.moreSeconds = lengthSeconds;
    return this.instance.ask('step');
  }
}

/** What an integrator needs to know of a model. */
export interface ExchangeOptions {
  readonly states: number;
  readonly indicators: number;
  readonly needsCompletedStep: boolean;
  readonly method: MethodName;
  readonly tolerance: number;
}

/** Time events that follow each other without end. */
const MOST_TIME_EVENTS = 1000;

export class ModelExchange implements Mover {
  /** The states, in units of their nominal values; one at least, because also models without states have events. */
  private readonly states: Float64Array;
  private readonly rates: Float64Array;
  private readonly indicators: Float64Array;
  private readonly nominals: Float64Array;
  private readonly integrator: Integrator;
  /** For which the rates and indicators are. */
  private known: { seconds: number; readonly states: Float64Array };
  private nextEventSeconds = Number.POSITIVE_INFINITY;
  private flags = 0;

  constructor(
    private readonly instance: FmuInstance,
    private readonly cells: FmuCells,
    private readonly options: ExchangeOptions,
  ) {
    const size = Math.max(1, options.states);
    this.states = new Float64Array(size);
    this.rates = new Float64Array(size);
    this.nominals = new Float64Array(size).fill(1);
    this.indicators = new Float64Array(options.indicators);
    this.known = { seconds: Number.NaN, states: new Float64Array(size) };
    const events = Array.from(this.indicators, (_, index) => ({
      name: `${index + 1} of ${instance.name}`,
      value: (seconds: number) => {
        this.evaluate(seconds);
        return this.indicators[index] as number;
      },
      happen: (seconds: number) => this.stateEvent(seconds),
    }));
    const { method, tolerance, needsCompletedStep } = options;
    const derivative = (seconds: number): Float64Array => {
      this.evaluate(seconds);
      return this.rates;
    };
    const accepted = needsCompletedStep ? (seconds: number) => this.accept(seconds) : undefined;
    this.integrator = new Integrator(this.states, derivative, { method, tolerance, events }, accepted);
  }

  begin(reply: Message): void {
    this.takeNominals(reply);
    this.takeStates(reply);
  }

  get memory(): readonly number[] {
    return [this.nextEventSeconds, ...this.integrator.memory];
  }
  set memory([nextEventSeconds = Number.POSITIVE_INFINITY, ...events]: readonly number[]) {
    this.nextEventSeconds = nextEventSeconds;
    this.integrator.memory = events;
  }

  step(fromSeconds: number, lengthSeconds: number): Message {
    this.flags = 0;
    const endSeconds = fromSeconds + lengthSeconds;
    this.writeInputs(fromSeconds);
    let atSeconds = fromSeconds;
    for (let events = 0; ; events++) {
      if (events === MOST_TIME_EVENTS)
        throw new Error(`${this.instance.name} has ${events} time events within ${lengthSeconds} s`);
      const partEnd = Math.max(atSeconds, Math.min(endSeconds, this.nextEventSeconds));
      if (partEnd > atSeconds) this.integrator.advance(atSeconds, partEnd);
      atSeconds = partEnd;
      // An event at the end belongs to this step, so that clients see what it has brought.
      if (this.nextEventSeconds > atSeconds || (this.flags & TERMINATES) !== 0) break;
      this.event(atSeconds);
    }
    const reply = this.ask('accept', endSeconds);
    reply.flags |= this.flags;
    return reply;
  }

  /** Rates and indicators, asked for once for each state and time. */
  private evaluate(seconds: number): void {
    const { known, states, nominals, options } = this;
    if (known.seconds === seconds && states.every((state, i) => state === known.states[i])) return;
    const reply = this.ask('rates', seconds);
    const rates = reply.numbers('Float64', 2, 0, options.states) as Float64Array;
    for (let i = 0; i < rates.length; i++) this.rates[i] = (rates[i] as number) / (nominals[i] as number);
    this.indicators.set(reply.numbers('Float64', 2, 8 * options.states, options.indicators) as Float64Array);
    known.seconds = seconds;
    known.states.set(states);
  }

  /** What jobs and clients have written is an event. */
  private writeInputs(seconds: number): void {
    const { request } = this.instance;
    this.putStates(seconds);
    const from = 8 * this.options.states;
    const { bytes, texts } = this.cells.write(request, from);
    if (bytes === from && texts.length === 0) return;
    request.finish(bytes, texts);
    this.take(this.instance.ask('event'));
  }

  private stateEvent(seconds: number): void {
    if (this.options.needsCompletedStep) this.accept(seconds);
    this.event(seconds);
  }

  private event(seconds: number): void {
    this.take(this.ask('event', seconds));
  }

  /** Tells the model of a step of the integrator; the model may want an event. */
  private accept(seconds: number): void {
    const reply = this.ask('accept', seconds, COMPLETES);
    this.flags |= reply.flags & TERMINATES;
    if ((reply.flags & WANTS_EVENT) !== 0) this.event(seconds);
  }

  private take(reply: Message): void {
    this.flags |= reply.flags & TERMINATES;
    this.takeStates(reply);
  }

  private takeStates(reply: Message): void {
    const { states } = this.options;
    const next = reply.moreSeconds;
    this.nextEventSeconds = Number.isNaN(next) ? Number.POSITIVE_INFINITY : next;
    const given = reply.numbers('Float64', 2, this.cells.statesAt, states) as Float64Array;
    for (let i = 0; i < states; i++) this.states[i] = (given[i] as number) / (this.nominals[i] as number);
    this.known.seconds = Number.NaN;
  }

  /** As powers of two, by which numbers are divided without rounding. */
  private takeNominals(reply: Message): void {
    const { states } = this.options;
    const given = reply.numbers('Float64', 2, this.cells.statesAt + 8 * states, states) as Float64Array;
    for (let i = 0; i < states; i++) {
      const size = Math.abs(given[i] as number);
      this.nominals[i] = size > 0 && Number.isFinite(size) ? 2 ** Math.round(Math.log2(size)) : 1;
    }
  }

  private putStates(seconds: number, flags = 0): void {
    const { request } = this.instance;
    const { states } = this.options;
    request.ensure(HEAD_BYTES + 8 * states);
    const numbers = request.numbers('Float64', 2, 0, states) as Float64Array;
    for (let i = 0; i < states; i++) numbers[i] = (this.states[i] as number) * (this.nominals[i] as number);
    request.finish(8 * states);
    request.seconds = seconds;
    request.flags = flags;
  }

  private ask(operation: 'rates' | 'accept' | 'event', seconds: number, flags = 0): Message {
    this.putStates(seconds, flags);
    return this.instance.ask(operation);
  }
}
