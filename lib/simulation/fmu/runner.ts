// Carries out what messages ask of an instance: in the FMU's own process, or on the simulation's thread when it is not isolated.
import type { Fmi } from './fmi.js';
import { Fmi2 } from './fmi2.js';
import { Fmi3 } from './fmi3.js';
import { LogLines } from './log-lines.js';
import {
  blockOf,
  COMPLETES,
  type Family,
  HEAD_BYTES,
  IS_EVENT,
  Message,
  NEW_STATES,
  type NumberFamily,
  type Numbers,
  numbersClass,
  type Operation,
  rounded,
  SAME_TEXTS,
  type Setup,
  TERMINATES,
  WANTS_EVENT,
} from './messages.js';
import { koffiFrom } from './native.js';
import { ScheduledFmi } from './scheduled.js';
import { WRITE_FAMILIES } from './write-families.js';

interface Reader {
  readonly family: Family;
  readonly references: Uint32Array;
  readonly count: number;
  readonly offset: number;
  /** Its place in the last reply. */
  place?: Numbers;
}

export class Runner {
  readonly reply = new Message();
  private readonly logs = new LogLines();
  private setup!: Setup;
  private fmi: Fmi | undefined;
  private readers: readonly Reader[] = [];
  private blockBytes = 0;
  private states = new Float64Array(0);
  private nominals = new Float64Array(0);
  /** Texts of the last answer; undefined when what was told may be another by now. */
  private toldTexts: readonly string[] | undefined;
  private hasFailed = false;

  /** Answers a request; the answer stays valid until the next one. */
  handle(request: Message): Message {
    const { reply } = this;
    try {
      if (this.hasFailed) throw new Error('it has failed before');
      reply.flags = 0;
      reply.moreSeconds = Number.NaN;
      reply.status = 'done';
      this.operations[request.operation](request);
    } catch (error) {
      // After an error an FMU must not be called again, not even to be freed.
      this.hasFailed = true;
      reply.status = 'failed';
      reply.finish(0, [], { ...this.logs.take(), error: (error as Error).message });
    }
    return reply;
  }

  private readonly operations: Readonly<Record<Operation, (request: Message) => void>> = {
    setup: (request) => this.make(request.words as Setup),
    initialize: (request) => this.initialize(request),
    step: (request) => this.step(request),
    save: () => this.save(),
    load: (request) => this.load(request),
    rates: (request) => this.rates(request),
    accept: (request) => this.accept(request),
    event: (request) => this.event(request),
    end: () => this.end(),
  };

  private save(): void {
    const { instance, reply } = this;
    const bytes = instance.serialize();
    reply.ensure(HEAD_BYTES + rounded(bytes.length));
    reply.bytes.set(bytes, HEAD_BYTES);
    reply.finish(bytes.length, [], this.logs.take());
  }

  private load(request: Message): void {
    const { instance } = this;
    this.toldTexts = undefined;
    instance.deserialize(request.bytes.slice(HEAD_BYTES, HEAD_BYTES + request.numbersBytes));
    this.answerWithStates();
  }

  private get instance(): Fmi {
    if (!this.fmi) throw new Error('there is no instance of it');
    return this.fmi;
  }

  private make(setup: Setup): void {
    const koffi = koffiFrom(setup.lookUp);
    const { offsets, bytes } = blockOf(setup.reads, setup.generation);
    this.setup = setup;
    this.blockBytes = bytes;
    this.readers = setup.reads.map(({ family, references, values }, index) => {
      const own = new Uint32Array(new ArrayBuffer(Math.max(128, 4 * references.length)), 0, references.length);
      own.set(references);
      return { family, references: own, count: values, offset: offsets[index] as number };
    });
    const numbers = () => new Float64Array(new ArrayBuffer(Math.max(128, 8 * setup.states)), 0, setup.states);
    this.states = numbers();
    this.nominals = numbers();
    const Made = setup.generation === 2 ? Fmi2 : setup.kind === 'scheduled execution' ? ScheduledFmi : Fmi3;
    this.fmi = new Made(koffi, setup, this.logs);
    this.reply.finish(0, [], this.logs.take());
  }

  private initialize(request: Message): void {
    const { instance, setup } = this;
    this.write(request, 0);
    instance.enterInitialization(request.seconds, setup.tolerance);
    instance.exitInitialization();
    if (setup.kind === 'model exchange' || setup.hasEventMode) this.updateAndLeave();
    this.answerWithStates();
  }

  /** Ends an event mode. */
  private updateAndLeave(): void {
    const { instance, reply } = this;
    const { terminates, nextSeconds } = instance.update();
    if (terminates) reply.flags |= TERMINATES;
    else instance.leaveEventMode();
    if (nextSeconds !== undefined) reply.moreSeconds = nextSeconds;
  }

