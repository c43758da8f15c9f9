// Texts that run at a simulation time, before the frame that starts there. Trick: add_read
import { Mode } from '../../../model/frame/header.js';
import type { Frame } from '../../../model/frame/reader.js';
import type { Source } from '../../../source/source.js';
import type { Limits } from '../../python/index.js';
import type { EventTable } from '../events/event-table.js';
import { runText } from './block-text.js';
import { ERROR_CODE } from './event-evaluation.js';
import type { Scripts } from './scripts.js';

/** The most reads that may wait in all; reads stay when their client goes. */
const MOST = { reads: 10_000, characters: 16_000_000 } as const;
/** The most reads of one client's address. */
const MOST_OF_ONE = { reads: 2_500, characters: 4_000_000 } as const;

const END_OF_ERROR = { action: 'terminate', code: ERROR_CODE, reason: 'a read failed' } as const;

interface Read {
  readonly id: number;
  readonly atTics: number;
  readonly text: string;
  readonly limits: Limits;
  readonly by: string;
}

/** How many reads wait, and how many characters. */
interface Share {
  reads: number;
  characters: number;
}

export class Reads {
  /** Those of a source that does not wait for them, sorted by time; reads of the same time keep their order. */
  private waiting: Read[] = [];
  private lastId = 0;
  private readonly total: Share = { reads: 0, characters: 0 };
  private readonly shares = new Map<string, Share>();

  constructor(
    private readonly source: Source,
    private readonly scripts: Scripts,
    private readonly events: Pick<EventTable, 'endsOnError'>,
    private readonly followFrames: () => void = () => undefined,
  ) {}

  /**
   * Adds a text for a time; the simulation waits at that time until the text has run, for a client's text no longer than
   * it can bear. False when too many texts wait.
   * @param by the address of the client, empty for the server's own text.
   */
  add(atSeconds: number, text: string, limits: Limits, by = ''): boolean {
    if (!this.count(by, text)) return false;
    const atTics = Math.round(atSeconds * this.source.frame.header.ticsPerSecond);
    const read = { id: ++this.lastId, atTics, text, limits, by };
    const control = { action: 'hold', id: read.id, atTics, isClients: by !== '' } as const;
    this.source.submit({ kind: 'control', control }).then(
      () => this.runSoon(read),
      () => this.wait(read),
    );
    return true;
  }

  /** A source that is no simulation, or does not answer, has frames all the same. */
  private wait(read: Read): void {
    const place = this.waiting.findIndex((other) => other.atTics > read.atTics);
    this.waiting.splice(place < 0 ? this.waiting.length : place, 0, read);
    this.followFrames();
    this.take(this.source.frame);
  }

  /** Runs the waiting reads that are due at a frame. */
  take({ header: { timeTics, mode } }: Frame): void {
    if (mode === Mode.initialization) return;
    for (let next = this.waiting[0]; next && next.atTics <= timeTics; next = this.waiting[0]) {
      this.waiting.shift();
      this.runSoon(next);
    }
  }

  private runSoon(read: Read): void {
    // A text counts until it has run: thousands that are due would wait for their turn uncounted.
    this.run(read)
      .finally(() => this.end(read))
      .catch(this.scripts.failed);
  }

  private count(by: string, text: string): boolean {
    const share = this.shares.get(by) ?? { reads: 0, characters: 0 };
    if (!hasRoom(this.total, text, MOST) || (by !== '' && !hasRoom(share, text, MOST_OF_ONE))) return false;
    this.shares.set(by, share);
    for (const counted of [this.total, share]) {
      counted.reads++;
      counted.characters += text.length;
    }
    return true;
  }

  private uncount({ by, text }: Read): void {
    const share = this.shares.get(by);
    for (const counted of [this.total, share]) {
      if (!counted) continue;
      counted.reads--;
      counted.characters -= text.length;
    }
    if (share?.reads === 0) this.shares.delete(by);
  }

  private async run({ text, limits, by }: Read): Promise<void> {
    const failure = await this.scripts.run(by, {
      length: text.length,
      limits,
      start: (interpreter) => runText(interpreter, text),
    });
    if (!failure) return;
    this.scripts.of(by).session.stdio.writeError(failure.pieces);
    if (this.events.endsOnError && by === '' && failure.exitCode === undefined)
      this.source.submit({ kind: 'control', control: END_OF_ERROR }).catch(() => undefined);
  }

  /** Lets the simulation go on, also after an error. */
  private end(read: Read): void {
    this.uncount(read);
    // Requests are applied in order, so this one comes after all that the text has asked for.
    this.source.submit({ kind: 'control', control: { action: 'let-go', id: read.id } }).catch(() => undefined);
  }
}

const hasRoom = (share: Share, text: string, most: Readonly<Share>): boolean =>
  share.reads < most.reads && share.characters + text.length <= most.characters;
