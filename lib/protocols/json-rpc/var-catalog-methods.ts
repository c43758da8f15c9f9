// var/list, var/exists, var/describe and var/units: which variables there are.
import { z } from 'zod';
import { type Catalog, LONGEST_PATH } from '../../model/state/catalog.js';
import type { Variable } from '../../model/state/variable.js';
import { areConvertible, converter } from '../../model/units/index.js';
import { unitOf } from '../../serving/session/own-units.js';
import { catalogOf, findReadable, variablesOf } from '../../serving/session/reference.js';
import { AnswerText, MAX_ANSWER_BYTES } from './answer-text.js';
import type { CallContext } from './call-context.js';
import { Glob, LONGEST_PATTERN } from './glob.js';
import { defineMethod, type Method } from './method.js';
import { FILTERED_AT_ONCE, leavingOut, without } from './path-filter.js';
import { alias, unitsText } from './schemas.js';
import { described, describedVariable, elementOf, listed, listedVariable } from './variable-description.js';

const BALL_POSITION = {
  alias: 'ball.position',
  type_path: 'double',
  unit: 'm',
  dim: [2],
  about: 'centre of the ball',
  access: 'read-write',
} as const;

/** The most variables in one answer; a longer list comes in pages. */
const MOST_LISTED = 100_000;

const list = defineMethod({
  name: 'var/list',
  about:
    'Lists the variables in declaration order: structures are entered, an array is one variable. With a limit, ask for the next page with `after`: the last alias of the page before.',
  params: z.strictObject({
    prefix: z.string().max(LONGEST_PATH).optional().describe('Only aliases that start with this'),
    pattern: z
      .string()
      .max(LONGEST_PATTERN, { error: `expected at most ${LONGEST_PATTERN} characters` })
      .optional()
      .describe('Only aliases that fit: * is any characters, ? is one'),
    limit: z
      .int()
      .min(1)
      .max(MOST_LISTED)
      .default(MOST_LISTED)
      .describe(`At most this many; ${MOST_LISTED} when left out`),
    after: z.string().optional().describe('Start behind this alias'),
    under: alias.optional().describe('Only what lies at and below this path'),
    without,
  }),
  result: z.array(listedVariable),
  examples: [{ name: 'by pattern', params: { pattern: '*.position' }, result: [BALL_POSITION] }],
  run: ({ source, turn }: CallContext, { prefix = '', pattern, limit, after, under, without: left }) => {
    const glob = pattern === undefined ? undefined : new Glob(pattern);
    const isLeftOut = leavingOut(left);
    const isWanted = ({ path }: Variable): boolean =>
      path.startsWith(prefix) && (glob?.fits(path) ?? true) && !isLeftOut(path);
    return listText(variablesOf(source, under, after), isWanted, limit, turn);
  },
});

async function listText(
  variables: Iterable<Variable>,
  isWanted: (variable: Variable) => boolean,
  limit: number,
  turn: () => Promise<void>,
): Promise<AnswerText> {
  const text = new AnswerText(MAX_ANSWER_BYTES);
  text.add('[');
  let [looked, count] = [0, 0];
  for (const variable of variables) {
    if (looked++ % FILTERED_AT_ONCE === 0) await turn();
    if (!isWanted(variable)) continue;
    if (count > 0) text.add(',');
    text.add(JSON.stringify(listed(variable)));
    if (++count === limit) break;
  }
  text.add(']');
  return text;
}

const exists = defineMethod({
  name: 'var/exists',
  about: 'Whether an alias names a variable, a structure or an element of one.',
  params: z.strictObject({ alias }),
  result: z.boolean(),
  examples: [
    { name: 'an element', params: { alias: 'ball.position[1]' }, result: true },
    { name: 'no such thing', params: { alias: 'ball.positron' }, result: false },
  ],
  run: ({ source }: CallContext, params) => catalogOf(source, params.alias).find(params.alias) !== undefined,
});

const describe = defineMethod({
  name: 'var/describe',
  about:
    'All that is known of one variable: its kind, labels of an enumeration, members of a structure, room of a text.',
  params: z.strictObject({ alias }),
  result: describedVariable,
  examples: [{ name: 'an array', params: { alias: 'ball.position' }, result: { ...BALL_POSITION, kind: 'number' } }],
  run: ({ source }: CallContext, params) => {
    const variable = findReadable(source, params.alias);
    return described(variable, membersOf(catalogOf(source, variable.path), variable));
  },
});

function membersOf(catalog: Catalog, { path, type }: Variable): Variable[] {
  const element = elementOf(type);
  if (element.kind !== 'struct') return [];
  const first = path + '[0]'.repeat(depthOf(path, catalog));
  return element.members.flatMap((member) => catalog.find(`${first}.${member.name}`) ?? []);
}

/** How many indices a path has below its structures. */
function depthOf(path: string, catalog: Catalog): number {
  for (let depth = 0; ; depth++) {
    const { type } = catalog.find(path + '[0]'.repeat(depth)) ?? {};
    if (!type || type.kind === 'struct') return depth;
  }
}

/** The most requested units by quantity; var/units offers those that convert. */
const COMMON_UNITS = (
  'm km ft mile nautical_mile s min h day kg g lb slug N lbf Pa kPa bar psi J kJ W kW K degC degF rad degree ' +
  'm/s km/h ft/s mile/h knot m/s2 ft/s2 rad/s degree/s Hz V A ohm % 1'
).split(' ');

const units = defineMethod({
  name: 'var/units',
  about:
    'The units of a variable, common units it may be asked for in, and, for `to`, how values convert: slope * x + intercept.',
  params: z.strictObject({ alias, to: unitsText.optional().describe('UDUNITS text to convert to') }),
  result: z.object({
    unit: z.string(),
    common: z.array(z.string()),
    conversion: z
      .object({
        to: z.string(),
        slope: z.number(),
        intercept: z.number(),
        is_reciprocal: z.boolean().describe('slope is of 1/x: s to Hz'),
      })
      .optional(),
  }),
  examples: [
    {
      name: 'metres to kilometres',
      params: { alias: 'ball.position', to: 'km' },
      result: {
        unit: 'm',
        common: ['m', 'km', 'ft', 'mile', 'nautical_mile'],
        conversion: { to: 'km', slope: 0.001, intercept: 0, is_reciprocal: false },
      },
    },
  ],
  run: ({ source }: CallContext, { alias: path, to }) => {
    const unit = unitOf(findReadable(source, path));
    // A rate converts to a time, as its reciprocal, but nobody means that.
    const isCommon = (candidate: string): boolean =>
      areConvertible(unit, candidate) && !converter(unit, candidate).isReciprocal;
    const common = COMMON_UNITS.filter(isCommon);
    if (to === undefined) return { unit, common };
    const { slope, intercept, isReciprocal } = converter(unit, to);
    return { unit, common, conversion: { to, slope, intercept, is_reciprocal: isReciprocal } };
  },
});

export const varCatalogMethods: readonly Method<CallContext>[] = [list, exists, describe, units];
