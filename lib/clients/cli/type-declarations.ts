// The names and types of a simulation's variables as TypeScript, from its description.
import { elementType, pairTypes, type SieResource } from '../trick/index.js';

interface Declared {
  readonly name: string;
  readonly type: string;
  readonly dimensions: readonly number[];
  readonly units: string;
}

type Line = readonly [name: string, type: string, units: string];

const SCALARS: ReadonlyMap<string, string> = new Map([
  ...['char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned int', 'float', 'double'].map(
    (type) => [type, 'number'] as const,
  ),
  ...['long', 'unsigned long', 'long long', 'unsigned long long', 'void'].map((type) => [type, 'bigint'] as const),
  ...['std__string', 'std__wstring', 'wchar_t'].map((type) => [type, 'string'] as const),
  ['bool', 'boolean'],
]);
/** Names come from a server; only names of this form are written into a program. */
const PATH = /^[A-Za-z_][\w.[\]]*$/;

/** A file of declarations; undefined when no name begins with a prefix. @param from the server, for the first line */
export function typeDeclarations(resource: SieResource, from: string, prefix = ''): string | undefined {
  const lines = new Map<string, Line>();
  for (const object of resource.topLevel)
    for (const line of within(resource, object, [])) if (line[0].startsWith(prefix)) lines.set(line[0], line);
  if (lines.size === 0 && prefix !== '') return undefined;
  const members = [...lines.values()].filter(([name]) => PATH.test(name)).map(memberText);
  const uses = members.some((member) => member.includes('Enumeration<')) ? [IMPORT] : [];
  return [
    `// The variables of ${from}. Made by: varwire types`,
    ...uses,
    '',
    'export type Variables = {',
    ...members,
    '};',
  ].join('\n');
}

const IMPORT = "import type { Enumeration } from 'varwire/client';";

/** `[]` in a name stands for any index. */
function memberText([name, type, units]: Line): string {
  const key = name.includes('[]') ? `[name: \`${name.replaceAll('[]', `[\${number}]`)}\`]` : `'${name}'`;
  const about = units === '' || units === '--' || units === '1' ? '' : `  /** ${units.replaceAll('*/', '* /')} */\n`;
  return `${about}  readonly ${key}: ${type};`;
}

/** @param trail the classes above, so that a class that holds itself is not entered again */
function* within(resource: SieResource, variable: Declared, trail: readonly string[]): Generator<Line> {
  const { name, type, units, dimensions } = variable;
  const element = elementType(type);
  if (element !== undefined)
    return yield* within(resource, { ...variable, type: element, dimensions: [...dimensions, 0] }, trail);
  const members = resource.classes.get(type) ?? pairMembers(type);
  if (!members) return yield* leaf(resource, variable);
  if (trail.includes(type)) return;
  for (const member of members) {
    const path = `${name}${'[]'.repeat(dimensions.length)}.${member.name}`;
    yield* within(resource, { ...member, units: member.units || units, name: path }, [...trail, type]);
  }
}

/** Descriptions have no class for a pair. */
const pairMembers = (type: string): Declared[] | undefined =>
  pairTypes(type)?.map((half, index) => ({
    name: index === 0 ? 'first' : 'second',
    type: half,
    dimensions: [],
    units: '--',
  }));

/** The variable and, of an array, its rows and elements. */
function* leaf(resource: SieResource, { name, type, dimensions, units }: Declared): Generator<Line> {
  const isText = (type === 'char' || type === 'wchar_t') && dimensions.length > 0;
  const value = isText ? 'string' : valueType(resource, type);
  if (value === undefined) return;
  const depth = isText ? dimensions.length - 1 : dimensions.length;
  for (let indices = 0; indices <= depth; indices++) {
    const isWhole = indices < depth && value !== 'string';
    yield [`${name}${'[]'.repeat(indices)}`, isWhole ? `readonly ${value}[]` : value, units];
  }
}

function valueType({ enumerations }: SieResource, type: string): string | undefined {
  const labels = enumerations.get(type);
  if (!labels) return SCALARS.get(type);
  const names = [...labels.keys()].map((label) => JSON.stringify(label)).join(' | ');
  return labels.size === 0 ? 'number' : `Enumeration<${names}>`;
}
