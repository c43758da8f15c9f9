// One Trick client: its list, format, cadence and output. Trick: VariableServerSession
import { LIMITS } from '../../../model/bounds/limits.js';
import type { Frame } from '../../../model/frame/reader.js';
import type { Catalog } from '../../../model/state/catalog.js';
import { TooManyPointersError } from '../../../model/state/reach.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import { defectText } from '../../../serving/session/defect.js';
import type { Messages } from '../../../serving/session/outbound.js';
import type { Read } from '../../../serving/session/read.js';
import { type Session, tagOf } from '../../../serving/session/session.js';
import type { SharedFeed } from '../../../serving/session/shared-feed.js';
import type { LogLevel } from '../../../source/source.js';
import { awaited, type Run } from '../../python/index.js';
import { encodeList, encodeListJoined, feedKey, listEncoder } from '../wire/list-encoder.js';
import { INITIAL_FORMAT, type ListFormat } from '../wire/list-format.js';
import { type ListIndicator, MESSAGES } from '../wire/messages.js';
import { keptUnits, type TrickReference } from '../wire/reference.js';
import { containerSizeIn, encodeExists, encodeFile, encodeListSize, encodeStlSize, existsIn } from '../wire/replies.js';
import { AskedNames } from './asked-names.js';
import { Cadence } from './cadence.js';
import { DeclaredMemory } from './declared-memory.js';
import { isLong, ListMaker } from './list-maker.js';
import { ListRate } from './list-rate.js';
import { ListSending } from './list-sending.js';
import { keptBytes, ListSize, mostBytes, shownBytes, sumOf, valueCount } from './list-size.js';
import type { NameList } from './name-list.js';
import { releaseAll } from './release.js';
import type { TrickSessionSettings } from './session-settings.js';
import { ShownList } from './shown-list.js';
import { SessionStdio } from './stdio.js';
import { ToldNames } from './told-names.js';

const { each: LONGEST_LIST } = LIMITS.listedVariables;
/** The largest message, roughly, so that formatting it does not keep other sessions waiting. */
const LARGEST_MESSAGE_BYTES = 4 * 1024 * 1024;

export class TrickSession {
  readonly cadence: Cadence;
  readonly stdio: SessionStdio;
  readonly memory: DeclaredMemory;
  debugLevel = 0;
  isValidatingAddresses = false;
  private readonly list: TrickReference[] = [];
  private size = new ListSize();
  private format: ListFormat = INITIAL_FORMAT;
  private readonly rate: ListRate;
  private readonly shown: ShownList;
  private readonly maker: ListMaker;
  private readonly sending: ListSending;
  private feed: SharedFeed | undefined;
  private hasExited = false;
  private isLogged = false;
  private readonly told: ToldNames;

  constructor(private readonly settings: TrickSessionSettings) {
    const { client, registry } = settings;
    client.reading = () => this.listedNames();
    this.memory = new DeclaredMemory(client.account);
    this.stdio = new SessionStdio(
      (message) => this.reply(message),
      settings.printed,
      () => registry.errors.note('exception'),
    );
    this.told = new ToldNames(settings.explain, (sentence) => this.publish(sentence, 'error'));
    const warn = (sentence: string): void => settings.log(sentence, 'warning');
    this.rate = new ListRate(client.account, warn);
    const countCarried = (values: number): void => this.rate.countCarried(values);
    this.maker = new ListMaker(client, registry, settings.isDatagram);
    this.shown = new ShownList(this.list, {
      refused: warn,
      countCarried,
      latest: () => client.source.frame,
      turn: this.turn,
      cycleSeconds: () => this.cadence.readSeconds,
    });
    this.sending = new ListSending(client, registry.turns);
    this.cadence = new Cadence(registry, client.account, {
      isCarriedBy: (frame) => this.shown.isCarriedBy(frame),
      rest: () => this.shown.rest(),
      copy: (frame) => this.copy(frame),
      feed: () => this.feed,
      ...this.sending.events(() => isLong(this.list, this.size.mostBytes)),
      refused: (sentence) => this.stdio.refuse(sentence),
    });
  }

