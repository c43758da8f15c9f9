// A ball that stands still at 1.23 s until a test moves it: a source whose frames are published by hand.

import { type FrameHeader, Mode, Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { assign } from '../../model/state/assign.js';
import { Catalog } from '../../model/state/catalog.js';
import { double } from '../../model/state/declare.js';
import type { Value } from '../../model/state/read.js';
import { State } from '../../model/state/state.js';
import { registerFunction } from '../../simulation/executive/functions.js';
import { ALL_ABILITIES } from '../../source/abilities.js';
import { type Answer, type Request, RequestError, type Source, type SourceInfo } from '../../source/source.js';
import { frameOf, headerOf } from './frames.js';

export class TestBall implements Source {
  readonly info: SourceInfo = {
    name: 'ball',
    clockLabel: 'sim_elapsed',
    directory: '/sims',
    file: '/sims/ball.js',
    runDirectory: '/sims',
  };
  readonly abilities = ALL_ABILITIES;
  readonly state = new State();
  readonly requests: Request[] = [];
  readonly lapped = 0;
  readonly skipped = 0;
  readonly jobs = [{ name: 'fall', calls: 123, totalMillis: 0.246, worstMillis: 0.05 }];
  readonly cpuSeconds = 0.31;
  /** While true, answers wait for `release`. */
  isSlow = false;
  catalog: Catalog;
  frame: Frame;
  private readonly listeners = new Set<(frame: Frame) => void>();
  private readonly endings = new Set<(reason: string, exitCode: number) => void>();
  private readonly kept = new Map<number, Frame>();
  private waiting: (() => void)[] = [];

  /** @param declareMore adds to the state before the first frame. */
  constructor(
    declareMore: (state: State) => void = () => {},
    private header: FrameHeader = HEADER,
    private readonly keptFrames = 50,
  ) {
    const ball = this.state.addObject('ball');
    ball.component('position', double(2, { units: 'm', about: 'centre of the ball' }), [0, 9.1]);
    ball.component('velocity', double(2, { units: 'm/s' }), [0, -3.2]);
    declareMore(this.state);
    this.catalog = this.describe();
    this.header = { ...this.header, catalogVersion: this.catalog.version };
    this.frame = this.snapshot();
  }

  /** Runs ticks, and calls `change` before each of their frames. */
  ticks(count: number, change: (tick: number) => void = () => {}): void {
    for (let i = 0; i < count; i++) {
      const tick = this.header.tick + 1;
      const timeTics = this.header.timeTics + this.header.softwareFrameTics;
      change(tick);
      this.publish({ tick, timeTics, clockSeconds: timeTics / this.header.ticsPerSecond, reason: Reason.tick });
    }
  }

  /** Stores a value as the simulation would; the next frame shows it. */
  store(path: string, value: number | string | readonly number[]): void {
    const variable = this.catalog.find(path);
    if (!variable) throw new Error(this.catalog.explain(path));
    assign(variable, this.state.arena.memory, value);
  }

  publish(changes: Partial<FrameHeader>): void {
    if (this.state.version !== this.catalog.version) this.catalog = this.describe();
    const { version } = this.catalog;
    this.header = { ...this.header, ...changes, number: this.header.number + 1, catalogVersion: version };
    this.frame = this.snapshot();
    for (const listener of [...this.listeners]) listener(this.frame);
  }

  submit(request: Request): Promise<Answer> {
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          resolve(this.apply(request));
        } catch (error) {
          reject(error);
        }
      };
      if (this.isSlow) this.waiting.push(answer);
      else queueMicrotask(answer);
    });
  }

  /** Sends the waiting answers. */
  release(): void {
    for (const answer of this.waiting.splice(0)) answer();
  }

  end(reason: string): void {
    for (const listener of [...this.endings]) listener(reason, 0);
  }

  onFrame(listener: (frame: Frame) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onMessage(): () => void {
    return () => {};
  }

  onEnd(listener: (reason: string, exitCode: number) => void): () => void {
    this.endings.add(listener);
    return () => this.endings.delete(listener);
  }

  past(number: number): Frame | undefined {
    return this.kept.get(number);
  }

  async close(): Promise<void> {}

  private apply(request: Request): Answer {
    if (request.kind === 'write') for (const { path, value } of request.writes) this.write(path, value);
    const mode = request.kind === 'control' ? modeAfter(request.control) : this.header.mode;
    const value = this.valueOf(request);
    this.publish({ reason: Reason.request, mode, ...timeAfter(request) });
    return { frame: this.header.number, ...(value !== undefined && { value }) };
  }

  private valueOf(request: Request): Value | undefined {
    if (request.kind === 'call') return this.called(request.name, request.values);
    if (request.kind === 'checkpoint') return { file: request.file, seconds: this.header.clockSeconds };
    return undefined;
  }

  private called(name: string, values: readonly Value[]): Value | undefined {
    return FUNCTIONS.find(({ described }) => described.name === name)?.call(...(values as never[])) as
      | Value
      | undefined;
  }

  private write(path: string, value: Parameters<typeof assign>[2]): void {
    if (value === 666) throw new RequestError('the simulation does not take 666');
    const variable = this.catalog.find(path);
    if (variable) assign(variable, this.state.arena.memory, value);
  }

  private describe(): Catalog {
    return new Catalog({ ...this.state.describe(), functions: FUNCTIONS.map(({ described }) => described) });
  }

  private snapshot(): Frame {
    const frame = frameOf(this.state, this.header);
    this.kept.set(frame.header.number, frame);
    this.kept.delete(frame.header.number - this.keptFrames);
    return frame;
  }
}

/** It can be played, too. */
const timeAfter = (request: Request): Partial<FrameHeader> =>
  request.kind === 'control' && request.control.action === 'seek'
    ? { timeTics: request.control.toSeconds * 1e6, clockSeconds: request.control.toSeconds }
    : {};

const modeAfter = ({ action }: Extract<Request, { readonly kind: 'control' }>['control']): Mode =>
  action === 'freeze' ? Mode.freeze : Mode.run;

/** At 100 Hz, 123 ticks after the start. */
export const HEADER: FrameHeader = headerOf({
  number: 124,
  tick: 123,
  timeTics: 1_230_000,
  frameCount: 123,
  catalogVersion: 0,
  clockSeconds: 1.23,
});

const takes = {
  vx: double({ units: 'm/s', about: 'to the right' }),
  vy: double({ units: 'm/s', about: 'up' }),
};
const FUNCTIONS = [
  registerFunction('kick', { takes, about: 'adds to the velocity' }, () => undefined),
  registerFunction('speed', { takes, gives: double({ units: 'm/s' }) }, ({ vx, vy }) => Math.hypot(vx, vy)),
  registerFunction('anything', (...values: never[]) => values.length),
];
