// Watches: what has changed in an entity since the last event goes out, at most once a frame; and the simulation's messages.
import type { Frame, Shown } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { Held } from '../../serving/scheduling/held.js';
import type { SimMessage } from '../../source/source.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { isBuiltIn } from './built-in.js';
import { builtInText } from './cells.js';
import { componentsOf, variableOf } from './component.js';
import { EntityWatch, type Watch } from './entity-watch.js';
import { costOf, KeptComponent, textOf } from './kept-component.js';
import type { BrpCall } from './operation.js';
import type { EventMaker, WatchOutput } from './watch-output.js';
import type { World } from './world.js';

/** From this size on, a text is written in turns: these are 2,000 doubles. */
const LARGE_BYTES = 16_000;

/** Undefined for a component that is not there. */
type Text = AnswerText | undefined;

/** A component that is watched, with what the client was told last. */
class Watched extends KeptComponent {
  /** The number of the frame that the client was told last. */
  toldFrame = 0;
  /** Whether no frame has carried it yet: what the first one has is no change. */
  isUnseen = false;

  constructor(
    readonly asked: string,
    readonly path: string,
  ) {
    super();
  }

  /** Whether a frame shows something else than the client was told. */
  isNewIn(frame: Frame): boolean {
    if (!this.isCarriedBy(frame)) return false;
    if (!this.isUnseen) return !this.isIn(frame);
    // A component that has gone before any frame carried it is one that was there.
    if (!this.current) return true;
    this.tell(frame);
    return false;
  }

  tell(frame: Frame): void {
    this.isUnseen = false;
    this.keep(frame);
  }

  /** The next frame is told, whatever it shows. */
  untell(): void {
    this.isUnseen = false;
    this.forget();
  }
}

export interface ComponentWishes {
  readonly names: readonly { readonly asked: string; readonly path: string }[];
  /** Added to each event, unless it is undefined. */
  readonly errors: Readonly<Record<string, { readonly message: string }>> | undefined;
  /** Whether the first event has all components, changed or not. */
  readonly isInitial: boolean;
}

/** Bytes of names and sentences that are kept, two a character. */
function bytesOfWishes({ names, errors = {} }: ComponentWishes): number {
  const ofNames = names.reduce((sum, { asked }) => sum + asked.length, 0);
  return 2 * Object.entries(errors).reduce((sum, [asked, { message }]) => sum + asked.length + message.length, ofNames);
}

export class ComponentWatch extends EntityWatch implements EventMaker {
  private readonly watched: readonly Watched[];
  /** Whether the texts of an event are being made in turns. */
  private isMaking = false;
  private shown: readonly Shown[] = [];
  /** Whether the components may be of another size in each frame. */
  private hasPointers = false;
  private readonly wishedBytes: number;
  protected readonly needsWorld: boolean;
  private world: World | undefined;

  constructor(
    call: BrpCall,
    object: SimObject,
    private readonly wishes: ComponentWishes,
    output: WatchOutput,
  ) {
    super(call, object, output);
    this.wishedBytes = bytesOfWishes(wishes);
    this.watched = wishes.names.map(({ asked, path }) => new Watched(asked, path));
    this.needsWorld = this.watched.some(({ path }) => isBuiltIn(path));
  }

  protected rebind(world: World | undefined): void {
    this.world = world;
    const { source } = this.call;
    const parts = componentsOf(this.object, source.info.name);
    for (const one of this.watched) {
      const component = parts.get(one.path);
      one.current = component && variableOf(component);
    }
    this.count(source.frame);
    for (const one of this.watched) one.text = this.ownText(one.path);
  }

  /** Throws an OverBoundError or a TooManyPointersError. */
  private count(frame: Frame): void {
    this.shown = this.watched.filter(({ current }) => current);
    this.hasPointers = this.watched.some(({ current }) => current && holdsPointers(current.type));
    if (this.hasPointers) frame.carriesAll(this.shown);
    const { keptBytes, valuesPerSecond } = costOf(this.watched, frame);
    this.held.setAll({ valuesPerSecond, keptBytes: keptBytes + this.wishedBytes });
  }

