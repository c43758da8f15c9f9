// TypeScript from the titled schemas of an OpenRPC document, and what the compiler says about it.
import { createRequire } from 'node:module';

export interface Schema {
  readonly title?: string;
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
  readonly params: readonly { readonly schema: object }[];
  readonly result?: { readonly schema: object };
}

/** One declaration for each schema, named by its title. A title that is used twice does not compile. */
export function typesOf(methods: readonly Described[]): string {
  const lines: string[] = [];
  for (const { params, result } of methods)
    for (const { schema } of [...params, ...(result ? [result] : [])]) declare(schema as Schema, lines);
  return lines.join('\n');
}

function declare(schema: Schema, lines: string[]): string {
  const text = textOf(schema, (inner) => declare(inner, lines));
  lines.push(`type ${schema.title} = ${text};`);
  return schema.title as string;
}

/** The types without parts. */
export const PLAIN: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

function textOf(schema: Schema, inner: (schema: Schema) => string): string {
  if (schema.anyOf) return schema.anyOf.map(inner).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `readonly ${schema.items ? inner(schema.items) : 'unknown'}[]`;
  if (schema.type === 'object') return objectText(schema, inner);
  return (schema.type && PLAIN[schema.type as string]) || 'unknown';
}

function objectText(
  { properties = {}, required = [], additionalProperties }: Schema,
  inner: (schema: Schema) => string,
): string {
  const members = Object.entries(properties).map(
    ([name, property]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${inner(property)}`,
  );
  if (typeof additionalProperties !== 'object') return `{ ${members.join('; ')} }`;
  return `{ ${[...members, `readonly [name: string]: ${inner(additionalProperties)}`].join('; ')} }`;
}

/** What the compiler finds wrong with a text. */
export function compileErrors(text: string): string[] {
  // Loaded without `import`: this compiler has the interface for programs.
  const ts = createRequire(import.meta.url)('typescript-5');
  const name = 'types.ts';
  const options = { strict: true, noLib: true, noEmit: true, types: [] };
  const source = ts.createSourceFile(name, `${LIB}\n${text}`, ts.ScriptTarget.ES2022);
  const program = ts.createProgram([name], options, {
    getSourceFile: (file: string) => (file === name ? source : undefined),
    getDefaultLibFileName: () => '',
    writeFile: () => undefined,
    getCurrentDirectory: () => '',
    getCanonicalFileName: (file: string) => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (file: string) => file === name,
    readFile: () => undefined,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }: { readonly messageText: unknown }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** What the compiler needs of a library. */
const LIB = [
  'interface Array<T> { readonly length: number; [index: number]: T }',
  'interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }',
  ...[
    'Boolean',
    'CallableFunction',
    'Function',
    'IArguments',
    'NewableFunction',
    'Number',
    'Object',
    'RegExp',
    'String',
  ].map((name) => `interface ${name} {}`),
].join('\n');
