// Commands that control a simulation: each is refused by an error, or resolves when it has been done.
import type { Channel } from './channel.js';
import type { Clock } from './clock.js';
import { CommandRefusedError, ConnectionLostError } from './errors.js';
import type { Message } from './message-splitter.js';
import { modeName } from './modes.js';
import { isPath, literal, quote } from './python-literal.js';
import type { Measured, SettableValue } from './value.js';

const FREEZE = 1;
const RUN = 5;
const LOOK_EVERY_MILLIS = 20;
const SHOWS_LOAD = ['time_tics', 'freeze_frame_count'] as const;
/** A server reads no value before it has done what it was told, so a late error arrives before the answer to this. */
const READ = 'trick.var_send_once("trick_sys.sched.time_tics", 1)\n';

/** An argument of a function of the simulation; with units it is `{ value, units }`. */
export type CallArgument = SettableValue | { readonly value: SettableValue; readonly units: string };

/** What a function of the simulation printed as its result; undefined for none. Numbers with units are measured. */
export type CallResult = number | boolean | string | Measured<number> | undefined;

export interface ControlParts {
  readonly channel: () => Promise<Channel>;
  readonly read: (names: readonly string[]) => Promise<readonly unknown[]>;
  readonly clock: Clock;
  readonly timeoutMillis: number;
}

export class SimulationControl {
  private readonly hearing = new WeakSet<Channel>();

  constructor(private readonly parts: ControlParts) {}

  freeze(): Promise<void> {
    return this.change('trick.exec_freeze()', async () => (await this.mode()) === FREEZE);
  }

  run(): Promise<void> {
    return this.change('trick.exec_run()', async () => (await this.mode()) === RUN);
  }

  /** Trick has no command for steps: the client sets the time at which the simulation freezes, and lets it run. */
  async step(frames: number): Promise<void> {
    if (!Number.isInteger(frames) || frames < 1)
      throw new RangeError(`a step has a whole number of frames from 1 up, not ${frames}`);
    if ((await this.mode()) !== FREEZE) throw new CommandRefusedError('only a frozen simulation makes steps', '');
    const [tics, ticsPerSecond, frame] = (await this.read('time_tics', 'time_tic_value', 'software_frame')) as [
      number,
      number,
      number,
    ];
    const endTics = tics + Math.round(frames * frame * ticsPerSecond);
    const commands = `trick.freeze(${endTics / ticsPerSecond})\ntrick.exec_run()`;
    return this.change(commands, async () => {
      const [mode, now] = (await this.read('mode', 'time_tics')) as [number, number];
      return mode === FREEZE && now >= endTics;
    });
  }

  /**
   * Continues from a checkpoint: in a freeze, because Trick mixes the states of two times when it loads while it runs. It
   * runs again after that if it ran before.
   */
  async load(file: string): Promise<void> {
    const wasRunning = (await this.mode()) === RUN;
    if (wasRunning) await this.freeze();
    try {
      const before = await this.read(...SHOWS_LOAD);
      await this.command(`trick.load_checkpoint(${quote(file)})`);
      if (wasRunning) await this.untilLoaded(before);
    } finally {
      if (wasRunning) await this.run();
    }
  }

  /** Trick loads in a freeze frame and does not say so: the time changes, or, where it is the same, two more have passed. */
  private async untilLoaded([ticsBefore, framesBefore]: readonly (number | undefined)[]): Promise<void> {
    await this.until('the simulation has not loaded the checkpoint', async () => {
      const [tics, frames] = await this.read(...SHOWS_LOAD);
      return tics !== ticsBefore || frames === undefined || Math.abs(frames - (framesBefore ?? 0)) >= 2;
    });
  }

  /** Ends the simulation; resolves when it has closed the connection. */
  async terminate(): Promise<void> {
    const channel = await this.parts.channel();
    await this.command('trick.stop()').catch(unlessLost);
    await this.until('the simulation has not ended', async () => {
      await channel.ask('').catch(unlessLost);
      return !channel.isOpen;
    });
  }

  /** Calls a function; resolves to what it printed as its result. */
  async call(
    name: string,
    given: readonly CallArgument[] | Readonly<Record<string, CallArgument>>,
  ): Promise<CallResult> {
    if (!isPath(name))
      throw new TypeError(`expected the name of a function, such as kick, not ${JSON.stringify(name)}`);
    const texts = Array.isArray(given)
      ? given.map(argument)
      : Object.entries(given).map(([key, value]) => `${key}=${argument(value as CallArgument)}`);
    const function_ = name.includes('.') ? name : `trick.${name}`;
    return resultOf(await this.command(`print(${function_}(${texts.join(', ')}))`));
  }

  /**
   * Runs one command; resolves to what it printed. Rejects with a CommandRefusedError that has the last line of the
   * errors.
   */
  async command(text: string): Promise<string> {
    const channel = await this.parts.channel();
    await this.hear(channel);
    // Both are queued at once, so that no other question gets the errors.
    const asked = [channel.ask(`${text}\n`, { mayFail: true }), channel.ask(READ)];
    const replies = (await Promise.all(asked)).flat();
    const errors = printed(replies, 'stderr');
    if (errors.trim() !== '') throw new CommandRefusedError(lastLine(errors), errors);
    return printed(replies, 'stdout');
  }

  /** Makes the server send the errors that it prints, once for each connection; servers before Trick 19 cannot. */
  async hear(channel: Channel): Promise<void> {
    if (this.hearing.has(channel)) return;
    this.hearing.add(channel);
    await channel.ask('trick.var_set_send_stdio(True)\n', { mayFail: true });
  }

  private async change(command: string, isDone: () => Promise<boolean>): Promise<void> {
    await this.command(command);
    await this.until('', isDone);
  }

  private async until(unless: string, isDone: () => Promise<boolean>): Promise<void> {
    const { clock, timeoutMillis } = this.parts;
    const end = clock.nowMillis() + timeoutMillis;
    while (!(await isDone())) {
      if (clock.nowMillis() >= end) throw new CommandRefusedError(unless || (await this.stillIn()), '');
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MILLIS, resolve));
    }
  }

  private async stillIn(): Promise<string> {
    const mode = await this.mode();
    return `the simulation is still in ${modeName(mode) || `mode ${mode}`}`;
  }

  private async mode(): Promise<number> {
    return (await this.read('mode'))[0] as number;
  }

  private async read(...names: readonly string[]): Promise<readonly number[]> {
    return (await this.parts.read(names.map((name) => `trick_sys.sched.${name}`))).map(Number);
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof ConnectionLostError)) throw error;
}

const printed = (replies: readonly Message[], stream: 'stdout' | 'stderr'): string =>
  replies.map((reply) => (reply.kind === 'stdio' && reply.stream === stream ? reply.text : '')).join('');

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? '';

const isMeasured = (given: CallArgument): given is { readonly value: SettableValue; readonly units: string } =>
  typeof given === 'object' && !Array.isArray(given);

const argument = (given: CallArgument): string =>
  isMeasured(given) ? `trick.attach_units(${quote(given.units)}, ${literal(given.value)})` : literal(given);

const NUMBER = /^(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?: (\S+))?$/i;

function resultOf(text: string): CallResult {
  const result = text.replace(/\n$/, '');
  if (result === 'None') return undefined;
  if (result === 'True' || result === 'False') return result === 'True';
  const [, number, units] = NUMBER.exec(result) ?? [];
  if (number === undefined) return result;
  return units === undefined ? Number(number) : { value: Number(number), units };
}