  get client(): Session {
    return this.settings.client;
  }
  /** The latest frame. */
  get frame(): Frame {
    return this.client.source.frame;
  }
  get catalog(): Catalog {
    return this.client.source.catalog;
  }
  /** What its running block reads of a large state, which may have to wait for its turn. */
  get read(): Read {
    return this.maker.read;
  }
  /** Resolves in its turn, for what it computes. */
  get turn(): () => Promise<void> {
    return this.maker.turn;
  }
  get isBinary(): boolean {
    return this.format.form === 'binary';
  }
  get listLength(): number {
    return this.list.length;
  }
  /** The names of its list, one by one, because most frames carry everything, and then no name is read. */
  *listedNames(): Generator<string> {
    for (const { name } of this.list) yield name;
  }
  get isExited(): boolean {
    return this.hasExited;
  }
  get isLogging(): boolean {
    return this.isLogged || this.debugLevel > 0;
  }

  add(name: string, units: string): void {
    if (this.list.length >= LONGEST_LIST) {
      this.settings.log(`a list holds at most ${LONGEST_LIST} variables; ${name} was not added`, 'warning');
      return;
    }
    const reference = this.settings.references.hold(name, units);
    if (this.size.bytes + shownBytes(reference) > LARGEST_MESSAGE_BYTES) {
      this.settings.references.release(reference);
      this.settings.log(`a list shows at most ${LARGEST_MESSAGE_BYTES} bytes; ${name} was not added`, 'warning');
      return;
    }
    const values = valueCount(reference);
    const isKept = this.keep(keptBytes(reference), `${name} was not added`);
    if (!isKept || !this.rate.ask(this.size.values + values, this.cadence.cycleSeconds, `${name} was not added`)) {
      if (isKept) this.client.account.give('keptBytes', keptBytes(reference));
      this.settings.references.release(reference);
      return;
    }
    if (reference.unitsProblem !== undefined) this.settings.log(reference.unitsProblem, 'warning');
    this.told.tell(reference);
    this.list.push(reference);
    this.size.add(reference);
    this.listChanged();
  }

  /** Removes the first variable of that name; returns how many names it has compared. */
  remove(name: string): number {
    const { index, compared } = this.placeOf(name);
    if (index < 0) return compared;
    for (const reference of this.list.splice(index, 1)) {
      this.size.remove(reference);
      this.client.account.give('keptBytes', keptBytes(reference));
      this.settings.references.release(reference);
    }
    this.listChanged();
    return compared;
  }

  private placeOf(name: string): { readonly index: number; readonly compared: number } {
    // Trimmed once, because a client may send a name of many blanks for a list of many names.
    const trimmed = name.trim();
    const index = this.list.findIndex((reference) => reference.name === trimmed);
    return { index, compared: index < 0 ? this.list.length : index + 1 };
  }

  /**
   * Counts what a variable of the list takes on the client's account; false, with a line in the log, when the client
   * holds too much.
   */
  private keep(bytes: number, consequence: string): boolean {
    try {
      this.client.account.take('keptBytes', bytes);
      return true;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.settings.log(`${error.message}; ${consequence}`, 'warning');
      return false;
    }
  }

  /** Changes the units of the first variable of that name; returns how many names it has compared. */
  setUnits(name: string, units: string): number {
    const { index, compared } = this.placeOf(name);
    const reference = this.list[index];
    if (!reference) return compared;
    const room = 2 * keptUnits(units).length;
    if (!this.keep(room, `the units of ${reference.name} stay as they are`)) return compared;
    const exchanged = this.settings.references.exchange(reference, units);
    this.client.account.give('keptBytes', room + keptBytes(reference) - keptBytes(exchanged.reference));
    if (exchanged.unchanged !== undefined && units !== '--') this.settings.log(exchanged.unchanged, 'warning');
    this.list[index] = exchanged.reference;
    this.listChanged();
    return compared;
  }

