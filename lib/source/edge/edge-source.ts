// A simulation that varwire serves elsewhere, as a source: its frames, its catalog, its requests.
import { randomBytes } from 'node:crypto';
import type { PageMap } from '../../model/frame/page-map.js';
import type { Request } from '../../simulation/executive/request.js';
import type { Outcome } from '../../simulation/executive/request-queue.js';
import { NO_ABILITIES } from '../abilities.js';
import type { ToSimulation } from '../protocol.js';
import { RemoteSource } from '../remote-source.js';
import type { Abilities, Earlier, FrameIds, PlaybackState } from '../source.js';
import {
  type Answered,
  type Asked,
  bodyOf,
  type Connect,
  Down,
  type Hello,
  helloOf,
  jsonOf,
  type Need,
  type Note,
  type PastAnswered,
  Up,
} from './carrier.js';
import { unpackCatalog } from './catalog-codec.js';
import { EdgeFrames } from './edge-frames.js';
import { EdgeLink } from './edge-link.js';
import { epochOf, FrameDecoder } from './frame-codec.js';
import { PastsAsked } from './pasts-asked.js';
import { Waiting } from './waiting.js';
import { fromJson, toJson } from './wire-values.js';

export interface EdgeFacts {
  /** Where the source is, for sentences: `localhost:7000`. */
  readonly address: string;
  readonly connect: Connect;
}

/** A source forgets an edge that it has not heard of for 10 s. Counted in checks, which are two a second. */
const NEED_EVERY_CHECKS = 4;
/** Not more often does an edge ask for everything anew. */
const ANEW_MILLIS = 500;
/** How long a simulation may take to show itself at the start. */
const START_MILLIS = 5000;
/** The id of the question whether this edge may ask for anything. */
const PROBE = 0;

export class EdgeSource extends RemoteSource {
  private readonly edge = randomBytes(8).toString('hex');
  private readonly frames = new EdgeFrames((message) => this.receive(message));
  readonly frameIds: FrameIds = this.frames.ids;
  private readonly link: EdgeLink;
  private readonly asked = new Waiting((id, outcome) => this.receive({ kind: 'outcome', id, outcome }));
  private readonly pasts = new PastsAsked((past) => this.link.tell(Up.need, JSON.stringify({ edge: this.edge, past })));
  private decoder = new FrameDecoder();
  private hello: Hello | undefined;
  private mayChange: boolean | undefined;
  private isReady = false;
  /** Why nothing is heard; empty while it is. */
  private loss = '';
  private heardMillis = Date.now();
  private checks = 0;
  private anewMillis = Number.NEGATIVE_INFINITY;
  /** The pages that the source knows of. */
  private told: PageMap | undefined;

