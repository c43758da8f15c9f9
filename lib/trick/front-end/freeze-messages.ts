// Tells readers of messages when the simulation freezes and when it goes on. Trick: Executive::loop_multi_thread
import { Mode } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { SimMessage } from '../../source/source.js';

export class FreezeMessages {
  private isFrozen: boolean | undefined;
  private end: (() => void) | undefined;

  constructor(
    private readonly onFrame: (listener: (frame: Frame) => void) => () => void,
    private readonly say: (message: SimMessage) => void,
  ) {}

  /** Follows frames; what the mode is now is not told. */
  start(): void {
    this.end ??= this.onFrame((frame) => this.take(frame));
  }

  stop(): void {
    this.end?.();
    this.end = undefined;
    this.isFrozen = undefined;
  }

  private take({ header: { mode }, timeSeconds }: Frame): void {
    if (mode !== Mode.freeze && mode !== Mode.run) return;
    const before = this.isFrozen;
    this.isFrozen = mode === Mode.freeze;
    if (before === undefined || before === this.isFrozen) return;
    const text = this.isFrozen
      ? `Freeze ON. Simulation time holding at ${timeSeconds.toFixed(6)} seconds.`
      : 'Freeze OFF.';
    this.say({ level: 'informational', text, timeSeconds });
  }
}
