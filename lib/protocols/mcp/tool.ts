// A tool for language models: what it takes, what it does by methods of JSON-RPC, and how its mistakes are told.
import { z } from 'zod';

/** Calls a method of JSON-RPC, until the signal. Rejects with an Error whose message is one sentence; that of the server has its `code`, another may say what to do as `next`. */
export type CallMethod = (method: string, params: object, signal?: AbortSignal) => Promise<unknown>;

export interface Tool {
  readonly name: string;
  /** For the model: what it is for, and when to use it. */
  readonly about: string;
  readonly takes: z.ZodObject;
  /** Whether it changes the simulation, and whether what it changes is lost. */
  readonly changes?: 'adds' | 'destroys';
  /** For the model: what to do when a call is refused. */
  readonly next: string;
  run(call: CallMethod, given: unknown): Promise<object>;
}

interface Definition<Takes extends z.ZodObject> extends Omit<Tool, 'takes' | 'run'> {
  readonly takes: Takes;
  run(call: CallMethod, given: z.output<Takes>): Promise<object>;
}

export function defineTool<Takes extends z.ZodObject>(definition: Definition<Takes>): Tool {
  const { run, ...rest } = definition;
  const takes = definition.takes.strict() as unknown as Takes;
  return { ...rest, takes, run: async (call, given) => run(call, checked(definition.name, takes, given)) };
}

/** Models write numbers, lists and objects as texts now and then; they are taken for what they say. */
function checked<Takes extends z.ZodObject>(name: string, takes: Takes, given: unknown): z.output<Takes> {
  const plain = takes.safeParse(given ?? {});
  if (plain.success) return plain.data;
  const read = takes.safeParse(withoutQuotes(given, plain.error));
  if (read.success) return read.data;
  throw new Error(
    `${name}: ${issueText(plain.error.issues)}; it takes ${Object.keys(takes.shape).join(', ') || 'nothing'}`,
  );
}

/** Of a client's own words in a sentence. */
const LONGEST_PART = 200;

/** The first of what is wrong, and where. */
export function issueText([issue]: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]): string {
  const parts = [...(issue?.path ?? []), issue?.message.replace(/^Invalid input: /, '')];
  return parts.map((part) => String(part).slice(0, LONGEST_PART)).join(': ');
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

export interface Lenient {
  readonly missing?: object;
}

/** The answer, with what to do about names that do not exist. */
export const hinted = <Answer extends Lenient>(answer: Answer, hint: string): Answer =>
  answer.missing ? { ...answer, hint } : answer;