  private ownText(path: string): string | undefined {
    const { world } = this;
    if (!world || !isBuiltIn(path)) return undefined;
    return world.has(this.object, path) ? builtInText(world, this.object, path, this.call.generation) : undefined;
  }

  /**
   * Compares first with the frame before, so that the client gets a component that it inserted just before it asked.
   */
  protected begin(): void {
    if (this.wishes.isInitial) return;
    const { source } = this.call;
    const { number } = source.frame.header;
    const before = source.past(number - 1, this.object.name);
    // The object has come or changed with the latest frame, so every part may be new.
    if (!before && number > 1) return;
    for (const one of this.watched) {
      const frame = before && one.isCarriedBy(before) ? before : source.frame;
      one.isUnseen = !one.isCarriedBy(frame);
      if (!one.isUnseen) one.keep(frame);
    }
  }

  protected lookAt(frame: Frame): void {
    if (this.isMaking) return;
    if (this.hasPointers) this.count(frame);
    this.lease.ask(this.shown, frame);
    if (!this.watched.some((one) => one.isNewIn(frame))) return;
    this.output.offer(this);
  }

  written(object: number, paths: readonly string[], frame: number): void {
    if (object !== this.object.number) return;
    const again = this.watched.filter(({ path, toldFrame }) => paths.includes(path) && toldFrame < frame);
    if (again.length === 0) return;
    for (const one of again) {
      one.untell();
      one.text = this.ownText(one.path);
    }
    this.look(this.call.source.frame);
  }

  /** What differs from what the client was told last; of a large component it is sent later. */
  event(): AnswerText | undefined {
    const { frame } = this.call.source;
    const news = this.isMaking ? [] : this.watched.filter((one) => one.isNewIn(frame));
    if (news.length === 0) return undefined;
    const { turns } = this.call.registry;
    const isLarge = news.reduce((sum, one) => sum + one.bytesIn(frame), 0) > LARGE_BYTES;
    const turn = isLarge ? () => turns.turn(this.account) : undefined;
    const texts = news.map((one) => this.textOf(one, frame, turn));
    for (const one of news) {
      one.tell(frame);
      one.toldFrame = frame.header.number;
    }
    if (areThere(texts)) return this.resultOf(news, texts);
    this.sendLater(news, texts).catch(turns.failed);
    return undefined;
  }

  private textOf({ current, text }: Watched, frame: Frame, turn?: () => Promise<void>) {
    if (!current) return text === undefined ? undefined : AnswerText.of(text);
    return this.call.followers.textOf(frame, current.path, () => textOf(frame, current, turn));
  }

  /** Sends an event when its texts are there; a change meanwhile goes into the next event. */
  private async sendLater(news: readonly Watched[], making: readonly (Text | Promise<AnswerText>)[]): Promise<void> {
    const { registry, source } = this.call;
    this.isMaking = true;
    const texts = await Promise.all(making);
    // A thousand watches may wait for one text.
    await registry.turns.turn(this.account);
    if (this.isClosed) return;
    this.isMaking = false;
    if (!this.output.send(this.resultOf(news, texts))) {
      this.fail(UNREAD);
      return;
    }
    await registry.turns.turn(this.account);
    if (!this.isClosed) this.look(source.frame);
  }

  private resultOf(news: readonly Watched[], texts: readonly Text[]): AnswerText {
    const result = AnswerText.of('{"components":{');
    const removed: string[] = [];
    let before = '';
    for (const [index, { asked }] of news.entries()) {
      const text = texts[index];
      if (text === undefined) removed.push(asked);
      else {
        result.add(`${before}${JSON.stringify(asked)}:`);
        result.append(text);
        before = ',';
      }
    }
    const { errors } = this.wishes;
    const tail = errors ? `,"errors":${JSON.stringify(errors)}` : '';
    result.add(`},"removed":${JSON.stringify(removed)}${tail}}`);
    return result;
  }
}

