// Watches of an entity: what has changed since the last event goes out, at most once a frame.

import type { Frame, Shown } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Variable } from '../../model/state/variable.js';
import { shownPart } from '../../serving/session/read.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { isBuiltIn } from './built-in.js';
import { builtInText } from './cells.js';
import { componentsOf, variableOf } from './component.js';
import { bytesOf, bytesToCopy, hasBytes, keptBytesOf, textOf } from './component-bytes.js';
import { EntityWatch, type WatchOutput } from './entity-watch.js';
import type { BrpCall } from './operation.js';
import { differenceOf } from './sorted-paths.js';
import { valuesPerSecond } from './values-per-second.js';
import { worldOf } from './world.js';

/** From this size on, a text is written in turns: these are 2,000 doubles. */
const LARGE_BYTES = 16_000;

/** Undefined for a component that is not there. */
type Text = AnswerText | undefined;

/** A component that is watched. */
interface Watched {
  readonly asked: string;
  readonly path: string;
  /** Undefined while the entity lacks the component, and for components that are Bevy's own. */
  variable: Variable | undefined;
  /** The text of a component that is Bevy's own. */
  text: string | undefined;
  /** What the client was told last; undefined when it was told that the component is not there. */
  kept: Uint8Array | undefined;
  /** The number of the frame that the client was told last. */
  toldFrame: number;
  /** Whether no frame has carried it yet: what the first one has is no change. */
  isUnseen: boolean;
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

export class ComponentWatch extends EntityWatch {
  private readonly watched: readonly Watched[];
  /** Whether the texts of an event are being made in turns. */
  private isMaking = false;
  private isClosed = false;
  private shown: readonly Shown[] = [];
  /** Whether the components may be of another size in each frame. */
  private hasPointers = false;
  private readonly wishedBytes: number;

  constructor(
    call: BrpCall,
    object: SimObject,
    private readonly wishes: ComponentWishes,
    output: WatchOutput,
  ) {
    super(call, object, output);
    this.wishedBytes = bytesOfWishes(wishes);
    this.watched = wishes.names.map(({ asked, path }) => {
      return { asked, path, variable: undefined, text: undefined, kept: undefined, toldFrame: 0, isUnseen: false };
    });
  }

  protected rebind(): void {
    const { source, generation } = this.call;
    const parts = componentsOf(this.object, source.info.name);
    for (const one of this.watched) {
      const component = parts.get(one.path);
      one.variable = component && variableOf(component);
    }
    this.count(source.frame);
    for (const one of this.watched) if (isBuiltIn(one.path)) one.text = this.ownText(one.path, generation);
  }

  /** Throws an OverBoundError or a TooManyPointersError. */
  private count(frame: Frame): void {
    const variables = this.watched.flatMap(({ variable }) => variable ?? []);
    this.hasPointers = variables.some(({ type }) => holdsPointers(type));
    this.shown = variables.map((variable) => shownPart(variable));
    if (this.hasPointers) frame.showsAll(this.shown);
    this.held.setAll({
      valuesPerSecond: valuesPerSecond(variables, frame),
      keptBytes: keptBytesOf(frame, variables) + this.wishedBytes,
    });
  }

  private ownText(path: string, generation: BrpCall['generation']): string | undefined {
    const world = worldOf(this.call.source);
    return world.has(this.object, path) ? builtInText(world, this.object, path, generation) : undefined;
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
      const frame = before && (!one.variable || before.shows(one.variable)) ? before : source.frame;
      one.isUnseen = one.variable !== undefined && !frame.shows(one.variable);
      if (!one.isUnseen) one.kept = this.bytesNow(one, frame);
    }
  }

  /** Keeps what a frame is the first to carry. */
  private see(frame: Frame): void {
    for (const one of this.watched) {
      if (!one.isUnseen || (one.variable && !frame.shows(one.variable))) continue;
      one.isUnseen = false;
      // A component that has gone before any frame carried it is one that was there.
      one.kept = this.bytesNow(one, frame) ?? NOTHING;
    }
  }

