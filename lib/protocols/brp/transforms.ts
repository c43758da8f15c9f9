// The Transform of each pose, as Bevy has it, as a component of the object that its position is in: an overlay.
import { Catalog } from '../../model/state/catalog.js';
import { describe, double, struct } from '../../model/state/declare.js';
import type { PoseDescription } from '../../model/state/pose.js';
import { readVariable } from '../../model/state/read.js';
import type { State } from '../../model/state/state.js';
import type { Variable } from '../../model/state/variable.js';
import type { Overlay } from '../../simulation/executive/overlay.js';

/** Clients may give entities of their own one, too. */
const TRANSFORM = 'bevy_transform::components::transform::Transform';

const Transform = struct('BevyTransform', {
  translation: double(3, { units: 'm' }),
  rotation: double(4, { about: 'quaternion, scalar last' }),
  scale: double(3),
});

export const transforms: Overlay = ({ state }) => {
  const poses = [...state.poses.all];
  if (poses.length === 0) return {};
  const catalog = new Catalog(state.describe());
  const declared = describe(state.addType(Transform, { name: TRANSFORM }), { about: 'in the axes of its parent pose' });
  for (const pose of poses) {
    const [object = ''] = pose.position.split(/[.[]/);
    const position = catalog.find(pose.position);
    const attitude = pose.attitude === null ? undefined : catalog.find(pose.attitude);
    if (!position || !state.hasObject(object)) continue;
    const get = () => transformOf(state, pose, position, attitude);
    state.object(object).mirror(freeAlias(state, object), declared, { get: get as never });
  }
  return {};
};

function freeAlias(state: State, object: string): string {
  const taken = state.aliasesOf(object);
  for (let number = 1; ; number++) {
    const alias = number === 1 ? 'transform' : `transform_${number}`;
    if (!taken.includes(alias)) return alias;
  }
}

function transformOf(
  { arena: { memory } }: State,
  { metres }: PoseDescription,
  position: Variable,
  attitude: Variable | undefined,
) {
  const numbersOf = (variable: Variable) => (readVariable(variable, memory) as number[] | undefined) ?? [0, 0, 0];
  const [w = 1, x = 0, y = 0, z = 0] = attitude ? numbersOf(attitude) : [];
  return { translation: numbersOf(position).map((part) => part * metres), rotation: [x, y, z, w], scale: [1, 1, 1] };
}
