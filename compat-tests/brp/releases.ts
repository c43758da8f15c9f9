// The methods of each release of Bevy, and those that varwire adds to them.

export const RELEASES = ['0.15', '0.16', '0.17', '0.18', '0.19'] as const;
export type Release = (typeof RELEASES)[number];

export const isBefore = (one: Release, other: Release): boolean => RELEASES.indexOf(one) < RELEASES.indexOf(other);

const IN_0_15 = [
  'bevy/get',
  'bevy/query',
  'bevy/spawn',
  'bevy/destroy',
  'bevy/insert',
  'bevy/remove',
  'bevy/reparent',
  'bevy/list',
  'bevy/get+watch',
  'bevy/list+watch',
];
const SINCE_0_16 = [
  'bevy/mutate_component',
  'bevy/get_resource',
  'bevy/insert_resource',
  'bevy/remove_resource',
  'bevy/mutate_resource',
  'bevy/list_resources',
  'bevy/registry/schema',
  'rpc.discover',
];
const SINCE_0_17 = [
  'world.get_components',
  'world.query',
  'world.spawn_entity',
  'world.despawn_entity',
  'world.insert_components',
  'world.remove_components',
  'world.reparent_entities',
  'world.list_components',
  'world.mutate_components',
  'world.get_components+watch',
  'world.list_components+watch',
  'world.get_resources',
  'world.insert_resources',
  'world.remove_resources',
  'world.mutate_resources',
  'world.list_resources',
  'registry.schema',
  'rpc.discover',
];
const SINCE_0_18 = ['world.trigger_event'];
const SINCE_0_19 = ['world.write_message', 'world.observe+watch', 'schedule.list', 'schedule.graph'];

/** All methods of a release. */
export const METHODS: Readonly<Record<Release, readonly string[]>> = {
  '0.15': IN_0_15,
  '0.16': [...IN_0_15, ...SINCE_0_16],
  '0.17': SINCE_0_17,
  '0.18': [...SINCE_0_17, ...SINCE_0_18],
  '0.19': [...SINCE_0_17, ...SINCE_0_18, ...SINCE_0_19],
};

/** Forms of documents that no release follows, and varwire's own. */
export const MORE_METHODS = [
  'world.get',
  'world.list',
  'brp.poll',
  'bevy/poll',
  'world.poll',
  'brp.ping',
  'brp.unwatch',
  'brp_extras/agent_tools',
];

export const ALL_METHODS = [...new Set([...RELEASES.flatMap((release) => METHODS[release]), ...MORE_METHODS])];
