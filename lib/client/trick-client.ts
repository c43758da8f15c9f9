// The client of a Trick variable server: get, set, subscribe. Works with NASA Trick and with varwire alike.
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import { type Clock, systemClock } from './clock.js';
import { BadReferenceError, UnitsError, ValueTooLargeError } from './errors.js';
import { type ConnectionState, LastingChannel, type LastingChannelOptions } from './lasting-channel.js';
import { type OpenLink, openLink, type Target } from './link.js';
import { fieldTypeOf } from './list-assembler.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import { askAscii, askBinary, askInUnits, checkName, type Form, formCommand } from './questions.js';
import { type Setting, setVariable } from './set-variable.js';
import { listVariables, parseSieResource } from './sie-resource.js';
import { TRICK_NONE, type TrickType } from './trick-type.js';
import type { Measured, SettableValue, TrickValue, Variables } from './value.js';
import { type SubscribeOptions, Watch } from './watch.js';

export interface ConnectOptions {
  /** 127.0.0.1 when not given. */
  readonly host?: string;
  readonly port: number;
  /** `udp` shares the one session of the port with whoever else uses it, and takes one subscription at a time. */
  readonly transport?: 'tcp' | 'udp';
  /** The name of the session in lists of connections. Trick: var_set_client_tag */
  readonly tag?: string;
  /** `binary` (default) gives exact values of known types; `ascii` gives 16 digits, and guesses types from the text. */
  readonly form?: Form;
  /** Connects again when the connection is lost, with growing pauses, and subscribes again. */
  readonly reconnect?: boolean;
  /** How long an answer may take (5000). */
  readonly timeoutMillis?: number;
  readonly onState?: (state: ConnectionState, error?: Error) => void;
  /** For tests. */
  readonly clock?: Clock;
  /** For tests. */
  readonly openLink?: OpenLink;
}

export interface UnitsOption {
  /** UDUNITS text; `xx` stands for the variable's own units. */
  readonly units: string;
}

/** What a variable is. */
export interface Description {
  readonly name: string;
  readonly type: TrickType;
  /** 1 for a scalar or a text. */
  readonly elements: number;
}

type Name<V extends Variables> = keyof V & string;
type Subscribed<V extends Variables> = Name<V> | { readonly name: Name<V>; readonly units?: string };
type NameIn<S> = S extends { readonly name: infer N } ? N : S;
type ValuesOf<V extends Variables, S extends readonly unknown[]> = {
  readonly [I in keyof S]: V[NameIn<S[I]> & keyof V] | undefined;
};

const DEFAULT_TIMEOUT_MILLIS = 5000;
/** Trick reads its socket once a cycle, paused or not. */
const PAUSED_CYCLE_SECONDS = 0.01;
const OWN_UNITS = 'xx';

/** @template V names and types of the variables a program uses: `TrickClient.connect<{ 'ball.x': number }>(...)`. */
export class TrickClient<V extends Variables = Variables> {
  private readonly subscriptions = new Map<Watch, { readonly close: () => void }>();
  private channel: LastingChannel | undefined;
  /** Over UDP, the subscription that has the session's list. */
  private sharing: Watch | undefined;

  private constructor(
    private readonly options: Required<
      Pick<ConnectOptions, 'form' | 'reconnect' | 'timeoutMillis' | 'clock' | 'openLink'>
    > &
      ConnectOptions,
    private readonly target: Target,
  ) {}

  /** @throws ConnectionLostError when nobody listens there, ReplyTimeoutError when it does not answer. */
  static async connect<V extends Variables = Variables>(options: ConnectOptions): Promise<TrickClient<V>> {
    const { host = '127.0.0.1', port, transport = 'tcp' } = options;
    const usual = {
      form: 'binary',
      reconnect: false,
      timeoutMillis: DEFAULT_TIMEOUT_MILLIS,
      clock: systemClock,
      openLink,
    } as const;
    const client = new TrickClient<V>({ ...usual, ...options }, { host, port, transport });
    const greet = async (channel: Channel): Promise<void> => {
      await client.greet(channel);
      await client.share(channel);
    };
    client.channel = await LastingChannel.open(
      client.channelOptions(greet, (...state) => client.changeState(...state)),
    );
    return client;
  }

