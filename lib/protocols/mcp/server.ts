// A server of the Model Context Protocol with the tools, for one connection or one request.
import { ProtocolError, ProtocolErrorCode, Server, type Transport } from '@modelcontextprotocol/server';
import { quoted, RpcCode } from '../json-rpc/rpc-error.js';
import { RUN_TOOLS } from './run-tools.js';
import { type CallMethod, inputSchema, issueText, type Tool } from './tool.js';
import { TOOLS } from './tools.js';

/** What a model asks is short. */
export const MOST_MESSAGE_BYTES = 2 ** 20;
/** A longer answer would fill a model's context. */
const LONGEST_ANSWER = 100_000;

export interface ToolServerFacts {
  readonly version: string;
  /** Whether the tools that change the simulation are there. */
  readonly mayChange: boolean;
  readonly call: CallMethod;
  /** Answers what is asked of recorded runs, by kind; without it their tools are not there. */
  readonly runs?: CallMethod | undefined;
}

/** What a client may keep, and how long: which tools there are depends on its token, and changes with the server alone. */
const KEPT = { ttlMs: 300_000, cacheScope: 'private' } as const;

const INSTRUCTIONS =
  'A running simulation. find_variables gives the names that the other tools take; times are simulation seconds. Values come with units; ask for others with `units`. Save a checkpoint before you change much.';

function described(tool: Tool) {
  const { name, about, changes } = tool;
  return {
    name,
    description: about,
    inputSchema: inputSchema(tool) as { type: 'object' },
    annotations: { readOnlyHint: changes === undefined, destructiveHint: changes === 'destroys', openWorldHint: false },
  };
}

type Described = ReturnType<typeof described>;

/** Made once: their schemas take milliseconds. */
const DESCRIBED = new Map([...TOOLS, ...RUN_TOOLS].map((tool) => [tool.name, described(tool)]));

/** Its errors are one sentence each, not the library's lists of what is wrong with a message. */
class OneSentenceServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(inOneSentence(message), options);
    await super.connect(transport);
  }
}

function inOneSentence<Message>(message: Message): Message {
  const { error } = message as { readonly error?: { readonly message: string } };
  return error ? { ...message, error: { ...error, message: oneSentence(error.message) } } : message;
}

/** Of a text of the library, which may end with a list of issues in JSON. */
export function oneSentence(text: string): string {
  try {
    return issueText(JSON.parse(text.replace(/^[^[]*/, '')));
  } catch {
    return text;
  }
}

export function toolServer({ version, mayChange, call, runs }: ToolServerFacts): Server {
  const own = TOOLS.filter(({ changes }) => mayChange || changes === undefined);
  const tools = [...own, ...(runs ? RUN_TOOLS : [])];
  const server = new OneSentenceServer(
    { name: 'varwire', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': KEPT, 'server/discover': KEPT },
    },
  );
  server.setRequestHandler('tools/list', ({ params }) => {
    if (params?.cursor === undefined) return { tools: tools.map(({ name }) => DESCRIBED.get(name) as Described) };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'all tools are on one page: ask without a cursor');
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    try {
      if (!tool) throw new Error(`there is no tool ${quoted(params.name)}`);
      const asked = runs && RUN_TOOLS.includes(tool) ? runs : call;
      return answerOf(await tool.run((method, given) => asked(method, given, signal), params.arguments));
    } catch (error) {
      const next =
        stepAfter(error as Refusal) ?? tool?.next ?? `There are ${tools.map(({ name }) => name).join(', ')}.`;
      const text = `${(error as Error).message.replace(/[^.?]$/, '$&.')} ${next}`;
      return { isError: true, content: [{ type: 'text', text }] };
    }
  });
  return server;
}

interface Refusal {
  readonly code?: number;
  readonly next?: string;
}

/** What to do about a refusal that does not come of what was asked. */
const stepAfter = ({ code, next }: Refusal): string | undefined =>
  code === RpcCode.notAllowed ? 'Ask the user for a token that may change the simulation.' : next;

function answerOf(result: object) {
  const text = JSON.stringify(result);
  if (text.length > LONGEST_ANSWER)
    throw new Error(
      `the answer would have ${text.length} characters, and ${LONGEST_ANSWER} are the most; ask for fewer variables, fewer samples or a smaller limit`,
    );
  return { structuredContent: result as Record<string, unknown>, content: [{ type: 'text' as const, text }] };
}
