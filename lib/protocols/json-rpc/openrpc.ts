// rpc.discover: the OpenRPC document of a method table, made from the schemas that check the parameters.
import { z } from 'zod';
import { AnswerText } from './answer-text.js';
import type { Caller } from './caller.js';
import { defineMethod, type Method, type MethodExample } from './method.js';
import { NOTIFICATIONS, type Notification } from './notifications.js';
import { RpcCode } from './rpc-error.js';
import { titled, titleOf } from './schema-titles.js';

export interface ServiceFacts<Context> {
  readonly version: string;
  /** Where the client of a call reaches the server, such as `http://127.0.0.1:7000`. */
  readonly baseUrlOf?: (context: Context) => string | undefined;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:7000';

const ERRORS: readonly (readonly [code: number, message: string])[] = [
  [RpcCode.parse, 'The text is not JSON in UTF-8'],
  [RpcCode.invalidRequest, 'The JSON is no JSON-RPC 2.0 request'],
  [RpcCode.methodNotFound, 'No such method; data.nearest has the nearest names'],
  [RpcCode.invalidParams, 'A parameter is missing, unknown or of the wrong kind'],
  [RpcCode.unknownVariable, 'No such variable; data.nearest has the nearest paths'],
  [RpcCode.valueRefused, 'The variable cannot hold the value'],
  [RpcCode.unitsRefused, 'The units do not parse, or do not convert'],
  [RpcCode.notReadable, 'The variable is write-only'],
  [RpcCode.unknownSubscription, 'No such subscription'],
  [RpcCode.requestRefused, 'The simulation refused the request'],
  [RpcCode.notAllowed, 'The client may not do this'],
  [RpcCode.timedOut, 'Time ran out'],
  [RpcCode.tooMany, 'As many as this server allows'],
];

export interface OpenRpc<Context> {
  /** `rpc.discover`, which describes these methods and itself. */
  readonly method: Method<Context>;
  /** The document for people to read, with line breaks. */
  readonly page: (baseUrl: string, turn: () => Promise<void>) => Promise<AnswerText>;
}

export function openRpc<Context extends Pick<Caller, 'turn'>>(
  methods: readonly Method<Context, unknown>[],
  facts: ServiceFacts<Context>,
): OpenRpc<Context> {
  const described: Described[] = [];
  async function document(turn: () => Promise<void>): Promise<object> {
    const all = [...methods, method];
    // The first time, the schemas of all methods take 20 ms; others may describe some meanwhile.
    for (let next = all[described.length]; next; next = all[described.length]) {
      described.push(describeMethod(next));
      await turn();
    }
    return { ...openRpcDocument(described, facts.version), servers: [{ ...SERVER, url: `${ADDRESS}/jsonrpc` }] };
  }
  let line: DocumentText | undefined;
  let lines: DocumentText | undefined;
  const method: Method<Context> = defineMethod({
    name: 'rpc.discover',
    about: 'This document.',
    params: z.strictObject({}),
    result: z.looseObject({ openrpc: z.string() }),
    async run(context) {
      line ??= new DocumentText(JSON.stringify(await document(context.turn)));
      return line.at(facts.baseUrlOf?.(context));
    },
  });
  async function page(baseUrl: string, turn: () => Promise<void>): Promise<AnswerText> {
    lines ??= new DocumentText(JSON.stringify(await document(turn), null, 2));
    return lines.at(baseUrl);
  }
  return { method, page };
}

const SERVER = { name: 'this server', summary: 'POST; a WebSocket at /ws takes the same calls' };
/** Stands in a document for the server's address. */
const ADDRESS = '{the address of this server}';

/** A document that is encoded once: answers differ in the address only. */
class DocumentText {
  private readonly before: AnswerText;
  private readonly after: AnswerText;

  constructor(text: string) {
    const [before = '', after = ''] = text.split(ADDRESS);
    this.before = AnswerText.encoded(before);
    this.after = AnswerText.encoded(after);
  }

  at(baseUrl = DEFAULT_BASE_URL): AnswerText {
    const text = new AnswerText();
    text.append(this.before);
    text.add(JSON.stringify(baseUrl).slice(1, -1));
    text.append(this.after);
    return text;
  }
}

function openRpcDocument(methods: readonly Described[], version: string): object {
  return {
    openrpc: '1.3.2',
    info: {
      title: 'varwire',
      version,
      description: 'Variables of a running simulation: POST /jsonrpc, WebSocket /ws, streams at GET /sse',
      license: { name: 'Apache-2.0' },
    },
    methods: [...methods, ...NOTIFICATIONS.map(describeNotification)],
    components: {
      errors: Object.fromEntries(ERRORS.map(([code, message]) => [errorName(code), { code, message }])),
    },
  };
}

const errorName = (code: number): string => `error${Math.abs(code)}`;

/** A method as OpenRPC describes it. */
interface Described {
  readonly name: string;
  readonly errors: readonly object[];
  readonly [member: string]: unknown;
}

export function describeMethod<Context>({
  name,
  about,
  params,
  result,
  examples,
}: Method<Context, unknown>): Described {
  return {
    name,
    summary: firstSentence(about),
    description: about,
    paramStructure: 'by-name',
    params: describeParams(name, params),
    result: { name: 'result', schema: titled(schemaOf(result), `${titleOf(name)}Result`) },
    errors: ERRORS.map(([code]) => ({ $ref: `#/components/errors/${errorName(code)}` })),
    examples: examples.map(describeExample),
  };
}

/** Describes a notification: a method without a result, which the server calls and clients receive. */
const describeNotification = ({ name, about, params }: Notification): object => ({
  name,
  summary: firstSentence(about),
  description: about,
  tags: [{ name: 'notification', description: 'Sent by the server over a WebSocket; it has no result.' }],
  paramStructure: 'by-name',
  params: describeParams(`${name} notification`, params),
});

const firstSentence = (about: string): string => /^.*?[.:;](?= |$)/.exec(about)?.[0].slice(0, -1) ?? about;

function describeParams(method: string, params: z.ZodObject): object[] {
  const { properties = {}, required = [] } = titled(schemaOf(params), `${titleOf(method)}Params`) as {
    properties?: Record<string, { description?: string }>;
    required?: readonly string[];
  };
  const described = Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(schema.description !== undefined && { description: schema.description }),
    required: required.includes(name),
    schema,
  }));
  // OpenRPC wants required parameters first.
  return described.sort((a, b) => Number(b.required) - Number(a.required));
}

/** JSON Schema of what a client sends; it may leave out parameters that have a default. */
function schemaOf(schema: z.ZodType): object {
  // A schema that checks by a function says by its `meta` what it takes.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' });
  return rest;
}

const describeExample = ({ name, params, result }: MethodExample): object => ({
  name,
  params: Object.entries(params).map(([parameter, value]) => ({ name: parameter, value })),
  result: { name: 'result', value: result },
});
