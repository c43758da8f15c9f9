// The types of the methods for varwire/browser, made of the schemas that the server itself checks calls by:
// `node build/compat-tests/method-types.js` writes them again.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { feed, serveSource } from 'varwire';
import { PLAIN, type Schema } from '../lib/testing/aids/schema-types.js';

interface Described {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly result?: { readonly schema: Schema };
}

/** Their files in lib/clients/browser (`var-methods.ts`), by the beginning of the methods' names. */
export const FILES = {
  var: /^var\//,
  sim: /^(sim|scene|session|rpc)[/.]/,
  tool: /^(recording|runs|layout|trick|event)\//,
} as const;

/** What several methods of a file answer, or begin their answers with: its name, and a method that answers it. */
const SHAPES: readonly (readonly [name: string, method: string])[] = [
  ['Listed', 'var/list'],
  ['Reached', 'sim/control'],
];

/** What a server of everything tells about its methods. */
export async function describedMethods(): Promise<readonly Described[]> {
  const source = feed({ name: 'none', frameSeconds: 1 }, () => undefined);
  const server = await serveSource(source, { port: 0, udp: 'off', discovery: false, log: () => undefined });
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/openrpc.json`);
    return ((await answer.json()) as { readonly methods: readonly Described[] }).methods;
  } finally {
    await server.close();
  }
}

/** One file: an interface with the parameters and the result of each method. */
export function fileOf(name: keyof typeof FILES, methods: readonly Described[]): string {
  const own = methods.filter((method) => FILES[name].test(method.name) && method.result);
  const shapes = SHAPES.flatMap(([shape, of]): Shape[] => {
    const answer = own.find((method) => method.name === of)?.result?.schema;
    return answer ? [{ name: shape, members: new TypeText().members(answer.items ?? answer) }] : [];
  });
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Methods`;
  const entries = own.map((method) => entryOf(method, new TypeText(shapes))).join('\n');
  const interfaces = [
    ...shapes.map((shape) => `interface ${shape.name} ${bracesOf(shape.members)}\n`),
    `export interface ${title} {\n${entries}}\n`,
  ].join('\n');
  const json = /\bJson\b/.test(interfaces) ? "import type { Json } from './values.js';\n\n" : '';
  return `// Made by compat-tests/method-types.ts of the methods' schemas.\n${json}${interfaces}`;
}

function entryOf({ name, summary, description = summary, params, result }: Described, types: TypeText): string {
  const members = params.map((param) => types.member(param.name, param.required, param.schema));
  const about = description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
  return `${about}'${name}': {\nreadonly params: ${bracesOf(members)};\nreadonly result: ${types.of(result?.schema ?? {})};\n};\n`;
}

interface Shape {
  readonly name: string;
  readonly members: readonly string[];
}

/** Schemas as TypeScript; what begins as a shape does is named by it. */
class TypeText {
  constructor(private readonly shapes: readonly Shape[] = []) {}

  of(schema: Schema): string {
    if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => this.of(one)))].join(' | ');
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    if ('const' in schema) return literal(schema.const);
    if (schema.type === 'array') return `readonly ${this.item(schema.items ?? {})}[]`;
    if (schema.type === 'object') return this.object(schema);
    const types = [schema.type ?? []].flat();
    return types.map((type) => PLAIN[type] ?? 'Json').join(' | ') || 'Json';
  }

  member(name: string, isNeeded: boolean, schema: Schema): string {
    return `readonly ${/^\w+$/.test(name) ? name : literal(name)}${isNeeded ? '' : '?'}: ${this.of(schema)};\n`;
  }

  members({ properties = {}, required = [] }: Schema): string[] {
    return Object.entries(properties).map(([name, inner]) => this.member(name, required.includes(name), inner));
  }

  private object(schema: Schema): string {
    const members = this.members(schema);
    const { additionalProperties } = schema;
    if (members.length === 0)
      return typeof additionalProperties === 'object'
        ? `Readonly<Record<string, ${this.of(additionalProperties)}>>`
        : 'object';
    const shape = this.shapes.find((one) => members.join('').startsWith(one.members.join('')));
    if (!shape) return bracesOf(members);
    const rest = members.slice(shape.members.length);
    return rest.length === 0 ? shape.name : `${shape.name} & ${bracesOf(rest)}`;
  }

  private item(schema: Schema): string {
    const text = this.of(schema);
    return /^[\w.]+$/.test(text) || (text.startsWith('{') && schema.type === 'object') ? text : `(${text})`;
  }
}

const bracesOf = (members: readonly string[]): string =>
  members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}}`;

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const methods = await describedMethods();
  for (const name of Object.keys(FILES) as (keyof typeof FILES)[])
    writeFileSync(`${root}lib/clients/browser/${name}-methods.ts`, fileOf(name, methods));
  execFileSync('npx', ['biome', 'format', '--write', 'lib/clients/browser'], { cwd: root });
}
