// A tool for language models: what it takes, what it does by methods of JSON-RPC, and how its mistakes are told.
import { z } from 'zod';

/** Calls a method of JSON-RPC. Rejects with an Error whose message is one sentence. */
export type CallMethod = (method: string, params: object) => Promise<unknown>;

export interface Tool {
  readonly name: string;
  /** For the model: what it is for, and when to use it. */
  readonly about: string;
  readonly takes: z.ZodObject;
  /** Whether it changes the simulation, and whether what it changes is lost. */
  readonly changes?: 'adds' | 'destroys';
  run(call: CallMethod, given: unknown): Promise<object>;
}

interface Definition<Takes extends z.ZodObject> extends Omit<Tool, 'takes' | 'run'> {
  readonly takes: Takes;
  run(call: CallMethod, given: z.output<Takes>): Promise<object>;
}

export function defineTool<Takes extends z.ZodObject>(definition: Definition<Takes>): Tool {
  const { takes, run, ...rest } = definition;
  return { ...rest, takes, run: async (call, given) => run(call, checked(definition.name, takes, given)) };
}

/** Models write numbers, lists and objects as texts now and then; they are taken for what they say. */
function checked<Takes extends z.ZodObject>(name: string, takes: Takes, given: unknown): z.output<Takes> {
  const plain = takes.safeParse(given ?? {});
  if (plain.success) return plain.data;
  const read = takes.safeParse(withoutQuotes(given, plain.error));
  if (read.success) return read.data;
  const [issue] = plain.error.issues;
  const where = issue?.path.join('.');
  const what = issue?.message.replace(/^Invalid input: /, '') ?? 'something else was expected';
  throw new Error(
    `${name}: ${where ? `${where}: ` : ''}${what}; it takes ${Object.keys(takes.shape).join(', ') || 'nothing'}`,
  );
}

function withoutQuotes(given: unknown, { issues }: z.ZodError): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const wrong = new Set(issues.map(({ path }) => path[0]));
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      wrong.has(key) && typeof value === 'string' ? read(value) : value,
    ]),
  );
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The JSON Schema of what a tool takes. */
export const inputSchema = ({ takes }: Tool): Record<string, unknown> => {
  const { $schema, ...schema } = z.toJSONSchema(takes, { io: 'input' });
  return schema;
};