  /** @throws BadReferenceError for names that stand for no variable, UnitsError where a value cannot be in the units. */
  get<N extends Name<V>>(name: N): Promise<V[N]>;
  get<N extends Name<V>>(name: N, options: UnitsOption): Promise<Measured<V[N]>>;
  get<const N extends readonly Name<V>[]>(names: N): Promise<{ readonly [I in keyof N]: V[N[I]] }>;
  get<const N extends readonly Name<V>[]>(
    names: N,
    options: UnitsOption,
  ): Promise<{ readonly [I in keyof N]: Measured<V[N[I]]> }>;
  async get(asked: string | readonly string[], options?: UnitsOption): Promise<unknown> {
    const names = (typeof asked === 'string' ? [asked] : asked).map(checkName);
    const measured = options ? await this.getInUnits(names, options.units) : await this.getPlain(names);
    const results = options ? measured : measured.map(({ value }) => value);
    return typeof asked === 'string' ? results[0] : results;
  }

  /**
   * Resolves when the server has taken the value; the variable is read before and after, since Trick does not tell. What the
   * server has printed of errors is the result, where the session has asked for that (Trick: var_set_send_stdio), else it
   * is empty. A value of a kind that the variable cannot hold is not sent, since it can end a Trick simulation.
   * A flat list may set an array of several dimensions.
   * @throws BadReferenceError, ValueTypeError, SetRefusedError
   */
  async set<N extends Name<V>>(name: N, value: V[N] | SettableValue, units?: string): Promise<string> {
    const checked = checkName(name);
    const channel = await this.currentChannel();
    const current = (await this.decode(channel, [checked])).get(checked);
    const isUnreadable = current === undefined || current.type.code === TRICK_NONE;
    if (isUnreadable && !(await this.exists(checked))) throw new BadReferenceError([checked]);
    const setting: Setting = {
      name: checked,
      units,
      current: isUnreadable ? undefined : current,
      ask: (text, options) => channel.ask(text, options),
      read: () => this.readAgain(checked, units),
      dimensions: () => this.dimensionsOf(checked),
    };
    return setVariable(setting, value);
  }

  /** Structures exist too, though they have no value. Trick: var_exists */
  async exists(name: Name<V>): Promise<boolean> {
    const channel = await this.currentChannel();
    const [reply] = await channel.ask(`trick.var_exists(${quote(checkName(name))})\n`);
    if (reply?.kind === 'line') return reply.text === '1';
    return reply?.kind === 'binary' && reply.indicator === MessageIndicator.exists && reply.bytes[4] === 1;
  }

  /** What the variables are, in the order of the names. @throws BadReferenceError, ValueTooLargeError */
  async describe(names: readonly Name<V>[]): Promise<Description[]> {
    const checked = names.map(checkName);
    const decoded = known(checked, await this.decode(await this.currentChannel(), checked));
    return decoded.map(({ name, type, elements }) => ({ name, type, elements }));
  }

  /** Which of the names have a value now: structures, whole containers and null pointers have none. */
  async readable(names: readonly Name<V>[]): Promise<Set<Name<V>>> {
    const checked = names.map(checkName) as Name<V>[];
    const decoded = await this.decode(await this.currentChannel(), checked);
    // A value that is too large for a message is left out of it.
    return new Set(checked.filter((name) => !decoded.has(name) || decoded.get(name)?.value !== undefined));
  }

  /**
   * Sends commands as they are, and resolves to their answers once the server has run them. A command that fails ends its
   * block and has no answer. The client itself uses `var_send_list_size` to find the last answer; do not send it.
   */
  async send(text: string): Promise<Message[]> {
    const channel = await this.currentChannel();
    const lines = text.endsWith('\n') ? text : `${text}\n`;
    return channel.ask(lines, { mayFail: true, takesLists: this.sharing === undefined });
  }

