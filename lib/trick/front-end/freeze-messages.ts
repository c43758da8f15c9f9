// Tells readers of messages when the simulation freezes and when it continues. Trick: Executive::loop_multi_thread
import { Mode } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { SimMessage, Source } from '../../source/source.js';

export class FreezeMessages {
  private isFrozen = false;
  private end: (() => void) | undefined;

  constructor(
    private readonly source: Pick<Source, 'frame' | 'onFrame'>,
    private readonly say: (message: SimMessage) => void,
  ) {}

  /** Follows frames from now on; the present mode is not reported. */
  start(): void {
    if (this.end) return;
    this.isFrozen = this.source.frame.header.mode === Mode.freeze;
    this.end = this.source.onFrame((frame) => this.take(frame));
  }

  stop(): void {
    this.end?.();
    this.end = undefined;
  }

  private take({ header: { mode }, timeSeconds }: Frame): void {
    if (mode !== Mode.freeze && mode !== Mode.run) return;
    const isFrozen = mode === Mode.freeze;
    if (isFrozen === this.isFrozen) return;
    this.isFrozen = isFrozen;
    const text = isFrozen ? `Freeze ON. Simulation time holding at ${timeSeconds.toFixed(6)} seconds.` : 'Freeze OFF.';
    this.say({ level: 'informational', text, timeSeconds });
  }
}
