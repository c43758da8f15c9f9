// Objects and components that clients add, remove and move; each request happens as a whole or not at all.

import { LIMITS } from '../../model/bounds/limits.js';
import { allocatedBytes } from '../../model/state/arena.js';
import { convertFor } from '../../model/state/assign.js';
import type { AnyDeclared } from '../../model/state/declare.js';
import { type Client, clientOf } from '../../model/state/fair-share.js';
import { checkName } from '../../model/state/name.js';
import type { Value } from '../../model/state/read.js';
import { checkFreeObjectName, isOverlayObject } from '../../model/state/reserved-names.js';
import type { State } from '../../model/state/state.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import type { NewComponent, SpawnRequest } from './request.js';

/** How far clients may let a simulation grow; its own code may go further. */
export interface SpawnLimits {
  readonly mostObjects: number;
  readonly mostStateBytes: number;
}

/**
 * The limits that a simulation sets, or 100,000 objects and 256 MB. Throws a RangeError for a limit that is not valid.
 */
export function spawnLimitsOf({
  mostObjects = LIMITS.objects.all,
  mostStateBytes = LIMITS.objectBytes.all,
}: Partial<SpawnLimits>): SpawnLimits {
  const limits = { mostObjects, mostStateBytes };
  for (const [name, limit] of Object.entries(limits)) {
    if (!(limit >= 0)) throw new RangeError(`${name} is a number from 0 up, not ${limit}`);
  }
  return limits;
}

const LONGEST_NAME = 255;
/** The most components of one object. */
const MOST_COMPONENTS = 1000;

interface PlannedComponent {
  readonly alias: string;
  readonly declared: AnyDeclared;
  readonly initial: Value | undefined;
}

/** Carries out a request; returns the number of a spawned object. Throws an Error, and then changes nothing. */
export function applySpawning(
  state: State,
  limits: SpawnLimits,
  request: Exclude<SpawnRequest, { readonly kind: 'despawn' }>,
): number | undefined {
  checkOwner(request.object);
  switch (request.kind) {
    case 'spawn':
      return spawn(state, limits, request);
    case 'insert':
      insert(state, limits, request);
      return undefined;
    case 'remove':
      checkOnce(request.object, request.aliases);
      state.removeComponents(request.object, request.aliases, 'unseen');
      return undefined;
    case 'reparent':
      if (request.parent !== null) checkOwner(request.parent);
      state.reparent(request.object, request.parent);
      return undefined;
  }
}

/** Objects that are removed in one step. */
const REMOVED_AT_ONCE = 100;

/** Removes an object, or with all below it: many in steps, children first. Throws an Error, and then removes nothing. */
export function* despawn(
  state: State,
  { object, isRecursive }: Extract<SpawnRequest, { readonly kind: 'despawn' }>,
): Generator<void, void> {
  checkOwner(object);
  const left = isRecursive ? state.family(object) : [state.object(object)];
  for (;;) {
    // Somebody else may have removed some between two steps.
    const next = left.splice(-REMOVED_AT_ONCE).filter(({ number }) => state.hasNumber(number));
    state.removeObjects(
      next.map(({ name }) => name),
      'unseen',
    );
    if (left.length === 0) return;
    yield;
  }
}

function checkOwner(object: string): void {
  if (isOverlayObject(object)) throw new Error(`${object} is one of Trick's own objects, which clients do not change`);
}

function spawn(
  state: State,
  limits: SpawnLimits,
  { object, parent, components, by }: Extract<SpawnRequest, { readonly kind: 'spawn' }>,
): number {
  checkNewName('an object', object);
  checkFreeObjectName(object);
  if (state.hasObject(object)) throw new Error(`there is an object ${object} already`);
  if (parent !== undefined) checkOwner(parent);
  const above = parent === undefined ? undefined : state.object(parent);
  if (state.objectCount >= limits.mostObjects) {
    throw new Error(`there are ${state.objectCount} objects: clients may add more up to ${limits.mostObjects}`);
  }
  const client = clientOf(by);
  const total = { all: limits.mostObjects, sum: state.objectCount };
  if (client) state.additions.objects.require(client, 1, total, objectsOf);
  const planned = plan(state, limits, { object, components, client }, []);
  const { number } = state.addObject(object, { ...(above && { parent: above }), isAdded: client !== undefined });
  if (client) state.additions.addObject(number, client);
  add(state, object, planned, client);
  return number;
}

const objectsOf = (most: number): string => `a client may have added ${most} objects now, not one more`;

function insert(
  state: State,
  limits: SpawnLimits,
  { object, components, by }: Extract<SpawnRequest, { readonly kind: 'insert' }>,
): void {
  const client = clientOf(by);
  add(state, object, plan(state, limits, { object, components, client }, state.aliasesOf(object)), client);
}

function add(state: State, object: string, planned: readonly PlannedComponent[], client: Client | undefined): void {
  for (const { alias, declared, initial } of planned) {
    const member = state.addComponent(object, alias, declared, initial);
    if (client) state.additions.addMember(member, client, allocatedBytes(member.type, 1));
  }
}

interface Addition {
  readonly object: string;
  readonly components: readonly NewComponent[];
  readonly client: Client | undefined;
}

/** Makes every check before anything is changed. */
function plan(
  state: State,
  limits: SpawnLimits,
  { object, components, client }: Addition,
  aliases: readonly string[],
): PlannedComponent[] {
  if (aliases.length + components.length > MOST_COMPONENTS) {
    throw new Error(`object ${object} would have more than ${MOST_COMPONENTS} components`);
  }
  checkOnce(object, [...aliases, ...components.map(({ alias }) => alias)]);
  const planned = components.map((component) => planComponent(state, object, component));
  const bytes = state.arena.usedBytesWith(planned.map(({ declared }) => declared.type));
  if (planned.length > 0 && bytes > limits.mostStateBytes) {
    throw new Error(`the state would take ${bytes} bytes: clients may add to it up to ${limits.mostStateBytes}`);
  }
  if (client && planned.length > 0) {
    const wanted = planned.reduce((sum, { declared }) => sum + allocatedBytes(declared.type, 1), 0);
    const total = { all: limits.mostStateBytes, sum: state.arena.takenBytes };
    state.additions.bytes.require(client, wanted, total, bytesOf);
  }
  return planned;
}

const bytesOf = (most: number, wanted: number): string =>
  `what a client has added to the state may take ${most} bytes now, not ${wanted}`;

function planComponent(state: State, object: string, { alias, type, initial }: NewComponent): PlannedComponent {
  checkNewName('a component', alias);
  const registered = state.types.get(type);
  if (!registered) throw new Error(`there is no type ${type}${didYouMean(nearestNames(type, state.types.names()))}`);
  const { declared, isSpawnable } = registered;
  if (!isSpawnable) throw new Error(`the simulation alone makes components of type ${type}`);
  const place = { path: `${object}.${alias}`, type: declared.type, access: declared.access };
  return {
    alias,
    declared,
    initial: initial === undefined ? undefined : convertFor(place, initial),
  };
}

function checkNewName(what: string, name: string): void {
  if (name.length > LONGEST_NAME) {
    throw new Error(`${what} has a name of up to ${LONGEST_NAME} characters, not ${name.length}`);
  }
  checkName(what, name);
}

function checkOnce(object: string, aliases: readonly string[]): void {
  const seen = new Set<string>();
  const twice = aliases.find((alias) => seen.size === seen.add(alias).size);
  if (twice !== undefined) throw new Error(`object ${object} cannot have or lose a component ${twice} twice`);
}
