// What edges may ask of a simulation, as it comes from another machine.
import * as z from 'zod';
import { type Request, RequestError } from '../../source/source.js';

const name = z.string();
const anything = z.unknown();
const names = z.array(name);
const count = z.number();
const place = z.union([name, count]);
const components = z.array(z.object({ alias: name, type: name, initial: anything.optional() }));

const kind = <K extends string, S extends z.ZodRawShape>(of: K, shape: S) =>
  z.object({ kind: z.literal(of), ...shape });
const action = <A extends string, S extends z.ZodRawShape>(of: A, shape: S) =>
  z.object({ action: z.literal(of), ...shape });

const control = z.discriminatedUnion('action', [
  action('run', {}),
  action('freeze', { atSeconds: count.optional() }),
  action('step', { frames: count }),
  action('debug-pause', { isOn: z.boolean() }),
  action('debug-signal', {}),
  action('stop', { atSeconds: count.optional() }),
  action('terminate', { code: count, reason: name }),
  action('real-time', { enabled: z.boolean() }),
  action('clock-ratio', { ratio: count }),
  action('software-frame', { seconds: count }),
  action('freeze-frame', { seconds: count }),
  action('seek', { toSeconds: count }),
]);

const group = name.optional();
const recorded = z.object({
  format: z.enum(['ascii', 'binary', 'mcap']).optional(),
  cycleSeconds: count.optional(),
  moreCyclesSeconds: z.array(count).optional(),
  variables: z.array(z.union([name, z.object({ path: name, name })])),
  unknown: z.enum(['refuse', 'leave out']).optional(),
  changes: names.optional(),
  isSinglePrecision: z.boolean().optional(),
  delimiter: name.optional(),
  when: z.enum(['always', 'change', 'change step']).optional(),
  enabled: z.boolean().optional(),
  maxFileBytes: count.optional(),
});
/** Rows of the past are in no frame of an edge's. */
const recording = z.discriminatedUnion('action', [
  action('enable', { group }),
  action('disable', { group }),
  action('now', { group }),
  action('add', { group: name, options: recorded }),
  action('change', { group, options: recorded.partial() }),
  action('remove', { group }),
  action('list', {}),
  action('list ended', {}),
]);

/** Values are converted again where the simulation runs: of a version that an edge tells, they would not be. */
const REQUEST = z.discriminatedUnion('kind', [
  kind('write', {
    writes: z.array(z.object({ path: name, value: anything })),
    rule: z.enum(['whole', 'trick', 'exact']).optional(),
  }),
  kind('control', { control }),
  kind('call', { name, values: z.array(anything) }),
  kind('checkpoint', { file: name, objects: names.optional(), isText: z.boolean().optional() }),
  kind('load-checkpoint', { file: name, text: name.optional() }),
  kind('record', { control: recording }),
  kind('job', {
    choice: z.union([z.object({ job: name, instance: count }), z.object({ object: name })]),
    isOn: z.boolean().optional(),
    cycleSeconds: count.optional(),
  }),
  kind('call-job', { job: name }),
  kind('spawn', { object: name, parent: name.optional(), components }),
  kind('despawn', { object: name, isRecursive: z.boolean() }),
  kind('insert', { object: name, components }),
  kind('remove', { object: name, aliases: names }),
  kind('reparent', { object: name, parent: name.nullable() }),
  kind('declare', { declaration: name, count: count.optional() }),
  kind('resize', { what: place, extents: z.array(count) }),
  kind('name-memory', { address: count, declaration: name }),
  kind('clear-memory', { what: place }),
  kind('delete-memory', { what: place }),
  kind('aim', { path: name, to: anything }),
  kind('look', {}),
]);

/** Throws a RequestError for what is no request. */
export function requestOf(given: unknown): Request {
  const { success, data } = REQUEST.safeParse(given);
  if (!success) throw new RequestError('this is no request that an edge may make');
  return data as Request;
}
