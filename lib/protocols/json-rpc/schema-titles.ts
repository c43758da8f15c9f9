// Titles for JSON schemas: generators name their types after them, so each schema of the document has one of its own.

interface Schema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

/** The same schema with a title at each level, from the name of the outermost: `VarGetResult`, `VarGetResultValues`. */
export function titled(schema: Schema, title: string): Schema {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    title,
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, titled(property, title + titleOf(name))]),
      ),
    }),
    ...(items && { items: titled(items, `${title}Item`) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: titled(additionalProperties, `${title}Value`),
    }),
    ...(anyOf && { anyOf: anyOf.map((choice, index) => titled(choice, `${title}${index + 1}`)) }),
  };
}

/** `var/set-result` becomes `VarSetResult`, `cycle_ms` becomes `CycleMs`. */
export const titleOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
