// `sim.pose`: checks what a simulation says of a pose, and makes plain data of it.
import { Catalog } from '../../model/state/catalog.js';
import { requireOptions } from '../../model/state/option-names.js';
import type { Body, CompleteShape, Shape } from '../../model/state/pose.js';
import type { State } from '../../model/state/state.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { describeType } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { DeclaredUnits } from './declared-units.js';

/** Options of `sim.pose`. */
export interface PoseOptions {
  /** The name of the pose in whose axes this one is; it comes first. Default: the frame that all others are in. */
  readonly parent?: string;
  /** The view or path of 3 doubles with a unit of length. */
  readonly position: string | object;
  /**
   * The view or path of 4 doubles: a quaternion with its scalar first that turns from the body to the parent, so that q v q*
   * is in the parent's axes what v is in the body's. `[0.707, 0, 0, 0.707]` turns the body's x axis to the parent's y
   * axis. It need not have the length 1. Default: the axes of the parent.
   */
  readonly attitude?: string | object;
  /** What stands there, for 3D views. */
  readonly shape?: Shape;
  /** Says that this is a celestial body, whose surface is the ground for what moves over it. */
  readonly body?: Body;
}

/** What poses are declared in. */
export interface WithPoses {
  readonly state: State;
  readonly units: DeclaredUnits;
}

const OPTIONS = Object.keys({
  parent: true,
  position: true,
  attitude: true,
  shape: true,
  body: true,
} satisfies Record<keyof PoseOptions, true>);

const NAME = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const LONGEST_NAME = 100;
/** What protocols call the frame of poses without a parent. */
const WORLD = 'world';
const COLOR = /^#(?:[\da-f]{6}|[\da-f]{8})$/i;
const DEFAULT_COLOR = '#9aa5b1';
/** Files below the folder of the simulation: no way up, no hidden ones, and names that an address can have. */
const FILE = /^(?:\w[\w-]*(?:\.[\w-]+)*\/)*\w[\w-]*(?:\.[\w-]+)*$/;
const LONGEST_FILE = 200;
const MODEL = /\.(?:glb|gltf)$/i;
const IMAGE = /\.(?:png|jpe?g|webp)$/i;
/** Sizes in metres go up to about a light year. */
const LARGEST_SIZE = 1e16;

/** Declares a pose. Throws an Error, and then changes nothing, for what is not valid. */
export function addPose({ state, units }: WithPoses, name: string, options: PoseOptions): void {
  const what = `pose ${name}`;
  if (!units.isOpen) throw new Error(`${what} comes too late: poses are declared while the simulation is built`);
  if (!NAME.test(name) || name.length > LONGEST_NAME || name === WORLD)
    throw new Error(`a pose has a name such as lander or vehicle.iss, and not ${WORLD}; this one is ${quoted(name)}`);
  requireOptions(what, options, OPTIONS);
  const { parent, shape, body } = options;
  if (parent !== undefined && !state.poses.has(parent)) {
    const nearest = didYouMean(nearestNames(String(parent), state.poses.names()));
    throw new Error(`${what} has a parent that is not declared before it: ${quoted(parent)}${nearest}`);
  }
  const catalog = new Catalog(state.describe());
  const position = vectorOf(state, catalog, { what: `the position of ${what}`, given: options.position, length: 3 });
  const attitude =
    options.attitude === undefined
      ? null
      : vectorOf(state, catalog, { what: `the attitude of ${what}`, given: options.attitude, length: 4 });
  if (attitude && !['--', '1'].includes(attitude.units))
    throw new Error(`the attitude of ${what} is a quaternion without units, not in ${attitude.units}`);
  const pose = {
    name,
    parent: parent ?? null,
    position: position.path,
    metres: 1,
    attitude: attitude?.path ?? null,
    shape: shape === undefined ? null : shapeOf(`the shape of ${what}`, shape),
    body: body === undefined ? null : bodyOf(`the body of ${what}`, body),
  };
  units.lookLength(`the position of ${what}`, position.units, (metres) => {
    pose.metres = metres;
  });
  state.poses.add(pose);
}