  /** Connects and shows the simulation. Rejects with one sentence. */
  static async open(facts: EdgeFacts): Promise<EdgeSource> {
    const source = new EdgeSource(facts);
    const late = setTimeout(() => source.end(`no simulation shows itself at ${facts.address}`, 1), START_MILLIS);
    try {
      await source.link.open();
      await source.started;
      return source;
    } catch (error) {
      await source.close();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  private constructor(private readonly facts: EdgeFacts) {
    const own: { source?: EdgeSource } = {};
    super(
      (message) => own.source?.pass(message),
      async () => own.source?.leave(),
      true,
    );
    own.source = this;
    this.link = new EdgeLink(facts.connect, {
      message: (message) => this.hear(message),
      denied: () => this.admit(false),
      lost: (reason) => this.lost(reason),
      connected: () => this.connected(),
      check: () => this.check(),
    });
  }

  override get abilities(): Abilities {
    if (!this.hello || !this.mayChange) return NO_ABILITIES;
    // Layouts and exact times are matters of the machine where the simulation runs.
    return { ...this.hello.abilities, layouts: false, schedule: false };
  }

  override get playback(): PlaybackState | undefined {
    return this.hello?.playback;
  }

  /** Those that did not come, too. */
  override get skipped(): number {
    return super.skipped + this.frames.skipped;
  }

  get lastHeardMillis(): number | undefined {
    return this.loss === '' ? undefined : this.heardMillis;
  }

  async earlier(path: string): Promise<Earlier | undefined> {
    return this.loss === '' ? this.pasts.of(path) : undefined;
  }

  private connected(): void {
    this.told = undefined;
    this.anewMillis = Number.NEGATIVE_INFINITY;
    this.askAnew();
    this.probe();
    for (const text of this.asked.texts()) this.link.tell(Up.request, text);
  }

  private check(): void {
    this.asked.check();
    if (this.loss !== '' || !this.isReady) this.askAnew();
    else if (++this.checks % NEED_EVERY_CHECKS === 0) this.tellNeed();
    if (this.mayChange === undefined) this.probe();
  }

  private leave(): void {
    this.link.close();
    this.pasts.giveUp();
    this.asked.fail('this edge is closed');
  }

  /** By NATS, others than the source may publish, too: what is not understood hurts nobody who hears the source. */
  private hear(message: Uint8Array): boolean {
    try {
      this.take(message);
      return true;
    } catch (error) {
      const { message: reason } = error as Error;
      if (!this.frames.hasShown) this.link.drop(`it sent what is not understood: ${reason}`);
      return false;
    }
  }

  private take(message: Uint8Array): void {
    switch (message[0]) {
      case Down.hello:
        this.greet(helloOf(message));
        break;
      case Down.catalog:
        this.takeCatalog(message);
        break;
      case Down.frame:
        this.takeFrame(message);
        break;
      case Down.note:
        this.note(jsonOf<Note>(message));
        break;
      case Down.answer:
        this.answered(fromJson(Buffer.from(bodyOf(message)).toString()) as Answered);
        break;
      case Down.past:
        this.pasts.answered(jsonOf<PastAnswered>(message));
    }
  }

  private greet(hello: Hello): void {
    const isOther = hello.epoch !== this.hello?.epoch;
    this.hello = hello;
    this.heardMillis = Date.now();
    if (isOther) this.begin();
    else if (this.loss === '') this.receive({ kind: 'fault', reason: hello.fault });
  }

  /** Another run is there. */
  private begin(): void {
    this.asked.fail('the simulation has been started again: it may have been done or not');
    this.frames.begin(this.hello?.epoch ?? 0);
    this.decoder = new FrameDecoder();
    this.isReady = false;
    this.probe();
    // A feed may have no frame for long.
    this.askAnew();
  }

  private takeCatalog(message: Uint8Array): void {
    const { epoch, catalog } = unpackCatalog(message);
    if (epoch !== this.hello?.epoch || !this.frames.catalog(catalog)) this.askAnew();
  }

  private takeFrame(message: Uint8Array): void {
    this.link.tell(Up.taken, '');
    const isOfThisRun = epochOf(message) === this.hello?.epoch;
    const frame = isOfThisRun ? this.decoder.decode(message) : undefined;
    // The next key frame comes within a second.
    if (isOfThisRun && !frame) return;
    if (!frame || !this.frames.show(frame)) {
      this.askAnew();
      return;
    }
    this.heardMillis = Date.now();
    this.found();
    this.asked.shown(this.frames.latestNumber);
    this.tellNeedIfNew();
  }

  private note({ epoch, message, ended }: Note): void {
    if (epoch !== this.hello?.epoch) return;
    if (message) this.receive({ kind: 'message', message });
    if (ended !== undefined) this.link.drop(`it has ended: ${ended}`);
  }

  private answered(answer: Answered): void {
    if (answer.id === PROBE) this.admit(answer.mayChange === true);
    else this.asked.answered(answer, this.frames.numberOf(answer.frame ?? 0), this.frames.latestNumber);
  }

  private admit(mayChange: boolean): void {
    this.mayChange = mayChange;
    this.readyIfShown();
  }

  /** A frame has come. */
  private found(): void {
    this.link.prosper();
    this.readyIfShown();
    if (this.loss === '' || !this.isReady) return;
    this.loss = '';
    this.receive({ kind: 'fault', reason: this.hello?.fault });
    this.say('warning', `connected again to the simulation at ${this.facts.address}`);
  }

  private readyIfShown(): void {
    if (this.isReady || !this.hello || this.mayChange === undefined || !this.frames.hasShownRun) return;
    this.isReady = true;
    const { info } = this.hello;
    const what = `${this.mayChange ? 'an edge' : 'a read-only edge'} of ${info.what ?? info.name}`;
    this.receive({ kind: 'ready', info: { ...info, what, runDirectory: '.' }, abilities: this.abilities });
  }

  private lost(reason: string): void {
    if (this.endsAtStart(reason)) return;
    this.asked.check();
    this.pasts.giveUp();
    const isNew = this.loss === '';
    this.loss = `disconnected from the simulation at ${this.facts.address}: ${reason}`;
    this.receive({ kind: 'fault', reason: this.loss });
    if (!isNew) return;
    this.say('error', this.loss);
    this.frames.standStill();
  }

  /** Who has never shown anything does not wait for a simulation. */
  private endsAtStart(reason: string): boolean {
    if (this.frames.hasShown) return false;
    this.end(`${this.facts.address} shows no simulation: ${reason}`, 1);
    return true;
  }

  private say(level: 'error' | 'warning', text: string): void {
    this.receive({ kind: 'message', message: { level, text, timeSeconds: this.frame.timeSeconds } });
  }

  private pass(message: ToSimulation): void {
    if (message.kind !== 'request') return;
    const { id, request } = message;
    const outcome = this.outcomeHere(request);
    if (outcome) queueMicrotask(() => this.receive({ kind: 'outcome', id, outcome }));
    else this.ask(id, this.asking(id, request));
  }

  /** Of what does not go to the source. */
  private outcomeHere({ kind }: Request): Outcome | undefined {
    // What this server shows of itself is not for the simulation, which shows its own.
    if (kind === 'show') return { frame: this.frames.latestNumber };
    return this.loss === '' ? undefined : { error: this.loss };
  }

  private ask(id: number, text: string): void {
    this.asked.add(id, text);
    const { mostBytes } = this.link;
    if (Buffer.byteLength(text) > mostBytes)
      this.asked.refuse(id, `a request through this edge has at most ${mostBytes} bytes`);
    else {
      this.tellNeedIfNew();
      this.link.tell(Up.request, text);
    }
  }

  private asking(id: number, request?: Request): string {
    return toJson({ edge: this.edge, id, epoch: this.hello?.epoch ?? 0, request } satisfies Asked);
  }

  private probe(): void {
    if (this.hello) this.link.tell(Up.request, this.asking(PROBE));
  }

  private askAnew(): void {
    const now = performance.now();
    if (now - this.anewMillis < ANEW_MILLIS) return;
    this.anewMillis = now;
    this.tellNeed(true);
  }

  private tellNeedIfNew(): void {
    const { wanted } = this.frames;
    if (wanted && !(this.told?.length === wanted.length && this.told.equals(wanted))) this.tellNeed();
  }

  private tellNeed(anew?: boolean): void {
    this.told = this.frames.wanted?.copyOfMarks();
    const pages = this.told && Buffer.from(this.told.bits()).toString('base64');
    this.link.tell(Up.need, JSON.stringify({ edge: this.edge, anew, pages } satisfies Need));
  }
}