/** Which components an entity gets and loses, or which types of components there are. */
export class ListWatch extends EntityWatch<SimObject | undefined> implements EventMaker {
  protected readonly needsWorld = true;
  /** Sorted, as the world spells them. */
  private paths: readonly string[] = NO_PATHS;
  private known: readonly string[] = NO_PATHS;

  /**
   * @param object undefined for all types.
   * @param isInitial whether the first event has all components.
   */
  constructor(
    call: BrpCall,
    object: SimObject | undefined,
    private readonly spell: (path: string) => string,
    private readonly isInitial: boolean,
    output: WatchOutput,
  ) {
    super(call, object, output);
  }

  protected rebind(world: World): void {
    this.paths = this.object ? world.pathsOf(this.object) : world.paths;
    // The list of all types is the world's own.
    if (this.object) this.held.set('keptBytes', 2 * this.paths.reduce((sum, path) => sum + path.length, 0));
  }

  protected begin(): void {
    if (!this.isInitial) this.known = this.paths;
  }

  protected lookAt(): void {
    if (this.known !== this.paths) this.output.offer(this);
  }

  event(): AnswerText | undefined {
    const [before, now] = [new Set(this.known), new Set(this.paths)];
    const added = this.paths.filter((path) => !before.has(path));
    const removed = this.known.filter((path) => !now.has(path));
    this.known = this.paths;
    if (added.length + removed.length === 0) return undefined;
    return AnswerText.of(JSON.stringify({ added: added.map(this.spell), removed: removed.map(this.spell) }));
  }
}

const NO_PATHS: readonly string[] = [];

const UNREAD = new RpcError(
  RpcCode.tooMany,
  'the watch has ended: this client may not have as many bytes that it has not read',
);

const areThere = (texts: readonly (Text | Promise<AnswerText>)[]): texts is readonly Text[] =>
  !texts.some((text) => text instanceof Promise);

/** The event's type path. */
export const MESSAGE_EVENT = 'varwire::SimMessage';

/** Messages that wait for a slow client; the oldest are left out. */
const MOST_WAITING = 100;
const LONGEST_TEXT = 4000;

/** The simulation's messages as events; each event has a list of them. */
export class MessageWatch implements Watch, EventMaker {
  private readonly held: Held;
  private readonly stops: (() => void)[] = [];
  private waiting: object[] = [];

  constructor(
    private readonly call: BrpCall,
    private readonly output: WatchOutput,
  ) {
    this.held = new Held(call.account);
  }

  /** Throws an OverBoundError. */
  start(): this {
    const { source, account, followers } = this.call;
    this.held.setAll({ subscriptions: 1, keptBytes: MOST_WAITING * LONGEST_TEXT });
    this.stops.push(source.onMessage((message) => this.take(message)));
    this.stops.push(followers.add({ account, look: () => undefined, end: (reason) => this.end(reason) }));
    return this;
  }

  close(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.held.release();
  }

  private take({ level, text, timeSeconds }: SimMessage): void {
    const isOffered = this.waiting.length > 0;
    this.waiting.push({ level, text: text.slice(0, LONGEST_TEXT), time_seconds: timeSeconds });
    if (this.waiting.length > MOST_WAITING) {
      this.waiting.shift();
      this.output.countDropped();
    }
    // The event that waits for the client will have this message too: it is not left out.
    if (isOffered) this.output.release();
    else this.output.offer(this);
  }

  event(): AnswerText | undefined {
    const events = this.waiting.splice(0);
    return events.length > 0 ? AnswerText.of(JSON.stringify(events)) : undefined;
  }

  private end(reason: string): void {
    this.close();
    this.output.fail(new RpcError(RpcCode.requestRefused, `the watch has ended: ${reason}`));
  }
}
