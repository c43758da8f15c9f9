// Components and objects to make, from Bevy's type paths and values.

import { AssignmentError } from '../../model/state/assign.js';
import type { SimObject } from '../../model/state/catalog.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { hidesWord } from '../../model/state/reserved-names.js';
import type { Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { NewComponent, Write } from '../../source/source.js';
import type { JsonValue } from '../json-rpc/json-value.js';
import { beginningOf, invalidValue, unknownComponent } from './brp-error.js';
import { CHILD_OF, CHILDREN, NAME } from './built-in.js';
import { variableOf } from './component.js';
import { readEntity } from './entity.js';
import { LONGEST_GIVEN_NAME, objectNameOf } from './names.js';
import type { BrpCall } from './operation.js';
import { fromBrp } from './value.js';
import { namesOf, type World } from './world.js';

/** The value in the form that the simulation takes. Throws an RpcError in Bevy's words when it does not fit. */
function fitted(asked: string, type: Type, value: JsonValue): Value {
  try {
    return fromBrp(type, value, asked);
  } catch (error) {
    // A number such as 1e400 is an AssignmentError.
    if (error instanceof MisfitError || error instanceof AssignmentError) throw invalidValue(asked, error.message);
    throw error;
  }
}

/** A component of a registered type. Throws an RpcError. @param taken aliases that the object has. */
export function newComponent(
  world: World,
  asked: string,
  path: string,
  value: JsonValue,
  taken: ReadonlySet<string>,
): NewComponent {
  const registered = world.type(path)?.registered;
  if (!registered?.isSpawnable) throw invalidValue(asked, 'only the simulation makes components of this type');
  const initial = fitted(asked, registered.type, value);
  return { alias: freeName(snakeOf(path), (name) => taken.has(name)), type: registered.name, initial };
}

/** `server::AngularRate` becomes `angular_rate`. */
export function snakeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('::') + (path.includes('::') ? 2 : 0));
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase();
  return /^[a-z_]/.test(snake) ? snake : `_${snake}`;
}

/** So many numbers are tried for a name before one that was never used. */
const MOST_TRIED = 100;
/** The number of the latest object that was named by a number of its own. */
let lastNumber = 0;

/** `wanted`, or with a number behind it. Clients may give thousands of entities one name: few names are looked up. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  // A name that begins with two of these belongs to the language.
  const stem = wanted === '_' ? '' : wanted;
  for (let number = 2; number <= MOST_TRIED; number++) if (!isTaken(`${stem}_${number}`)) return `${stem}_${number}`;
  return numbered(stem, isTaken);
}

/** A name with a number that no name was given before. */
function numbered(wanted: string, isTaken: (name: string) => boolean): string {
  do lastNumber++;
  while (isTaken(`${wanted}_${lastNumber}`));
  return `${wanted}_${lastNumber}`;
}

/** The object that a ChildOf value names. Throws an RpcError. */
function parentIn(call: BrpCall, world: World, value: JsonValue): SimObject {
  const object = world.object(readEntity(value, call.generation)?.objectNumber);
  if (!object) throw invalidValue(CHILD_OF, `there is no entity ${beginningOf(value)}`);
  return object;
}

export type Values = Readonly<Record<string, JsonValue>>;

/** What given components make of an entity. */
interface Plan {
  readonly added: readonly NewComponent[];
  /** Of components that are there. */
  readonly writes: readonly Write[];
  /** Type paths of components that are there and get a value. */
  readonly written: readonly string[];
  readonly parent: string | undefined;
  /** Its Name, if it is given one. */
  readonly name: string | undefined;
}

/**
 * Throws an RpcError.
 * @param object undefined for one that is to be made.
 */
export function planned(call: BrpCall, world: World, components: Values, object?: SimObject): Plan {
  const added: NewComponent[] = [];
  const writes: Write[] = [];
  const written: string[] = [];
  let name: string | undefined;
  let parent: string | undefined;
  const taken = new Set(object?.type.members.map((member) => member.name));
  for (const [asked, value] of Object.entries(components)) {
    const path = knownPath(world, asked);
    const present = object && world.componentsOf(object).get(path);
    if (present || path === NAME) written.push(path);
    if (present) writes.push(prepare(call, asked, variableOf(present), value));
    else if (path === NAME) name = nameIn(asked, value);
    else if (path === CHILD_OF) parent = parentIn(call, world, value).name;
    else if (path === CHILDREN) throw invalidValue(asked, 'give the children ChildOf instead');
    else {
      const component = newComponent(world, asked, path, value, taken);
      taken.add(component.alias);
      added.push(component);
    }
  }
  return { added, writes, written, parent, name };
}

/** The type path that a name means. Throws an RpcError. */
export function knownPath(world: World, asked: string): string {
  const path = world.resolve(asked);
  if (path === undefined) throw unknownComponent(asked);
  return path;
}

/** Throws an RpcError in Bevy's words for a value that does not fit. */
export const prepare = (call: BrpCall, asked: string, { path, type }: Variable, value: JsonValue): Write =>
  call.session.prepareWrite(path, fitted(asked, type, value));

/** Makes an entity, whose object gets a name that no other has or is about to get. Throws an RpcError. */
export async function spawnPlanned(
  call: BrpCall,
  { added, parent, name }: Plan,
): Promise<Pick<SimObject, 'number' | 'name'>> {
  const { catalog } = call.source;
  const { underway } = namesOf(call.source);
  const isTaken = (one: string): boolean => underway.has(one) || catalog.hasName(one) || hidesWord(one);
  const object = name === undefined ? numbered('entity', isTaken) : freeName(objectNameOf(name), isTaken);
  if (name !== undefined) requireRoom(call, name, object);
  underway.add(object);
  try {
    const { value } = await call.session.submit({
      kind: 'spawn',
      object,
      ...(parent !== undefined && { parent }),
      components: added,
    });
    return { number: Number(value), name: object };
  } finally {
    underway.delete(object);
  }
}

/** The text of a Name. Throws an RpcError. */
function nameIn(asked: string, value: JsonValue): string {
  if (typeof value !== 'string') throw invalidValue(asked, `invalid type: expected a string`);
  if (value.length > LONGEST_GIVEN_NAME)
    throw invalidValue(asked, `a name has at most ${LONGEST_GIVEN_NAME} characters`);
  return value;
}

/** Throws an RpcError when a client may give no more names; an object's own name is none. */
export function requireRoom({ session, source }: BrpCall, text: string, object: string): void {
  if (text === object || session.client === 'operator') return;
  try {
    namesOf(source).requireRoom(source.catalog, session.client);
  } catch (error) {
    throw invalidValue(NAME, (error as Error).message);
  }
}
