// The variables that a client has added, and the messages with their values.
import type { Frame } from '../../model/frame/reader.js';
import { formatDouble, formatFloat } from '../../model/state/number-text.js';
import { sizeOf } from '../../model/state/type.js';
import { Held } from '../../serving/scheduling/held.js';
import { lateFrames } from '../../serving/session/message-reader.js';
import { PacedReader } from '../../serving/session/paced-reader.js';
import { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { SharedFeed } from '../../serving/session/shared-feed.js';
import type { Subscription } from '../../serving/session/subscription.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { Source } from '../../source/source.js';
import { TakenValues, type ValueStyle } from '../json-rpc/taken-values.js';
import { valuesMessage } from './messages.js';
import { Pace } from './pace.js';

/** So that a message is made in a fraction of a millisecond. */
const MOST_VARIABLES = 1000;
const MOST_BYTES = 256 * 1024;

const ERROR = '"Error"';

/** A variable of the list: without a reference it shows an error. */
interface Entry {
  readonly name: string;
  readonly reference?: Reference;
}

export interface ListParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
}

export class ValueList {
  private readonly entries: Entry[] = [];
  private readonly held: Held;
  private readonly pace: Pace;
  private isPaused = true;
  private bytes = 0;
  private subscription: Subscription | undefined;
  private isChanging = false;

  /** @param refused gets a sentence when cyclic messages would be too many. */
  constructor(
    private readonly parts: ListParts,
    private readonly session: Session,
    private readonly refused: (sentence: string) => void,
  ) {
    this.held = new Held(session.account);
    this.pace = new Pace(parts.registry.source.frame.header);
  }

  get references(): readonly Reference[] {
    return this.entries.flatMap(({ reference }) => (reference ? [reference] : []));
  }

  *names(): Generator<string> {
    for (const { name } of this.entries) yield name;
  }

  /**
   * Adds a variable at the end. Throws an Error with the text for the client: one that cannot be shown stays in the list, and
   * one for which there is no room does not. An array shows its first element.
   */
  add(name: string): void {
    const found = elementOf(this.parts.registry.source, name);
    const reference = 'reference' in found ? found.reference : undefined;
    const bytes = this.bytes + 2 * name.length + (reference?.current ? sizeOf(reference.current.type) : 0);
    if (this.entries.length >= MOST_VARIABLES || bytes > MOST_BYTES)
      throw new Error(`var_add: a list has at most ${MOST_VARIABLES} variables and ${MOST_BYTES} bytes\n`);
    this.held.set('keptBytes', bytes);
    this.bytes = bytes;
    this.entries.push({ name, ...(reference && { reference }) });
    this.changed();
    if ('problem' in found) throw new Error(found.problem);
  }

  /** The units of a variable of the list; undefined for one that is not in it. */
  unitsOf(name: string): string | undefined {
    const entry = this.entries.find((one) => one.name === name);
    return entry && (entry.reference?.current?.units || '--');
  }

  clear(): void {
    this.entries.length = 0;
    this.bytes = 0;
    this.held.release();
    this.changed();
  }

  setPeriod(millis: number): void {
    this.pace.set(millis, this.parts.registry.source.frame.header);
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.changed();
  }

  /** The values of a frame that shows them. */
  message(frame: Frame): Uint8Array {
    return encoded(this.entries, frame);
  }

  /** Cyclic messages begin anew, once for all that is asked in a row. */
  private changed(): void {
    if (this.subscription) this.parts.table.remove(this.subscription);
    this.subscription = undefined;
    if (this.isPaused || this.isChanging) return;
    this.isChanging = true;
    void this.parts.registry.turns.begin(this.session.account, () => {
      this.isChanging = false;
      if (!this.isPaused && !this.session.account.isClosed) this.follow();
    });
  }

  private follow(): void {
    const { registry, table } = this.parts;
    const { account, outbound } = this.session;
    try {
      const subscription = table.create({ account, references: this.references, cycleMillis: 0 });
      this.subscription = subscription;
      const delivery = new ListDelivery(registry, [...this.entries]);
      const late = lateFrames(subscription, registry);
      table.attach(subscription, new PacedReader(this.pace, outbound, delivery, () => undefined, late));
    } catch (error) {
      this.refused(`${(error as Error).message}\n`);
    }
  }

  close(): void {
    this.isPaused = true;
    this.changed();
    this.held.release();
  }
}

/** Equal lists share their messages. */
class ListDelivery {
  readonly kind = 'text';
  readonly feed: SharedFeed;

  constructor(
    private readonly registry: SessionRegistry,
    entries: readonly Entry[],
  ) {
    const key = JSON.stringify(entries.map(({ reference }) => reference?.path ?? null));
    this.feed = registry.feeds.hold(`trick-web|${key}`, () => ({ encode: (frame) => encoded(entries, frame) }));
  }

  message(frame: Frame): Uint8Array {
    return this.feed.message(frame);
  }

  withDropped(message: Uint8Array): Uint8Array {
    return message;
  }

  release(): void {
    this.registry.feeds.release(this.feed);
  }
}

function encoded(entries: readonly Entry[], frame: Frame): Uint8Array {
  const references = entries.flatMap(({ reference }) => (reference ? [reference] : []));
  const taken = new TakenValues(references, frame, STYLE).take();
  let index = 0;
  const values = entries.map(({ reference }) => (reference ? shown(taken.singleTextOf(index++)) : ERROR));
  return Buffer.from(valuesMessage(frame.timeSeconds, values));
}

/** What has gone, or lies behind a null pointer. */
const shown = (text: string): string => (text === 'null' ? ERROR : text);

type Found = { readonly reference: Reference } | { readonly problem: string };

/** The variable of a name, or the first element of an array. Trick: VariableServerVariable */
function elementOf(source: Source, name: string): Found {
  const variable = source.catalog.find(name);
  if (!variable || variable.access === 'write-only')
    return { problem: `Variable Server could not find variable ${name}.\n` };
  let { path, type } = variable;
  while ((type.kind === 'array' && !type.isContainer) || type.kind === 'pointer') {
    path += '[0]';
    type = type.kind === 'pointer' ? type.target : type.element;
  }
  const cannot = `Variable Server: var_add cant add "${name}" because its`;
  if (type.kind === 'sequence' || type.kind === 'array') return { problem: `${cannot} an STL variable.\n` };
  if (type.kind === 'struct') return { problem: `${cannot} a composite variable.\n` };
  return { reference: new Reference(source, path) };
}

/** Trick: operator<< of VariableServerVariable; a text where that is no JSON. */
const STYLE: ValueStyle = {
  single(type, value) {
    if (type.kind === 'bits') return ERROR;
    if (type.kind !== 'number') return type.kind === 'enumeration' ? `${value}` : JSON.stringify(value ?? '');
    if (type.name === 'bool') return value ? '"true"' : '"false"';
    if (type.name === 'char') return JSON.stringify(character(Number(value)));
    if (type.name === 'float') return real(Number(value), formatFloat);
    return type.name === 'double' ? real(Number(value), formatDouble) : `${value}`;
  },
  formOf: () => 'object',
  shows: () => true,
};

const real = (value: number, format: (value: number) => string): string => {
  if (Number.isFinite(value)) return format(value);
  return Number.isNaN(value) ? '"NAN"' : `"${format(value)}"`;
};

const character = (code: number): string =>
  code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : `\\x${(code & 0xff).toString(16).padStart(2, '0')}`;