  clear(): void {
    const bytes = sumOf(this.list, keptBytes);
    void releaseAll(this.list.splice(0), this.settings.references, this.turn);
    this.client.account.give('keptBytes', bytes);
    this.size = new ListSize();
    this.listChanged();
  }

  setCycle(seconds: number): void {
    if (!this.rate.ask(this.size.values, seconds, 'the cycle stays as it is')) return;
    this.shown.changed();
    this.cadence.setCycle(seconds);
  }

  setFormat(change: Partial<ListFormat>): void {
    this.format = { ...this.format, ...change };
    this.dropFeed();
  }

  setTag(tag: string): void {
    this.client.tag = tagOf(tag.replace(/[\r\n]/g, ' '));
  }
  setLog(isLogged: boolean): void {
    this.isLogged = isLogged;
  }

  /** Sends the list now, a long one in turns. An empty list sends nothing. */
  sendList(): Run<void> | undefined {
    if (isLong(this.list, this.size.mostBytes)) return this.sendLongList();
    this.replyAll(this.messagesOf(this.frame));
    this.cadence.listAsked();
    return undefined;
  }

  private *sendLongList(): Run<void> {
    this.replyAll(yield* this.longMessages(MESSAGES.varList.indicator, [...this.list]));
    this.cadence.listAsked();
  }

  /** Sends the values of these names now, many in turns. */
  sendOnce(names: NameList): Run<void> | undefined {
    if (isLong(names)) return this.sendManyOnce(names);
    const asked = [...names].map((name) => this.settings.references.unheld(name));
    if (isLong(names, sumOf(asked, mostBytes))) return this.sendManyOnce(names);
    if (this.fitsMessage(sumOf(asked, shownBytes)))
      this.replyAll(this.encode(MESSAGES.sendOnce.indicator, asked, this.frame));
    for (const reference of asked) this.told.tell(reference);
    return undefined;
  }

  private *sendManyOnce(names: NameList): Run<void> {
    const asked = new AskedNames(this.settings);
    try {
      if (!(yield* awaited(asked.addAll(names, this.turn)))) return;
      yield* awaited(this.told.tellAll(asked.references, this.turn));
      if (this.fitsMessage(asked.messageBytes))
        this.replyAll(yield* this.longMessages(MESSAGES.sendOnce.indicator, asked.references));
    } finally {
      asked.release();
    }
  }

  /** The messages of a list in a frame that shows it; none, with a line in the log, when its pointers lead to too much. */
  private *longMessages(indicator: ListIndicator, references: readonly TrickReference[]): Run<readonly Uint8Array[]> {
    try {
      return yield* this.maker.messages(indicator, references, this.format);
    } catch (error) {
      if (!(error instanceof TooManyPointersError)) throw error;
      this.settings.log(`${error.message}; nothing is sent`, 'warning');
      return [];
    }
  }

  private fitsMessage(bytes: number): boolean {
    if (bytes <= LARGEST_MESSAGE_BYTES) return true;
    this.settings.log(`a message shows at most ${LARGEST_MESSAGE_BYTES} bytes; nothing is sent`, 'warning');
    return false;
  }

  sendExists(name: string): void {
    this.reply(encodeExists(existsIn(name, this.catalog, this.frame.memory), this.format.form));
  }
  sendListSize(length = this.list.length): void {
    this.reply(encodeListSize(length, this.format.form));
  }

  /** Sends how many values there are and, if there are any, the values. Trick: MTV::send_event_data */
  *sendCounted(names: readonly string[]): Run<void> {
    const asked = new AskedNames(this.settings);
    try {
      if (!(yield* awaited(asked.addAll(names, this.turn))) || !this.fitsMessage(asked.messageBytes)) return;
      // What is sent meanwhile must not come between the size and the values.
      const messages = yield* this.longMessages(MESSAGES.varList.indicator, asked.references);
      this.sendListSize(names.length);
      this.replyAll(messages);
    } finally {
      asked.release();
    }
  }
  sendStlSize(name: string): void {
    const size = containerSizeIn(name, this.catalog, this.frame.memory);
    this.reply(encodeStlSize(size, this.format.form));
  }

