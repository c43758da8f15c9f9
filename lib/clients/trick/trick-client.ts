// The client of a Trick variable server: get, set, subscribe, control. Works with NASA Trick and with varwire alike.
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import { systemClock } from './clock.js';
import type { ConnectOptions, Description, LabelsOption, UnitsOption } from './connect-options.js';
import { type CallArgument, type CallResult, SimulationControl } from './control.js';
import { type Labels, ServerDescription, withLabels } from './description.js';
import { farewell } from './farewell.js';
import { type ConnectionState, LastingChannel, type LastingChannelOptions } from './lasting-channel.js';
import { openLink, type Target } from './link.js';
import type { Message } from './message-splitter.js';
import type { Held, Labelled, Name, Settable, Subscribed, ValuesOf, VariablesOf } from './named-variables.js';
import { quote } from './python-literal.js';
import { askBinary, checkName, type Form, formCommand } from './questions.js';
import { Reading } from './reading.js';
import { greeting } from './session-set-up.js';
import { type OneOfMany, Setter } from './setter.js';
import { existsOf, Shapes } from './shapes.js';
import type { Measured, SettableValue, Variables } from './value.js';
import type { VariableDetails } from './variable-details.js';
import { conditionOf, firstUpdate, type Holds, type WaitOptions } from './wait.js';
import { type SubscribeOptions, type Update, Watch } from './watch.js';

export type { ConnectOptions, Description, LabelsOption, UnitsOption } from './connect-options.js';

const DEFAULT_TIMEOUT_MILLIS = 5000;

/**
 * A client of a Trick variable server.
 * @template D what a program knows of the variables: `{ 'ball.x': number }`, a type that `varwire types` wrote, or the type of
 * the simulation itself, `typeof simulation`. Without it all names are free.
 */
export class TrickClient<D extends object = Variables, V = VariablesOf<D>> {
  private readonly subscriptions = new Map<Watch, { readonly close: () => void }>();
  private readonly shapes = new Shapes();
  private readonly description = new ServerDescription(() => this.askDescription());
  private readonly control: SimulationControl;
  private readonly reading: Reading;
  private readonly setter: Setter;
  private channel: LastingChannel | undefined;
  /** Over UDP, the subscription that has the session's list. */
  private sharing: Watch | undefined;

  private constructor(
    private readonly options: Required<
      Pick<ConnectOptions, 'form' | 'reconnect' | 'timeoutMillis' | 'clock' | 'openLink'>
    > &
      ConnectOptions,
    private readonly target: Target,
  ) {
    this.reading = new Reading({
      form: options.form,
      shapes: this.shapes,
      channel: () => this.currentChannel(),
      resting: () => this.resting,
      isListTaken: () => this.sharing !== undefined,
      details: (names) => this.description.details(names),
    });
    this.control = new SimulationControl({
      channel: () => this.currentChannel(),
      read: (names) => this.get(names as readonly Name<V>[]),
      clock: options.clock,
      timeoutMillis: options.timeoutMillis,
    });
    this.setter = new Setter({
      reading: this.reading,
      channel: () => this.currentChannel(),
      resting: () => this.resting,
      exists: (name) => this.exists(name as Name<V>),
      hear: (channel) => this.control.hear(channel),
      isListTaken: () => this.sharing !== undefined,
    });
  }

  /** Rejects with a ConnectionLostError when nobody listens there, or a ReplyTimeoutError when nobody answers. */
  static async connect<D extends object = Variables>(options: ConnectOptions): Promise<TrickClient<D>> {
    const { host = '127.0.0.1', port, transport = 'tcp', tls } = options;
    if (tls && transport === 'udp') throw new TypeError('there is no TLS over UDP');
    const usual = {
      form: 'binary',
      reconnect: false,
      timeoutMillis: DEFAULT_TIMEOUT_MILLIS,
      clock: systemClock,
      openLink,
    } as const;
    const client = new TrickClient<D>({ ...usual, ...options }, { host, port, transport, ...(tls && { tls }) });
    const greet = async (channel: Channel): Promise<void> => {
      await client.greet(channel);
      await client.share(channel);
    };
    client.channel = await LastingChannel.open(
      client.channelOptions(greet, (...state) => client.changeState(...state)),
    );
    return client;
  }

