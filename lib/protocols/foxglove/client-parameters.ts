// A client's parameters: the variables that may be written, by their paths; read, set, and told when they change.
import type { Frame } from '../../model/frame/reader.js';
import { isCharacters, NUMBER_FACTS, type Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { lateFrames, MessageReader } from '../../serving/session/message-reader.js';
import { Reference } from '../../serving/session/reference.js';
import type { Source } from '../../source/source.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { toJson } from '../json-rpc/json-value.js';
import type { SetParameter } from './messages.js';
import type { ClientParts } from './parts.js';

/** A client lists all parameters; more are not told. */
const MOST_PARAMETERS = 5000;
/** A list with more elements is no parameter: it would be sent whole with each change. */
const LONGEST_LIST = 1000;
/** Looking at so many variables takes less than a millisecond. */
const LOOKED_AT_ONCE = 256;
/** How often they are compared, in milliseconds of simulation time. */
const CYCLE_MILLIS = 100;

interface Parameter {
  readonly name: string;
  readonly value?: unknown;
  readonly type?: 'float64' | 'float64_array';
}

export class ClientParameters {
  private followed = new Set<string>();
  private stop = (): void => undefined;

  constructor(
    private readonly parts: ClientParts,
    private readonly context: CallContext,
    private readonly call: (method: string, params: object) => Promise<unknown>,
  ) {}

  /** The message with these, or all; those that are not there are left out. */
  async get(names: readonly string[], id: string | undefined): Promise<string> {
    return parameterValues(await this.values(await this.namesOf(names)), id);
  }

  /** Sets all or none; the message with what they are now, if there is an id. */
  async set(parameters: readonly SetParameter[], id: string | undefined): Promise<string | undefined> {
    const unset = parameters.find(({ value }) => value === undefined || value === null);
    if (unset) throw new Error(`${unset.name} is a variable of the simulation and cannot be unset`);
    const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
    await this.call('var/set', { values, wait: true });
    return id === undefined ? undefined : this.get(Object.keys(values), id);
  }

  async follow(names: readonly string[]): Promise<void> {
    for (const name of await this.namesOf(names)) this.followed.add(name);
    this.restart();
  }

  async unfollow(names: readonly string[]): Promise<void> {
    for (const name of names.length === 0 ? [...this.followed] : names) this.followed.delete(name);
    this.restart();
  }

  /** Throws an OverBoundError, and follows nothing then. */
  private restart(): void {
    this.close();
    const { registry, table } = this.parts;
    const { account, outbound } = this.context.session;
    const { source } = registry;
    const references = [...this.followed].flatMap((name) =>
      source.catalog.find(name) ? new Reference(source, name) : [],
    );
    if (references.length === 0) return;
    try {
      const subscription = table.create({ account, references, cycleMillis: CYCLE_MILLIS, deadBands: 0 });
      const late = lateFrames(subscription, registry);
      table.attach(
        subscription,
        new MessageReader(outbound, new Changes(references, source.frame), () => undefined, late),
      );
      this.stop = () => table.remove(subscription);
    } catch (error) {
      this.followed = new Set();
      throw error;
    }
  }

  close(): void {
    this.stop();
    this.stop = () => undefined;
  }

  private async namesOf(names: readonly string[]): Promise<readonly string[]> {
    return names.length > 0
      ? names.slice(0, MOST_PARAMETERS)
      : namesOfAll(this.parts.registry.source, this.context.turn);
  }

  private async values(names: readonly string[]): Promise<readonly Parameter[]> {
    if (names.length === 0) return [];
    const { catalog } = this.parts.registry.source;
    const { values } = (await this.call('var/get', { aliases: names, lenient: true })) as { values: object };
    return Object.entries(values).map(([name, value]) => parameterOf(name, value, catalog.find(name)));
  }
}

async function namesOfAll({ catalog, abilities }: Source, turn: () => Promise<void>): Promise<readonly string[]> {
  const names: string[] = [];
  let looked = 0;
  if (!abilities.write) return names;
  for (const { access, type, path } of catalog.variables()) {
    if (looked++ % LOOKED_AT_ONCE === 0) await turn();
    if (access === 'read-write' && isShort(type) && names.push(path) === MOST_PARAMETERS) break;
  }
  return names;
}

function isShort(type: Type): boolean {
  if (type.kind === 'array' && !isCharacters(type)) return type.length <= LONGEST_LIST && isShort(type.element);
  return type.kind !== 'struct' && type.kind !== 'sequence' && type.kind !== 'pointer';
}

/** Without a kind when some of it is text: null, which messages have for NaN, would be a parameter that is not set. */
function parameterOf(name: string, value: unknown, variable: Variable | undefined): Parameter {
  const isAllNumbers = [value].flat().every((one) => typeof one === 'number');
  const kind = isAllNumbers && variable ? kindOf(variable.type) : undefined;
  // What cannot be reached has no value, as a parameter that is not set.
  return { name, ...(value !== null && { value }), ...(kind && { type: kind }) };
}

function kindOf(type: Type): Parameter['type'] {
  if (isCharacters(type)) return undefined;
  if (type.kind === 'array') return kindOf(type.element) === 'float64' ? 'float64_array' : undefined;
  return type.kind === 'number' && NUMBER_FACTS[type.name].family === 'floating' ? 'float64' : undefined;
}

const parameterValues = (parameters: readonly Parameter[], id?: string): string =>
  JSON.stringify({ op: 'parameterValues', parameters, ...(id !== undefined && { id }) });

/** Messages with those whose values have changed since the message before. */
class Changes implements Delivery {
  readonly kind = 'text';
  private readonly sent: string[];

  /** @param frame its values are known to the client. */
  constructor(
    private readonly references: readonly Reference[],
    frame: Frame,
  ) {
    this.sent = references.map((reference) => textIn(reference, frame));
  }

  message(frame: Frame): Uint8Array {
    const changed = this.references.flatMap((reference, index) => {
      const text = textIn(reference, frame);
      if (text === this.sent[index]) return [];
      this.sent[index] = text;
      return [parameterOf(reference.alias, JSON.parse(text), reference.current)];
    });
    return Buffer.from(changed.length === 0 ? '' : parameterValues(changed));
  }

  withDropped(message: Uint8Array): Uint8Array {
    return message;
  }

  release(): void {
    // Nothing is shared.
  }
}

const textIn = (reference: Reference, frame: Frame): string =>
  JSON.stringify(reference.isCarriedBy(frame) ? toJson(reference.read(frame)) : null);
