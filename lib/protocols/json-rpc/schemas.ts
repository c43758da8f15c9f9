// Schemas that several methods share; the OpenRPC document shows them.
import { z } from 'zod';
import { LONGEST_PATH } from '../../model/state/catalog.js';

/** The most paths, values or units that one request may name. */
const MOST_NAMED = 10_000;
const LONGEST_UNITS = 256;

/** Refuses a request with too many entries, and names that no variable can have, before the schema checks the rest. */
function bounded<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((given, check) => {
    const problem = typeof given === 'object' && given !== null ? problemOf(given) : undefined;
    if (problem === undefined) return given;
    check.issues.push({ code: 'custom', message: problem, input: given });
    return z.NEVER;
  }, schema);
}

function problemOf(given: object): string | undefined {
  if (Object.hasOwn(given, '__proto__')) return '__proto__ is no path of a variable';
  const names = Array.isArray(given) ? [] : Object.keys(given);
  const count = Array.isArray(given) ? given.length : names.length;
  if (names.some((name) => name.length > LONGEST_PATH)) return `expected names of at most ${LONGEST_PATH} characters`;
  return count > MOST_NAMED ? `expected at most ${MOST_NAMED} of them, found ${count}` : undefined;
}

export const alias = z
  .string()
  .min(1)
  .max(LONGEST_PATH, { error: `expected a path of at most ${LONGEST_PATH} characters` })
  .describe('Path of a variable, structure or element: ball.position[1]');
export const aliases = bounded(z.array(alias).min(1)).describe('Paths of variables; each is answered once');
/** An object with one entry per alias. */
export const byAlias = <Schema extends z.ZodType>(schema: Schema) => bounded(z.record(z.string(), schema));
export const jsonValue = z
  .unknown()
  .describe(
    'Number, truth value, text, list or structure; "NaN", "Infinity" and "-Infinity" as text, 64-bit integers beyond 2^53 too',
  );
const isObject = (given: unknown): boolean => typeof given === 'object' && given !== null && !Array.isArray(given);
const kindOf = (given: unknown): string => (given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given);
/** As `byAlias(jsonValue)`, which would copy 10,000 values that may be anything, in one step of some milliseconds. */
export const valuesByAlias = bounded(
  z
    .custom<Readonly<Record<string, unknown>>>(isObject, {
      error: ({ input }) => `Invalid input: expected record, received ${kindOf(input)}`,
    })
    .meta({
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: { description: jsonValue.description },
    }),
);
export const values = z
  .record(z.string(), jsonValue)
  .describe('A value for each alias; null while it cannot be reached');
export const simTime = z
  .object({
    sec_si: z.number().describe("What the simulation's clock shows, in SI seconds"),
    label: z.string().describe('Which clock that is: sim_elapsed, TAI, UTC ...'),
    jumps: z
      .int()
      .optional()
      .describe('How often time was set to another, by a checkpoint or a seek; left out while it never was'),
  })
  .describe('When the values were true');
export const unitsText = z
  .string()
  .min(1)
  .max(LONGEST_UNITS, { error: `expected units of at most ${LONGEST_UNITS} characters` })
  .describe('UDUNITS text: km/h');
export const units = z
  .union([unitsText, byAlias(unitsText)], {
    error: 'expected units as text, or an object of alias to units',
  })
  .optional()
  .describe('Units to convert from or to: for all aliases, or by alias');
export const cycleMillis = z
  .number()
  .min(0)
  .describe('Milliseconds of simulation time between messages, rounded up to whole ticks; 0 is every tick');
export const lenient = z
  .boolean()
  .optional()
  .describe('true: what does not exist is named in `missing`, and the rest is answered');
export const missing = z
  .record(z.string(), z.string())
  .optional()
  .describe('With lenient: a sentence for each alias that does not exist or cannot be read');
export const frameNumber = z.int().describe('Number of the frame; frames are counted from 1');
export const subscriptionId = z.string().describe('What var/subscribe answered');
export const nothing = z.null();