  /**
   * Trick's XML description of all types and variables; undefined where the server has none. A client over UDP asks the TCP
   * port of that number first, because datagrams of a long description are lost. Trick: send_sie_resource
   */
  async sieResource(): Promise<string | undefined> {
    if (this.target.transport === 'udp') {
      const byTcp = await TrickClient.connect({ ...this.options, transport: 'tcp', reconnect: false }).catch(
        () => undefined,
      );
      if (byTcp) return byTcp.sieResource().finally(() => byTcp.close());
    }
    const replies = await this.send('trick.send_sie_resource()');
    const file = replies.find((reply) => reply.kind === 'file');
    return file?.kind === 'file' ? file.bytes?.toString('utf8') : undefined;
  }

  /**
   * Makes the server send values cyclically, on a connection of their own (UDP: on this one). Iterate over the result; leaving
   * the loop ends the subscription. Without `reconnect` the loop throws ConnectionLostError when the connection is lost.
   * @throws RangeError for options out of range
   */
  subscribe<const S extends readonly Subscribed<V>[]>(
    variables: S,
    options: SubscribeOptions = {},
  ): Watch<ValuesOf<V, S>> {
    const listed = variables.map((variable) =>
      typeof variable === 'string'
        ? { name: checkName(variable) }
        : { name: checkName(variable.name), units: variable.units },
    );
    if (this.sharing) throw new Error('a UDP session has one list: close the other subscription first, or use TCP');
    const subscription: Watch = new Watch(listed, this.options.form, options, () => this.unsubscribe(subscription));
    if (this.target.transport === 'udp') this.shareSession(subscription);
    else this.openOwn(subscription);
    return subscription as unknown as Watch<ValuesOf<V, S>>;
  }

