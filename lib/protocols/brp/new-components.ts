// Components and objects to make, from Bevy's type paths and values.

import { AssignmentError } from '../../model/state/assign.js';
import type { SimObject } from '../../model/state/catalog.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { hidesWord } from '../../model/state/reserved-names.js';
import type { Type } from '../../model/state/type.js';
import type { NewComponent } from '../../source/source.js';
import type { JsonValue } from '../json-rpc/json-value.js';
import { beginningOf, invalidValue, unknownComponent } from './brp-error.js';
import { CHILD_OF, CHILDREN, NAME } from './built-in.js';
import { readEntity } from './entity.js';
import { LONGEST_GIVEN_NAME, objectNameOf } from './names.js';
import type { BrpCall } from './operation.js';
import { fromBrp } from './value.js';
import { type World, worldOf } from './world.js';

/** The value in the form that the simulation takes. Throws an RpcError in Bevy's words when it does not fit. */
export function fitted(asked: string, type: Type, value: JsonValue): Value {
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
export function parentIn(call: BrpCall, world: World, value: JsonValue): SimObject {
  const object = world.object(readEntity(value, call.generation)?.objectNumber);
  if (!object) throw invalidValue(CHILD_OF, `there is no entity ${beginningOf(value)}`);
  return object;
}

/** What an entity is made of. */
interface SpawnPlan {
  readonly components: readonly NewComponent[];
  readonly parent: string | undefined;
  /** Its Name, if it was given one. */
  readonly name: string | undefined;
}

/** Throws an RpcError. */
export function planSpawn(call: BrpCall, world: World, components: Readonly<Record<string, JsonValue>>): SpawnPlan {
  const added: NewComponent[] = [];
  let name: string | undefined;
  let parent: string | undefined;
  for (const [asked, value] of Object.entries(components)) {
    const path = world.resolve(asked);
    if (path === undefined) throw unknownComponent(asked);
    if (path === NAME) name = nameIn(asked, value);
    else if (path === CHILD_OF) parent = parentIn(call, world, value).name;
    else if (path === CHILDREN) throw invalidValue(asked, 'give the children ChildOf instead');
    else added.push(newComponent(world, asked, path, value, new Set(added.map(({ alias }) => alias))));
  }
  return { components: added, parent, name };
}

/** Makes an entity, whose object gets a name that no other has or is about to get. Throws an RpcError. */
export async function spawnPlanned(
  call: BrpCall,
  { components, parent, name }: SpawnPlan,
): Promise<Pick<SimObject, 'number' | 'name'>> {
  const world = worldOf(call.source);
  const { underway } = world.names;
  const isTaken = (one: string): boolean => underway.has(one) || world.catalog.hasName(one) || hidesWord(one);
  const object = name === undefined ? numbered('entity', isTaken) : freeName(objectNameOf(name), isTaken);
  if (name !== undefined) requireRoom(call, world, name, object);
  underway.add(object);
  try {
    const { value } = await call.session.submit({
      kind: 'spawn',
      object,
      ...(parent !== undefined && { parent }),
      components,
    });
    return { number: Number(value), name: object };
  } finally {
    underway.delete(object);
  }
}

/** The text of a Name. Throws an RpcError. */
export function nameIn(asked: string, value: JsonValue): string {
  if (typeof value !== 'string') throw invalidValue(asked, `invalid type: expected a string`);
  if (value.length > LONGEST_GIVEN_NAME)
    throw invalidValue(asked, `a name has at most ${LONGEST_GIVEN_NAME} characters`);
  return value;
}

/** Throws an RpcError when a client may give no more names; an object's own name is none. */
export function requireRoom({ session }: BrpCall, { names, catalog }: World, text: string, object: string): void {
  if (text === object || session.asker === 'operator') return;
  try {
    names.requireRoom(catalog, session.asker);
  } catch (error) {
    throw invalidValue(NAME, (error as Error).message);
  }
}
