// Bevy's own components that every simulation has: Name, ChildOf and Children, with the type paths of each generation.
import type { Dialect } from './generation.js';

export const NAME = 'bevy_ecs::name::Name';
export const CHILD_OF = 'bevy_ecs::hierarchy::ChildOf';
export const CHILDREN = 'bevy_ecs::hierarchy::Children';
export const BUILT_IN: readonly [string, string, string] = [NAME, CHILD_OF, CHILDREN];

const OF_0_15: Readonly<Record<string, string>> = {
  [NAME]: 'bevy_core::name::Name',
  [CHILD_OF]: 'bevy_hierarchy::components::parent::Parent',
  [CHILDREN]: 'bevy_hierarchy::components::children::Children',
};

/** The components by their type paths in any generation. */
export const MEANT: ReadonlyMap<string, string> = new Map([
  ...BUILT_IN.map((path) => [path, path] as const),
  ...Object.entries(OF_0_15).map(([path, older]) => [older, path] as const),
]);

/** The component that a type path of any generation means. */
export const builtInOf = (path: string): string | undefined => MEANT.get(path);

export const isBuiltIn = (path: string): boolean => MEANT.get(path) === path;

/** A type path as a generation spells it. */
export const spelled = (path: string, generation: Dialect): string =>
  (generation === '0.15' ? OF_0_15[path] : undefined) ?? path;
