// A method in a protocol's table: its name, its schemas, and what it does.
import type { z } from 'zod';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import type { AnswerText } from './answer-text.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';
import { type MethodOutcome, outcomeOf, type Streamed } from './streamed.js';

export interface MethodExample {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

/** `Stream` is the stream that a result may begin; `never` for most methods. */
export interface Method<Context, Stream = never> {
  readonly name: string;
  /** One or two sentences for the OpenRPC document. */
  readonly about: string;
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
  readonly examples: readonly MethodExample[];
  /** Whether the method changes the simulation; clients that may only read are refused. */
  readonly isChange: boolean;
  /** Checks the parameters and runs, in a turn of the client. Throws an RpcError, or rejects with one. */
  call(context: Context, params: unknown): Awaitable<MethodOutcome<Stream>>;
}

/** A result, or its text when the result is long. */
type Returned<Result, Stream> = Result | AnswerText | Streamed<Result, Stream>;

export interface MethodDefinition<Context, Params extends z.ZodObject, Result extends z.ZodType, Stream> {
  readonly name: string;
  readonly about: string;
  /** A strict object schema: parameters are given by name. */
  readonly params: Params;
  readonly result: Result;
  readonly examples?: readonly MethodExample[];
  readonly isChange?: boolean;
  /** Begins in a turn of the client; one that computes for more than a millisecond awaits its turn again and again. */
  run(context: Context, params: z.output<Params>): Awaitable<Returned<z.input<Result>, Stream>>;
}

type Awaitable<T> = T | Promise<T>;

export function defineMethod<Context, Params extends z.ZodObject, Result extends z.ZodType, Stream = never>(
  definition: MethodDefinition<Context, Params, Result, Stream>,
): Method<Context, Stream> {
  const { name, about, params, result, examples = [], isChange = false } = definition;
  return {
    name,
    about,
    params,
    result,
    examples,
    isChange,
    call(context, given) {
      const returned = definition.run(context, checkParams(name, params, given));
      return returned instanceof Promise ? returned.then((value) => outcomeOf<Stream>(value)) : outcomeOf(returned);
    },
  };
}

function checkParams<Params extends z.ZodObject>(name: string, schema: Params, given: unknown): z.output<Params> {
  // Clients with positional parameters send an empty list for no parameters.
  const params = Array.isArray(given) && given.length === 0 ? {} : (given ?? {});
  const known = Object.keys(schema.shape);
  if (typeof params !== 'object' || Array.isArray(params)) {
    const came = Array.isArray(params) ? 'a list' : `a ${typeof params}`;
    throw new RpcError(
      RpcCode.invalidParams,
      `${name} takes its parameters by name${listOf(known)}; params is ${came}`,
    );
  }
  const checked = schema.safeParse(params);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw issueError(name, known, params as Record<string, unknown>, issue as z.core.$ZodIssue);
}

const listOf = (names: readonly string[]): string => (names.length > 0 ? ` (${names.join(', ')})` : '');

function issueError(
  name: string,
  known: readonly string[],
  params: Record<string, unknown>,
  issue: z.core.$ZodIssue,
): RpcError {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return unknownParameter(name, known, issue.keys[0]);
  const where = issue.path.map(spellStep).join('').replace(/^\./, '');
  if (issue.path.length === 1 && !Object.hasOwn(params, String(issue.path[0]))) {
    return new RpcError(RpcCode.invalidParams, `${name} needs the parameter ${where}`, { parameter: where });
  }
  const what = issue.message
    .replace(/^Invalid input: /, '')
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return new RpcError(RpcCode.invalidParams, `${name}: ${where ? `${where}: ` : ''}${what}`, { parameter: where });
}

const spellStep = (step: PropertyKey): string => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`);

function unknownParameter(name: string, known: readonly string[], parameter = ''): RpcError {
  const nearest = nearestNames(parameter, known);
  const takes = known.length > 0 ? `; it takes ${known.join(', ')}` : '; it takes none';
  const rest = nearest.length > 0 ? didYouMean(nearest) : takes;
  const sentence = `${name} has no parameter ${quoted(parameter)}${rest}`;
  return new RpcError(RpcCode.invalidParams, sentence, { parameter: parameter.slice(0, 100), nearest });
}