interface Wanted {
  readonly what: string;
  /** A view or a path. */
  readonly given: unknown;
  readonly length: number;
}

function vectorOf(state: State, catalog: Catalog, { what, given, length }: Wanted): Variable {
  const variable = typeof given === 'string' ? catalog.find(given) : viewed(state, catalog, given);
  if (!variable) {
    const why = typeof given === 'string' ? catalog.explain(given) : 'give its path, or its view';
    throw new Error(`${what} is a variable of ${length} doubles: ${why}`);
  }
  const found = describeType(variable.type);
  if (found === `double[${length}]`) return variable;
  throw new Error(`${what} is a variable of ${length} doubles, and ${variable.path} is ${found}`);
}

/** The variable of a view; a structure has several at its beginning, and the one of its type is meant. */
function viewed(state: State, catalog: Catalog, view: unknown): Variable | undefined {
  const extent = typeof view === 'object' && view !== null ? state.arena.extentOf(view) : undefined;
  if (!extent) return undefined;
  for (const variable of catalog.variables())
    if (variable.offsetBytes === extent.offsetBytes && variable.hops.length === 0) return variable;
  return undefined;
}

/** What each kind of shape has, besides its color. */
const PARTS: Readonly<Record<Shape['kind'], readonly string[]>> = {
  box: ['size'],
  sphere: ['radius'],
  cylinder: ['radius', 'length'],
  arrow: ['length', 'radius'],
  model: ['file', 'scale'],
};

function shapeOf(what: string, given: Shape): CompleteShape {
  const parts = Object.hasOwn(PARTS, given?.kind) ? PARTS[given.kind] : undefined;
  if (!parts) throw new Error(`${what} is one of ${Object.keys(PARTS).join(', ')}, not ${quoted(given?.kind)}`);
  requireOptions(what, given, ['kind', ...parts, ...(given.kind === 'model' ? [] : ['color'])]);
  if (given.kind === 'model') {
    const { file, scale = 1 } = given;
    requireFile(what, file, MODEL, 'glTF (.glb or .gltf)');
    requireSize(`the scale of ${what}`, scale);
    return { kind: 'model', file, scale };
  }
  for (const part of parts) requirePart(`the ${part} of ${what}`, part, given[part as keyof typeof given]);
  const { color = DEFAULT_COLOR } = given;
  if (!COLOR.test(color)) throw new Error(`the color of ${what} is spelled #rrggbb or #rrggbbaa, not ${quoted(color)}`);
  return { ...given, color };
}

function requirePart(what: string, part: string, value: unknown): void {
  const sizes = part === 'size' ? value : [value];
  if (!Array.isArray(sizes) || sizes.length !== (part === 'size' ? 3 : 1))
    throw new Error(`${what} is a list of 3 sizes in metres`);
  for (const size of sizes) requireSize(what, size);
}

function bodyOf(what: string, given: Body): Body {
  requireOptions(what, given, ['radius', 'texture']);
  const { radius, texture } = given;
  requireSize(`the radius of ${what}`, radius);
  if (texture === undefined) return { radius };
  requireFile(what, texture, IMAGE, 'image (.png, .jpg or .webp)');
  return { radius, texture };
}

function requireSize(what: string, size: unknown): void {
  if (typeof size === 'number' && size > 0 && size <= LARGEST_SIZE) return;
  throw new RangeError(`${what} is a number above 0, in metres up to ${LARGEST_SIZE}, not ${quoted(size)}`);
}

function requireFile(what: string, file: unknown, ending: RegExp, kind: string): void {
  if (typeof file === 'string' && file.length <= LONGEST_FILE && FILE.test(file) && ending.test(file)) return;
  throw new Error(`${what} has an ${kind} in or below the folder of the simulation, not ${quoted(file)}`);
}

const quoted = (given: unknown): string => JSON.stringify(given)?.slice(0, 200) ?? typeof given;
