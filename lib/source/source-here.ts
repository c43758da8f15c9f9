// The simulation of a run without a server as a source, which carries out requests before `submit` returns.

import { type FrameHeader, Reason } from '../model/frame/header.js';
import type { Frame } from '../model/frame/reader.js';
import type { Catalog } from '../model/state/catalog.js';
import type { Memory } from '../model/state/memory.js';
import { holdFor } from '../simulation/executive/conditions.js';
import { headerOf } from '../simulation/executive/frame-header.js';
import type { RunningSimulation } from '../simulation/executive/running-simulation.js';
import { ALL_ABILITIES } from './abilities.js';
import { Answered } from './answered.js';
import { type Answer, type Request, RequestError, type Source, type SourceInfo, type Unsubscribe } from './source.js';

const nothing: Unsubscribe = () => undefined;

export class SourceHere implements Source {
  readonly abilities = ALL_ABILITIES;
  readonly lapped = 0;
  readonly skipped = 0;
  /** The simulation as it stands. */
  readonly frame: Frame;

  constructor(
    private readonly running: RunningSimulation,
    readonly info: SourceInfo,
  ) {
    this.frame = new FrameHere(running) as unknown as Frame;
  }

  get catalog(): Catalog {
    return this.running.catalog;
  }

  submit(request: Request): Promise<Answer> {
    const answered = new Answered<Answer>();
    const { running } = this;
    if (request.kind === 'control' && request.control.action === 'hold')
      holdFor(running, request.control, (asked) => answered.settle({ value: { frame: 0, value: asked } as Answer }));
    else {
      running.submit(request, (outcome) =>
        answered.settle('error' in outcome ? { error: new RequestError(outcome.error) } : { value: outcome }),
      );
      running.applyPending();
    }
    return answered;
  }

  // Nobody follows what nobody publishes.
  onFrame = (): Unsubscribe => nothing;
  onMessage = (): Unsubscribe => nothing;
  onEnd = (): Unsubscribe => nothing;

  past(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
}

/** What texts use of a frame. */
class FrameHere {
  constructor(private readonly running: RunningSimulation) {}

  get header(): FrameHeader {
    return headerOf(this.running, { number: 0, catalogVersion: this.running.catalog.version }, Reason.tick);
  }
  get memory(): Memory {
    return this.running.state.arena.memory;
  }
  get timeSeconds(): number {
    return this.running.executive.timeSeconds;
  }
  /** All of it is there. */
  get pages(): undefined {
    return undefined;
  }

  carries(): boolean {
    return true;
  }
  carriesAll(): boolean {
    return true;
  }
}
