// Trick's JSON variable server: GET /vars/a/b, on a port of its own. Trick: JSONVariableServerThread
import { cNameOf, shapeOf, type Type, trickCodeOf } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { bracketed, hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import { callerOfRequest, GoneError } from '../json-rpc/caller.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import { IO_ATTRIBUTES } from '../trick/wire/sie.js';

export interface JsonVariablesParts {
  readonly registry: SessionRegistry;
  readonly clients: ClientSessions;
  readonly calls: MethodCalls;
}

const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };
/** Objects and variables that /vars lists. */
const MOST_LISTED = 10_000;
const AT_ONCE = 64;

/** Members as Trick writes them: a line each, a blank before each comma. */
const objectText = (members: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(members)
    .map(([name, value]) => `    ${JSON.stringify(name)} : ${JSON.stringify(value)}`)
    .join(' ,\n')}\n}\n`;

/** Answers any request. */
export async function answerJsonVariables(
  exchange: HttpExchange,
  admission: Admission,
  { registry, clients, calls }: JsonVariablesParts,
): Promise<void> {
  const { method, path, headers } = exchange;
  const say = (status: number, text: string) =>
    void exchange.respond(status, { ...JSON_TYPE, ...admission.headers }, text);
  const nothing = () => say(404, objectText({ name: path.slice(0, 200), message: 'Not Found' }));
  if (method !== 'GET') return say(405, objectText({ message: 'Method not allowed' }));
  const { source } = registry;
  const at = `http://${headers.host ?? 'localhost'}`;
  if (path === '/') return say(200, objectText({ commands: `${at}/commands`, vars: `${at}/vars` }));
  if (path === '/commands') return say(200, '{"exec_get_sim_time": "exec_get_sim_time()"}\n');
  if (path === '/commands/exec_get_sim_time') return say(200, `{ "sim_time": "${source.frame.timeSeconds}" }\n`);
  const session = clients.of(bracketed(hostOf(exchange.peer)));
  const caller = callerOfRequest(session.account, exchange, registry.turns, () => admission.mayAsk());
  try {
    if (path === '/vars') {
      const types: Record<string, string> = {};
      let count = 0;
      for (const { path: name, type } of source.catalog.tops()) {
        if (count++ % AT_ONCE === 0) await caller.turn();
        if (count > MOST_LISTED) break;
        types[name] = cNameOf(shapeOf(type).element);
      }
      return say(200, objectText(types));
    }
    const variable = variableAt(registry, path);
    if (!variable) return nothing();
    const read = async (): Promise<unknown> => {
      const context = calls.contextOf(session, caller, false);
      const { result, heldBytes } = await calls.call(context, 'var/get', { aliases: [variable.path] });
      session.account.give('unreadBytes', heldBytes);
      return (result as { values: Record<string, unknown> }).values[variable.path];
    };
    say(200, objectText({ name: variable.path, ...(await factsOf(variable, read)) }));
  } catch (error) {
    if (!(error instanceof GoneError))
      say(400, objectText({ name: path.slice(0, 200), message: (error as Error).message }));
  }
}

/** `/vars/a/b[1]` is a.b[1]. */
function variableAt({ source }: SessionRegistry, path: string): Variable | undefined {
  const [, below] = /^\/vars\/(.+)$/.exec(path) ?? [];
  if (below === undefined) return undefined;
  try {
    const found = source.catalog.find(decodeURIComponent(below).replaceAll('/', '.'));
    return found?.access === 'write-only' ? undefined : found;
  } catch {
    return undefined;
  }
}

async function factsOf({ type, units, about, access }: Variable, read: () => Promise<unknown>): Promise<object> {
  const { extents, element } = shapeOf(type);
  const links = linksOf(type);
  return {
    ...(links ? { links } : { value: await read(), units: units === '--' ? '1' : units }),
    description: about,
    type_name: cNameOf(element),
    type: trickCodeOf(type),
    io: IO_ATTRIBUTES[access],
    ...(extents.length > 0 && {
      num_index: extents.length,
      index: extents.map((size) => ({ size, start: 0 })),
    }),
  };
}

/** The members of a structure, or of the elements of an array of them. */
function linksOf(type: Type): readonly string[] | undefined {
  const { element } = shapeOf(type);
  return element.kind === 'struct' ? element.members.map(({ name }) => name) : undefined;
}
