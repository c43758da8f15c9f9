// The types of the methods for varwire/browser, made of the schemas that the server itself checks calls by:
// `node build/compat-tests/method-types.js` writes them again.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { feed, serveSource } from 'varwire';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly result?: { readonly schema: Schema };
}

/** Their files in lib/browser (`var-methods.ts`), by the beginning of the methods' names. */
export const FILES = { var: /^var\//, sim: /^(sim|session|rpc)[/.]/, tool: /^(recording|trick|event)\// } as const;

const PLAIN: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

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
  const text = own.map(entryOf).join('\n');
  const json = /\bJson\b/.test(text) ? "import type { Json } from './values.js';\n\n" : '';
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Methods`;
  return `// Made by compat-tests/method-types.ts of the methods' schemas.\n${json}export interface ${title} {\n${text}}\n`;
}

function entryOf({ name, summary, description = summary, params, result }: Described): string {
  const members = params.map((param) => memberOf(param.name, param.required, param.schema));
  const about = description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
  return `${about}'${name}': {\nreadonly params: ${bracesOf(members)};\nreadonly result: ${textOf(result?.schema ?? {})};\n};\n`;
}

function textOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(textOf))].join(' | ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if ('const' in schema) return literal(schema.const);
  if (schema.type === 'array') return `readonly ${itemOf(schema.items ?? {})}[]`;
  if (schema.type === 'object') return objectOf(schema);
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => PLAIN[type] ?? 'Json')
      .join(' | ') || 'Json'
  );
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, inner]) => memberOf(name, required.includes(name), inner));
  if (members.length > 0) return bracesOf(members);
  return typeof additionalProperties === 'object'
    ? `Readonly<Record<string, ${textOf(additionalProperties)}>>`
    : 'object';
}

const memberOf = (name: string, isNeeded: boolean, schema: Schema): string =>
  `readonly ${/^\w+$/.test(name) ? name : literal(name)}${isNeeded ? '' : '?'}: ${textOf(schema)};\n`;

const bracesOf = (members: readonly string[]): string =>
  members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}}`;

const itemOf = (schema: Schema): string => {
  const isUnion = (schema.anyOf ?? schema.enum ?? [schema.type].flat()).length > 1;
  return isUnion ? `(${textOf(schema)})` : textOf(schema);
};

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const methods = await describedMethods();
  for (const name of Object.keys(FILES) as (keyof typeof FILES)[])
    writeFileSync(`${root}lib/browser/${name}-methods.ts`, fileOf(name, methods));
  execFileSync('npx', ['biome', 'format', '--write', 'lib/browser'], { cwd: root });
}