  private bytesNow({ variable, text }: Watched, frame: Frame): Uint8Array | undefined {
    if (variable) return bytesOf(frame, variable);
    return text === undefined ? undefined : Buffer.from(text);
  }

  override close(): void {
    this.isClosed = true;
    super.close();
  }

  protected lookAt(frame: Frame): void {
    if (this.isMaking) return;
    if (this.hasPointers) this.count(frame);
    this.lease.shows(this.shown, frame);
    this.see(frame);
    if (!this.watched.some((one) => this.isNew(one, frame))) return;
    this.output.offer(() => this.event(this.call.source.frame));
  }

  private textOf({ variable, text }: Watched, frame: Frame, turn?: () => Promise<void>) {
    if (!variable) return text === undefined ? undefined : AnswerText.of(text);
    return this.call.followers.textOf(frame, variable.path, () => textOf(frame, variable, turn));
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

  private isNew({ variable, text, kept }: Watched, frame: Frame): boolean {
    if (variable) {
      if (!frame.shows(variable)) return false;
      return kept === undefined || !hasBytes(frame, variable, kept);
    }
    return text === undefined ? kept !== undefined : kept === undefined || !Buffer.from(text).equals(kept);
  }

  written(object: number, paths: readonly string[], frame: number): void {
    if (object !== this.object.number) return;
    const again = this.watched.filter(({ path, toldFrame }) => paths.includes(path) && toldFrame < frame);
    if (again.length === 0) return;
    for (const one of again) {
      one.kept = undefined;
      one.isUnseen = false;
      if (isBuiltIn(one.path)) one.text = this.ownText(one.path, this.call.generation);
    }
    this.look(this.call.source.frame);
  }

  /** What differs from what the client was told last. */
  private event(frame: Frame): AnswerText | undefined {
    const news = this.watched.filter((one) => this.isNew(one, frame));
    if (news.length === 0 || this.isMaking) return undefined;
    const { turns } = this.call.registry;
    const bytes = news.reduce((sum, { variable }) => sum + (variable ? bytesToCopy(frame, variable) : 0), 0);
    const turn = bytes > LARGE_BYTES ? () => turns.turn(this.account) : undefined;
    const texts = news.map((one) => this.textOf(one, frame, turn));
    for (const one of news) this.tell(one, frame);
    if (areThere(texts)) return this.resultOf(news, texts);
    this.sendLater(news, texts).catch(turns.failed);
    return undefined;
  }

  /** Keeps what the client has been sent. */
  private tell(one: Watched, frame: Frame): void {
    const { variable } = one;
    const { followers } = this.call;
    one.kept = variable
      ? followers.bytesOf(frame, variable.path, () => bytesOf(frame, variable))
      : this.bytesNow(one, frame);
    one.toldFrame = frame.header.number;
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
export class ListWatch extends EntityWatch<SimObject | undefined> {
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

  protected rebind(): void {
    const world = worldOf(this.call.source);
    this.paths = this.object ? world.pathsOf(this.object) : world.paths;
    // The list of all types is the world's own.
    if (this.object) this.held.set('keptBytes', 2 * this.paths.reduce((sum, path) => sum + path.length, 0));
  }

  protected begin(): void {
    if (!this.isInitial) this.known = this.paths;
  }

  protected lookAt(): void {
    if (this.known !== this.paths) this.output.offer(() => this.event());
  }

  private event(): AnswerText | undefined {
    const { added, removed } = differenceOf(this.known, this.paths);
    this.known = this.paths;
    if (added.length + removed.length === 0) return undefined;
    return AnswerText.of(JSON.stringify({ added: added.map(this.spell), removed: removed.map(this.spell) }));
  }
}

const NO_PATHS: readonly string[] = [];

const NOTHING = new Uint8Array();
const UNREAD = new RpcError(
  RpcCode.tooMany,
  'the watch has ended: this client may not have as many bytes that it has not read',
);

const areThere = (texts: readonly (Text | Promise<AnswerText>)[]): texts is readonly Text[] =>
  !texts.some((text) => text instanceof Promise);