  get files(): Pick<TrickSessionSettings, 'readFile' | 'isDatagram'> {
    return this.settings;
  }

  sendBytes(bytes: Uint8Array | undefined): void {
    this.replyAll(encodeFile(bytes, this.settings.isDatagram));
  }

  /** Trick: var_exit */
  exit(): void {
    this.hasExited = true;
    this.cadence.close();
    this.settings.close();
  }

  /** Called when the connection has closed. */
  closed(): void {
    this.hasExited = true;
    this.cadence.close();
    this.shown.close();
    this.sending.close();
    this.dropFeed();
    void releaseAll(this.list.splice(0), this.settings.references, this.turn);
    this.client.close();
  }

  /** Says something to the log and to readers of messages. Trick: message_publish */
  publish(text: string, level: LogLevel, isRefusal = level === 'error'): void {
    if (isRefusal) this.settings.registry.errors.note('warning');
    this.settings.publish(text.trimEnd(), level);
  }

  private listChanged(): void {
    this.rate.ask(this.size.values, this.cadence.cycleSeconds, 'the list stays as it is');
    this.shown.changed();
    this.dropFeed();
    this.cadence.listChanged(this.list.length);
  }

  private dropFeed(): void {
    if (this.feed) this.settings.registry.feeds.release(this.feed);
    this.feed = undefined;
  }

  /** Encodes the list, a long one in turns; an error must not reach the timer, which serves all sessions. */
  private copy(frame: Frame): Messages | Promise<Messages | undefined> | undefined {
    if (this.shown.isRefused) return undefined;
    try {
      if (isLong(this.list, this.size.mostBytes)) return this.longMessagesOf(frame);
      // The list may have become short since it was looked at.
      return this.shown.isSettledIn(frame) && !this.shown.isRefused ? this.messagesOf(frame) : undefined;
    } catch (error) {
      return this.failed(error);
    }
  }

  private failed(error: unknown): undefined {
    this.settings.log(defectText(error), 'error');
  }

  /** The list in a frame, made in turns, once for all sessions that hold the same list. */
  private longMessagesOf(frame: Frame): Promise<Messages | undefined> {
    const feed = this.settings.isDatagram ? undefined : this.sharedFeed;
    const making = this.maker.make(feed, frame, MESSAGES.varList.indicator, [...this.list], this.format);
    return making.catch((error: unknown) => this.failed(error));
  }

  /** The list in a frame, encoded once for all sessions that hold the same list. */
  private messagesOf(frame: Frame): Messages | undefined {
    if (this.list.length === 0) return undefined;
    if (this.settings.isDatagram) return this.encode(MESSAGES.varList.indicator, this.list, frame);
    return this.sharedFeed.messageOf(frame, this.shown.isPlainIn(frame));
  }

  private get sharedFeed(): SharedFeed {
    this.feed ??= this.holdFeed();
    return this.feed;
  }

  private holdFeed(): SharedFeed {
    const references = [...this.list];
    const { format } = this;
    return this.settings.registry.feeds.hold(feedKey(references, format), () => ({
      encode: listEncoder(MESSAGES.varList.indicator, references, format),
    }));
  }

  private encode(indicator: ListIndicator, references: readonly TrickReference[], frame: Frame): readonly Uint8Array[] {
    if (this.settings.isDatagram) return encodeList(indicator, references, this.format, frame);
    return references.length === 0 ? [] : [encodeListJoined(indicator, references, this.format, frame)];
  }

  private replyAll(messages: Messages = []): void {
    for (const message of messages instanceof Uint8Array ? [messages] : messages) this.reply(message);
  }

  private reply(message: Uint8Array): void {
    this.client.outbound.reply(message);
  }
}
