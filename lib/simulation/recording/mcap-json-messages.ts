// Rows as messages in JSON with a schema for each channel, as more programs read than protobuf. Lichtblick: parseJsonSchema.ts
import { type LeafValue, readLeaf } from '../../model/state/memory.js';
import type { LeafType } from '../../model/state/type.js';
import { KIND, type MessageEncoding } from './mcap-channels.js';
import type { Column } from './row.js';

/** Types in schemas: each value has one, and none is null. */
const TYPES: Readonly<Record<number, string>> = {
  [KIND.double]: 'number',
  [KIND.sfixed64]: 'integer',
  [KIND.bool]: 'boolean',
};

/** The kind of field that a value in JSON is: a number, an integer or a truth value. */
export function jsonKindOf(type: LeafType): number {
  if (type.kind !== 'number') return KIND.sfixed64;
  if (type.name === 'double' || type.name === 'float') return KIND.double;
  return type.name === 'bool' ? KIND.bool : KIND.sfixed64;
}

/** NaN and infinite numbers, which JSON does not have, are left out. */
export const JSON_MESSAGES: MessageEncoding = {
  messages: 'json',
  schemas: 'jsonschema',
  schemaOf({ message, fields }) {
    const properties = Object.fromEntries(fields.map(({ name, column }) => [name, propertyOf(column)]));
    return Buffer.from(JSON.stringify({ title: message, type: 'object', properties }));
  },
  encode({ fields }, { memory }) {
    const members = fields.flatMap(({ name, column: { type, offsetBytes } }) => {
      const text = textOf(readLeaf(type, memory, offsetBytes));
      return text === undefined ? [] : [`"${name}":${text}`];
    });
    return Buffer.from(`{${members.join(',')}}`);
  },
};

function propertyOf({ name, units, type }: Column): object {
  const labels = new Map<number, string>();
  // Of labels that stand for one number the first counts.
  for (const [label, value] of Object.entries(type.kind === 'enumeration' ? type.labels : {}))
    if (!labels.has(value)) labels.set(value, label);
  return {
    type: TYPES[jsonKindOf(type)],
    description: `${name} {${units}}`,
    ...(labels.size > 0 && { oneOf: [...labels].map(([value, label]) => ({ const: value, title: label })) }),
  };
}

function textOf(value: LeafValue): string | undefined {
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return undefined;
  return Object.is(value, -0) ? '-0' : String(value);
}