  /** Ends every subscription and the connection. */
  close(): void {
    for (const subscription of [...this.subscriptions.keys()]) subscription.close();
    this.channel?.close(this.farewell);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** The value in units; undefined where it cannot be read, or not now. */
  private async readAgain(name: string, units: string | undefined): Promise<TrickValue | undefined> {
    if (units === undefined) return (await this.decode(await this.currentChannel(), [name])).get(name)?.value;
    if (this.sharing) return undefined;
    return (await this.getInUnits([name], units))[0]?.value;
  }

  /** The extents of an array, from the server's description; empty when it has none. */
  private async dimensionsOf(name: string): Promise<readonly number[]> {
    const xml = await this.sieResource();
    if (xml === undefined) return [];
    for (const variable of listVariables(parseSieResource(xml), name))
      if (variable.name === name) return variable.dimensions;
    return [];
  }

  private async getPlain(names: readonly string[]): Promise<Measured[]> {
    const channel = await this.currentChannel();
    if (this.options.form === 'ascii') return measured(names, await askAscii(channel, names));
    return known(names, await this.decode(channel, names)).map(({ value }) => ({
      value: value as TrickValue,
      units: undefined,
    }));
  }

  private async getInUnits(names: readonly string[], units: string): Promise<Measured[]> {
    if (this.sharing)
      throw new Error('a UDP session has one list: units can be asked for when its subscription is closed');
    const channel = await this.currentChannel();
    const isBinary = this.options.form === 'binary';
    const decoded = isBinary ? known(names, await this.decode(channel, names)) : undefined;
    const listed = names.map((name, index) => ({ name, units, type: fieldTypeOf(decoded?.[index]) }));
    const fields = measured(names, await askInUnits(channel, listed, this.resting));
    for (const [index, { units: shown }] of fields.entries())
      if (shown === undefined && units !== OWN_UNITS && units !== '--')
        throw new UnitsError(`${names[index]} cannot be shown in ${units}`);
    if (!decoded || units !== OWN_UNITS) return fields;
    // A value in its own units needs no conversion, so the exact binary one is given.
    return fields.map(({ units: own }, index) => ({ value: decoded[index]?.value as TrickValue, units: own }));
  }

  private decode(channel: Channel, names: readonly string[]): Promise<Map<string, Decoded>> {
    return askBinary(channel, names, this.resting);
  }

  /** The form in which the session is left between questions. */
  private get resting(): Form {
    return this.sharing?.sendingForm ?? this.options.form;
  }

  private currentChannel(): Promise<Channel> {
    return (this.channel as LastingChannel).current();
  }

  private async greet(channel: Channel): Promise<void> {
    const { tag, form } = this.options;
    const commands = ['trick.var_pause()\n'];
    if (tag !== undefined) commands.push(`trick.var_set_client_tag(${quote(tag)})\n`);
    commands.push('trick.var_clear()\n', `trick.var_cycle(${PAUSED_CYCLE_SECONDS})\n`, formCommand(form));
    await channel.ask(commands.join(''));
  }

  private channelOptions(
    greet: LastingChannelOptions['greet'],
    onState: LastingChannelOptions['onState'],
  ): LastingChannelOptions {
    const { timeoutMillis, clock, openLink: open, reconnect } = this.options;
    return { target: this.target, timeoutMillis, clock, openLink: open, reconnect, greet, onState };
  }

  private changeState(state: ConnectionState, error?: Error): void {
    if (state === 'closed' && error) this.sharing?.fail(error);
    this.options.onState?.(state, error);
  }

  /**
   * Trick does not notice the end of a session that is paused, empty or binary; it keeps its thread and its socket. Over
   * UDP a session outlives its clients, so the last one stops its cyclic messages.
   */
  private get farewell(): string {
    return this.target.transport === 'udp' ? 'trick.var_pause()\ntrick.var_clear()\n' : 'trick.var_exit()\n';
  }

  private openOwn(subscription: Watch): void {
    const greet = async (channel: Channel): Promise<void> => {
      await this.greet(channel);
      await subscription.begin(channel);
    };
    const onState = (state: ConnectionState, error?: Error): void => {
      if (state === 'closed' && error) subscription.fail(error);
    };
    const opening = LastingChannel.open(this.channelOptions(greet, onState));
    this.subscriptions.set(subscription, {
      close: () => void opening.then((own) => own.close(this.farewell)).catch(() => undefined),
    });
    opening.catch((error: Error) => subscription.fail(error));
  }

  private shareSession(subscription: Watch): void {
    this.sharing = subscription;
    this.subscriptions.set(subscription, {
      close: () => {
        this.sharing = undefined;
        this.currentChannel()
          .then((channel) => channel.tell(this.farewell + formCommand(this.resting)))
          .catch(() => undefined);
      },
    });
    this.currentChannel()
      .then((channel) => this.share(channel))
      .catch((error: Error) => subscription.fail(error));
  }

  private async share(channel: Channel): Promise<void> {
    const { sharing } = this;
    if (!sharing) return;
    await sharing.begin(channel);
    sharing.watchOver(channel, this.options.clock);
  }

  private unsubscribe(subscription: Watch): void {
    this.subscriptions.get(subscription)?.close();
    this.subscriptions.delete(subscription);
  }
}

/** @throws BadReferenceError, ValueTooLargeError */
function known(names: readonly string[], decoded: ReadonlyMap<string, Decoded>): Decoded[] {
  const bad = names.filter((name) => decoded.has(name) && decoded.get(name)?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  const leftOut = names.filter((name) => !decoded.has(name));
  if (leftOut.length > 0) throw new ValueTooLargeError(leftOut);
  return names.map((name) => decoded.get(name) as Decoded);
}

/** @throws BadReferenceError, ValueTooLargeError */
function measured(names: readonly string[], fields: readonly Field[]): Measured[] {
  const cut = names.filter((_, index) => fields[index]?.isCut);
  if (cut.length > 0) throw new ValueTooLargeError(cut);
  const bad = names.filter((_, index) => fields[index]?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  return fields.map(({ value, units }) => ({ value: value as TrickValue, units }));
}
