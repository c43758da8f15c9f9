// The fields of messages in JSON, by the schema of their channel. Lichtblick: parseJsonSchema.ts
import { KIND } from '../../simulation/recording/mcap-channels.js';
import type { FieldPlan } from './mcap-fields.js';

const DEEPEST = 8;
const MOST_FIELDS = 100_000;
const KINDS: Readonly<Record<string, number>> = {
  number: KIND.double,
  integer: KIND.sfixed64,
  boolean: KIND.bool,
};

interface Schema {
  readonly type?: unknown;
  readonly oneOf?: unknown;
  readonly properties?: unknown;
}

/** The fields that are numbers and truth values. Throws an Error for a schema that is none of an object. */
export function jsonFieldsIn(schema: Uint8Array): ReadonlyMap<number, FieldPlan> {
  const root = schemaOf(JSON.parse(Buffer.from(schema).toString()));
  if (root?.type !== 'object') throw new Error('its schema is not of an object');
  return plansOf(root, { fields: MOST_FIELDS }, DEEPEST);
}

const schemaOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null ? (value as Schema) : undefined;

function plansOf({ properties }: Schema, budget: { fields: number }, depth: number): Map<number, FieldPlan> {
  const plans = new Map<number, FieldPlan>();
  for (const [name, value] of Object.entries(schemaOf(properties) ?? {})) {
    if (--budget.fields < 0) throw new Error(`its schema has more than ${MOST_FIELDS} fields`);
    const schema = schemaOf(value);
    if (!schema) continue;
    const isObject = schema.type === 'object' && depth > 0;
    // An enumeration is one of some numbers.
    const kind = Array.isArray(schema.oneOf) ? KIND.sfixed64 : KINDS[String(schema.type)];
    if (isObject) plans.set(plans.size, { name, kind: KIND.message, fields: plansOf(schema, budget, depth - 1) });
    else if (kind !== undefined) plans.set(plans.size, { name, kind });
  }
  return plans;
}

/** The object that a message is; bare NaN and Infinity, which JSON does not have, are null. Undefined for other bytes. */
export function jsonObjectIn(message: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString();
  for (const each of [text, text.replaceAll(/(?<=[:,[]\s*)(NaN|-?Infinity)\b/g, 'null')])
    try {
      const found: unknown = JSON.parse(each);
      return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
    } catch {
      // The other form is tried.
    }
  return undefined;
}
