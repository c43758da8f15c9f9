// Texts that run at a simulation time, before the frame that starts there. Trick: add_read
import { Mode } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { Source } from '../../source/source.js';
import type { Limits } from '../interpreter/meter.js';
import { runText } from './block-text.js';
import type { ServerScript } from './server-script.js';

/** At most so many reads wait at the same time. */
const MOST_READS = 10_000;

interface Read {
  readonly id: number;
  readonly atTics: number;
  readonly text: string;
  readonly limits: Limits;
}

export class Reads {
  /** Sorted by time; reads of the same time keep their order. */
  private waiting: Read[] = [];
  private lastId = 0;

  constructor(
    private readonly source: Source,
    private readonly script: () => ServerScript,
  ) {}

  /** Adds a text that the frame at the time, or the first one after it, waits for. False when too many texts wait. */
  add(atSeconds: number, text: string, limits: Limits): boolean {
    if (this.waiting.length >= MOST_READS) return false;
    const atTics = Math.round(atSeconds * this.source.frame.header.ticsPerSecond);
    const read = { id: ++this.lastId, atTics, text, limits };
    const place = this.waiting.findIndex((other) => other.atTics > atTics);
    this.waiting.splice(place < 0 ? this.waiting.length : place, 0, read);
    // When the simulation holds at that time, the frame may have arrived already.
    this.source.submit({ kind: 'control', control: { action: 'hold', id: read.id, atTics } }).then(
      () => this.take(this.source.frame),
      () => undefined,
    );
    return true;
  }

  /** Takes a frame of the simulation. */
  take({ header: { timeTics, mode } }: Frame): void {
    if (mode === Mode.initialization) return;
    for (let next = this.waiting[0]; next && next.atTics <= timeTics; next = this.waiting[0]) {
      this.waiting.shift();
      void this.run(next);
    }
  }

  private async run({ id, text, limits }: Read): Promise<void> {
    const script = this.script();
    const failure = await script.run({
      length: text.length,
      limits,
      start: (interpreter) => runText(interpreter, text),
    });
    if (failure) script.session.stdio.writeError(failure.pieces);
    // Requests are applied in order, so this one comes after all that the text has asked for.
    this.source.submit({ kind: 'control', control: { action: 'let-go', id } }).catch(() => undefined);
  }
}