  /** Rejects with a BadReferenceError for names without a variable, or a UnitsError for units that do not convert. */
  get<N extends Name<V>>(name: N): Promise<V[N]>;
  get<N extends Name<V>>(name: N, options: LabelsOption): Promise<Labelled<V[N]>>;
  get<N extends Name<V>>(name: N, options: UnitsOption): Promise<Measured<Held<V[N]>>>;
  get<const N extends readonly Name<V>[]>(names: N): Promise<{ readonly [I in keyof N]: V[N[I]] }>;
  get<const N extends readonly Name<V>[]>(
    names: N,
    options: LabelsOption,
  ): Promise<{ readonly [I in keyof N]: Labelled<V[N[I]]> }>;
  get<const N extends readonly Name<V>[]>(
    names: N,
    options: UnitsOption,
  ): Promise<{ readonly [I in keyof N]: Measured<Held<V[N[I]]>> }>;
  async get(asked: string | readonly string[], options: Partial<UnitsOption & LabelsOption> = {}): Promise<unknown> {
    const names = (typeof asked === 'string' ? [asked] : asked).map(checkName);
    const measured = await this.reading.values(names, options.units);
    const labels = options.labels ? await this.labels(names as Name<V>[]) : undefined;
    const values = measured.map(({ value }, index) => withLabels(value, labels?.get(names[index] as string)));
    const results = options.units === undefined ? values : measured;
    return typeof asked === 'string' ? results[0] : results;
  }

  /**
   * Resolves when the server has taken the value; the variable is read before and after, because Trick does not tell.
   * The result is the errors that the server has printed, if the session has asked for them (Trick:
   * var_set_send_stdio), otherwise empty text. A value of a kind that the variable cannot hold is not sent, because it
   * can end a Trick simulation. A flat list may set an array of several dimensions. Rejects with a BadReferenceError, a
   * ValueTypeError or a SetRefusedError.
   */
  async set<N extends Name<V>>(name: N, value: Settable<V[N]>, units?: string): Promise<string> {
    return this.setter.one(checkName(name), value as SettableValue, units);
  }

  /**
   * Sets many variables, each once, in a few questions. Resolves to why one was not set, as `set` rejects, in their order;
   * undefined for those that were.
   */
  setMany(settings: readonly OneOfMany[]): Promise<readonly (Error | undefined)[]> {
    return this.setter.many(settings.map(({ name, value }) => ({ name: checkName(name), value })));
  }

  /** Structures exist too, though they have no value. Trick: var_exists */
  async exists(name: Name<V>): Promise<boolean> {
    const channel = await this.currentChannel();
    const replies = await channel.ask(`trick.var_exists(${quote(checkName(name))})\n`);
    return replies.flatMap(existsOf)[0] ?? false;
  }

  /** What the variables are, in the order of the names. Rejects with a BadReferenceError or a ValueTooLargeError. */
  describe(names: readonly Name<V>[]): Promise<Description[]> {
    return this.reading.described(names.map(checkName));
  }

  /**
   * What the server's description tells about variables and structures: units, labels, members. Undefined for names
   * that it does not have, and where the server has no description.
   */
  details(names: readonly Name<V>[]): Promise<(VariableDetails | undefined)[]> {
    return this.description.details(names.map(checkName));
  }

  /**
   * The labels of those variables that are enumerations, by name and number. NASA's Trick describes the enumerations of the
   * simulation, not its own. The description is asked for only if there is an enumeration among them.
   */
  async labels(names: readonly Name<V>[]): Promise<ReadonlyMap<string, Labels>> {
    const checked = names.map(checkName);
    const decoded = await this.decode(await this.currentChannel(), checked);
    const kinds = (name: string) =>
      decoded.get(name)?.value === undefined || decoded.get(name)?.type.kind === 'enumeration';
    return this.description.labels(checked.filter(kinds));
  }

  /** Which of the names have a value now, `inOneMessage`: one that a binary message holds. Structures, whole containers and null pointers have none. */
  async readable(names: readonly Name<V>[], { inOneMessage = false } = {}): Promise<Set<Name<V>>> {
    const checked = names.map(checkName) as Name<V>[];
    const decoded = await this.decode(await this.currentChannel(), checked);
    // A value that is too large for a message is left out of it.
    const hasValue = (name: Name<V>) => (decoded.has(name) ? decoded.get(name)?.value !== undefined : !inOneMessage);
    return new Set(checked.filter(hasValue));
  }

  /**
   * Sends commands as they are, and resolves to their answers once the server has run them. A command that fails ends its
   * block and has no answer; those that cannot fail are answered sooner with `mayFail: false`. The client itself uses
   * `var_send_list_size` to find the last answer; do not send it.
   */
  async send(text: string, { mayFail = true } = {}): Promise<Message[]> {
    const channel = await this.currentChannel();
    const lines = text.endsWith('\n') ? text : `${text}\n`;
    return channel.ask(lines, { mayFail, takesLists: this.sharing === undefined });
  }

  /**
   * Trick's XML description of all types and variables; undefined where the server has none. It is asked for once, because
   * Trick loses a file descriptor each time; with `again` it is asked for anew, for variables that have come since. Trick:
   * send_sie_resource
   */
  sieResource({ again = false } = {}): Promise<string | undefined> {
    if (again) this.description.forget();
    return this.description.text();
  }