  private step(request: Message): void {
    const { instance, setup } = this;
    const isEvent = setup.hasEventMode && (request.flags & IS_EVENT) !== 0;
    if (isEvent) instance.enterEventMode();
    this.write(request, 0);
    if (isEvent) this.updateAndLeave();
    const { terminates } = instance.step(request.seconds, request.moreSeconds);
    if (terminates) this.reply.flags |= TERMINATES;
    this.answer();
  }

  /** The rates and event indicators of a state; they come instead of the values. */
  private rates(request: Message): void {
    const { instance, setup, reply } = this;
    this.takeStates(request);
    reply.ensure(HEAD_BYTES + 8 * (setup.states + setup.indicators));
    const rates = reply.numbers('Float64', 2, 0, setup.states) as Float64Array;
    const indicators = reply.numbers('Float64', 2, 8 * setup.states, setup.indicators) as Float64Array;
    if (instance.getRates(rates)) instance.getIndicators(indicators);
    // The integrator takes a shorter step.
    else for (const numbers of [rates, indicators]) numbers.fill(Number.NaN);
    reply.finish(8 * (setup.states + setup.indicators), [], this.logs.take());
  }

  private takeStates(request: Message): void {
    const { instance, setup } = this;
    this.states.set(request.numbers('Float64', 2, 0, setup.states) as Float64Array);
    instance.setTime(request.seconds);
    instance.setStates(this.states);
  }

  /** After a step of the integrator. */
  private accept(request: Message): void {
    const { instance, reply } = this;
    this.takeStates(request);
    const { wantsEvent, terminates } =
      (request.flags & COMPLETES) !== 0 ? instance.completedStep() : { wantsEvent: false, terminates: false };
    reply.flags = (wantsEvent ? WANTS_EVENT : 0) | (terminates ? TERMINATES : 0);
    this.answerWithStates();
  }

  /** An event, at which inputs and parameters may have been written. */
  private event(request: Message): void {
    this.takeStates(request);
    this.instance.enterEventMode();
    this.write(request, 8 * this.setup.states);
    this.updateAndLeave();
    this.answerWithStates();
  }

  private end(): void {
    try {
      this.fmi?.terminate();
    } finally {
      this.fmi?.free();
      this.fmi = undefined;
    }
    this.reply.finish(0, [], this.logs.take());
  }

  private answerWithStates(): void {
    const { setup, reply, instance, states, nominals } = this;
    const isExchange = setup.kind === 'model exchange';
    if (isExchange) {
      instance.getStates(states);
      instance.getNominals(nominals);
      reply.flags |= NEW_STATES;
    }
    this.answer();
  }

  /** The values of all variables, and of model exchange the states and their nominal values behind them. */
  private answer(): void {
    const { reply, blockBytes, states, nominals, setup, instance } = this;
    const bytes = blockBytes + 16 * states.length;
    reply.ensure(HEAD_BYTES + bytes);
    const texts: string[] = [];
    for (const reader of this.readers) {
      const { family, references, count, offset } = reader;
      if (family === 'String') texts.push(...instance.getTexts(references, count));
      else {
        if (reader.place?.buffer !== reply.bytes.buffer)
          reader.place = reply.numbers(family, setup.generation, offset, count);
        instance.get(family, references, reader.place);
      }
    }
    if (states.length > 0) {
      (reply.numbers('Float64', 2, blockBytes, states.length) as Float64Array).set(states);
      (reply.numbers('Float64', 2, blockBytes + 8 * states.length, states.length) as Float64Array).set(nominals);
    }
    const areKnown = this.toldTexts?.every((text, i) => text === texts[i]) ?? false;
    if (areKnown) reply.flags |= SAME_TEXTS;
    else this.toldTexts = texts;
    reply.finish(bytes, areKnown ? [] : texts, this.logs.take());
  }

  /** Sets what the sections of a request have: family, references and values, from an offset behind the head on. */
  private write(request: Message, from: number): void {
    const { instance, setup } = this;
    const { texts } = request;
    if (texts.length > 0) this.toldTexts = undefined;
    for (let at = from; at < request.numbersBytes; ) {
      const [number, variables, values] = request.numbers('UInt32', 3, at, 3) as Uint32Array;
      const family = WRITE_FAMILIES[number as number] as Family;
      const references = request.numbers('UInt32', 3, at + 16, variables as number) as Uint32Array;
      at += 16 + rounded(4 * (variables as number));
      const given: Numbers | readonly string[] =
        family === 'String'
          ? texts.splice(0, values as number)
          : request.numbers(family as NumberFamily, setup.generation, at, values as number);
      instance.set(family, references, given);
      if (family !== 'String')
        at += rounded((values as number) * numbersClass(family as NumberFamily, setup.generation).BYTES_PER_ELEMENT);
    }
  }
}