  /** A client over UDP asks the TCP port of that number first, because datagrams of a long description are lost. */
  private async askDescription(): Promise<string | undefined> {
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
   * Makes the server send values cyclically, on a connection of its own (with UDP: on this one). Iterate over the
   * result; leaving the loop ends the subscription. Without `reconnect` the loop throws a ConnectionLostError when the
   * connection is lost. Throws a RangeError for options out of range.
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
    const extentsOf = (names: readonly string[]) => this.reading.extentsOf(names);
    const session = { form: this.options.form, shapes: this.shapes, extentsOf };
    const subscription: Watch = new Watch(listed, session, options, () => this.unsubscribe(subscription));
    if (this.target.transport === 'udp') this.shareSession(subscription);
    else this.openOwn(subscription);
    return subscription as unknown as Watch<ValuesOf<V, S>>;
  }

  /**
   * Waits for a condition, such as `ball.position[1] < 2` or `craft.phase == LANDED`, or until `holds` is true for the
   * values of some variables, and resolves to the update that shows it. Rejects with a TypeError for a text that is no
   * condition, with a WaitTimeoutError after `timeoutSeconds`, and with a ConnectionLostError.
   */
  wait(condition: string, options?: WaitOptions): Promise<Update>;
  wait<const S extends readonly Subscribed<V>[]>(
    variables: S,
    holds: (values: ValuesOf<V, S>) => boolean,
    options?: WaitOptions,
  ): Promise<Update<ValuesOf<V, S>>>;
  async wait(asked: string | readonly Subscribed<V>[], ...given: readonly unknown[]): Promise<Update> {
    if (typeof asked !== 'string') return this.waitFor(asked, ...(given as [Holds, WaitOptions?]));
    const { name, holds } = await conditionOf(asked, (names) => this.labels(names as Name<V>[]));
    return this.waitFor([name as Name<V>], ([value]) => holds(value), given[0] as WaitOptions | undefined);
  }

  /** Freezes the simulation; resolves when it is frozen. Rejects with a CommandRefusedError. */
  freeze(): Promise<void> {
    return this.control.freeze();
  }

  /** Lets a frozen simulation run; resolves when it runs. Rejects with a CommandRefusedError. */
  run(): Promise<void> {
    return this.control.run();
  }

  /** Runs so many frames; resolves when the simulation is frozen again. Rejects with a CommandRefusedError. */
  step(frames = 1): Promise<void> {
    return this.control.step(frames);
  }

  /**
   * Calls a function of the simulation, `kick` or `dyn.cannon.fire`, with arguments in order or by name. Rejects with a
   * CommandRefusedError that has the simulation's sentence about wrong arguments.
   */
  call(
    name: string,
    given: readonly CallArgument[] | Readonly<Record<string, CallArgument>> = [],
  ): Promise<CallResult> {
    return this.control.call(name, given);
  }

  /** Writes the state to a file of the run directory. Trick reports failures only in its own log. Trick: checkpoint */
  async checkpoint(file: string): Promise<void> {
    await this.control.command(`trick.checkpoint(${quote(file)})`);
  }

  /** Continues from a checkpoint; a simulation that runs is frozen while it loads. Failures as above. Trick: load_checkpoint */
  load(file: string): Promise<void> {
    return this.control.load(file);
  }

  /** Switches all data recording on or off. Trick: dr_enable, dr_disable */
  async record(isOn = true): Promise<void> {
    await this.control.command(isOn ? 'trick.dr_enable()' : 'trick.dr_disable()');
  }

  /** Ends the simulation and the connection, and closes the client. Rejects with a CommandRefusedError. */
  async terminate(): Promise<void> {
    await this.control.terminate();
    this.close();
  }

  /** Ends every subscription and the connection. */
  close(): void {
    for (const subscription of [...this.subscriptions.keys()]) subscription.close();
    this.channel?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  private waitFor<S extends readonly Subscribed<V>[]>(
    variables: S,
    holds: Holds,
    options: WaitOptions = {},
  ): Promise<Update> {
    const subscription = this.subscribe<Subscribed<V>[]>([...variables], options) as unknown as Watch;
    return firstUpdate(subscription, holds, options, this.options.clock);
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
    await channel.ask(greeting(this.options));
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
    // After a lost connection another simulation may be there.
    if (state === 'reconnecting') this.description.forget();
    this.options.onState?.(state, error);
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
      close: () => void opening.then((own) => own.close()).catch(() => undefined),
    });
    opening.catch((error: Error) => subscription.fail(error));
  }

  private shareSession(subscription: Watch): void {
    this.sharing = subscription;
    this.subscriptions.set(subscription, {
      close: () => {
        this.sharing = undefined;
        this.currentChannel()
          .then((channel) => channel.tell(farewell(this.target) + formCommand(this.resting)))
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
