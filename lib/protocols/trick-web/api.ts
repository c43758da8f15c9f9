// GET /api/http/NAME. Trick: MyCivetServer, http_GET_handlers.cpp

import type { Catalog } from '../../model/state/catalog.js';
import { cNameOf, shapeOf, sizeOf, type Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { ClientSessions } from '../../serving/session/client-sessions.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { bracketed, hostOf } from '../../serving/transport/address.js';
import type { Admission, RouteHandler } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import { callerOfRequest, GoneError } from '../json-rpc/caller.js';
import { addressText } from '../trick/commands/address.js';
import type { TrickFrontEnd } from '../trick/front-end/front-end.js';
import { connectionsJson } from '../trick/session/connections.js';

export const HTTP_API = '/api/http';

const TEXT = { 'content-type': 'text/plain', 'cache-control': 'no-store' };
/** What Trick's code has; its documentation says 20. */
const ALLOCATIONS = 10;
const MOST_ALLOCATIONS = 10_000;
const PIECES_AT_ONCE = 64;

export interface ApiParts {
  readonly registry: SessionRegistry;
  readonly clients: ClientSessions;
  readonly trick: Pick<TrickFrontEnd, 'sessions'>;
  /** By name. */
  readonly handlers: Readonly<Record<string, RouteHandler>>;
}

/** Answers a request for what lies at or below HTTP_API. */
export async function answerApi(exchange: HttpExchange, admission: Admission, parts: ApiParts): Promise<void> {
  const { method, path, query } = exchange;
  const name = path.slice(HTTP_API.length + 1);
  const say = (status: number, text: string): void =>
    void exchange.respond(status, { ...TEXT, ...admission.headers }, text);
  if (method !== 'GET' && method !== 'HEAD') return say(405, `${method} method not allowed`);
  if (name === '') return say(405, 'No endpoint given.  To access the api use the /api/http/<endpoint>.');
  const handler = Object.hasOwn(parts.handlers, name) ? parts.handlers[name] : undefined;
  if (handler) return handler(exchange, admission);
  const session = parts.clients.of(bracketed(hostOf(exchange.peer)));
  const { turn } = callerOfRequest(session.account, exchange, parts.registry.turns, () => admission.mayAsk());
  const send = (pieces: Iterable<string>): Promise<void> =>
    joined(pieces, turn).then((text) => say(200, text), unlessGone);
  if (name === 'vs_connections') return send(vsConnections(parts.trick.sessions));
  if (name !== 'alloc_info') return say(404, `Error: http api ${name.slice(0, 100)} is not implemented.`);
  const count = Math.min(numberOf(query.get('count'), ALLOCATIONS), MOST_ALLOCATIONS);
  return send(allocations(parts.registry.source.catalog, numberOf(query.get('start'), 0), count));
}

/** As C's atoi, but never negative, and always a number of JSON. */
const numberOf = (text: string | null, standard: number): number =>
  text === null ? standard : Math.min(Math.max(0, Number.parseInt(text, 10) || 0), Number.MAX_SAFE_INTEGER);

function unlessGone(error: unknown): void {
  if (!(error instanceof GoneError)) throw error;
}

async function joined(pieces: Iterable<string>, turn: () => Promise<void>): Promise<string> {
  const all: string[] = [];
  for (const piece of pieces) {
    if (all.length % PIECES_AT_ONCE === 0) await turn();
    all.push(piece);
  }
  return all.join('');
}

/** The list of var_server_list_connections in the web server's spelling. A line end never stands within a JSON text. */
function* vsConnections(sessions: TrickFrontEnd['sessions']): Generator<string> {
  for (const piece of connectionsJson(sessions)) {
    if (piece.startsWith('{')) yield '{"variable_server_connections":[';
    else
      yield piece
        .replace(/^\n? *\]\n\}\n$/, '\n]}\n')
        .replaceAll('\n    ', '\n')
        .replace(/^( *"\w+":) /gm, '$1');
  }
}

/** The objects, and the variables that have been declared, in order. Trick: MemoryManager's ALLOC_INFO */
function* allocations(catalog: Catalog, start: number, count: number): Generator<string> {
  yield `{\n"alloc_total":${catalog.topCount},\n"chunk_size":${count},\n"chunk_start":${start},\n"alloc_list":[\n`;
  let index = 0;
  for (const top of catalog.tops()) {
    if (index >= start + count) break;
    // An empty piece counts as one, so that a long way to the start gives way too.
    yield index < start ? '' : `${index > start ? ',\n' : ''}${allocation(top, isLocal(top, catalog))}`;
    index++;
  }
  yield ']}\n';
}

function allocation({ path, type, offsetBytes }: Variable, isDeclared: boolean): string {
  const { extents, element } = shapeOf(type);
  const bytes = bytesOf(type);
  const first = placeOf(type, offsetBytes);
  const facts = {
    name: path,
    start: addressText(first),
    end: addressText(first + Math.max(1, bytes) - 1),
    num: `${extents.reduce((product, extent) => product * extent, 1)}`,
    size: `${bytes}`,
    type: cNameOf(element),
    stcl: isDeclared ? 'TRICK_LOCAL' : 'TRICK_EXTERN',
    language: 'Language_CPP',
  };
  const lines = Object.entries(facts).map(([name, value]) => `"${name}":${JSON.stringify(value)},\n`);
  return `{\n${lines.join('')}"index": [${extents.map((extent) => `"${extent}"`).join(', ')}]}\n`;
}

/** Whether a client or an input file has made it. */
function isLocal({ path }: Variable, catalog: Catalog): boolean {
  const object = catalog.object(path);
  return !object || object.isAdded === true;
}

/** Where the first byte lies: an object's components do not lie side by side, so it has no place of its own. */
function placeOf(type: Type, offsetBytes: number): number {
  if (type.kind !== 'struct' || type.sizeBytes > 0 || type.members.length === 0) return offsetBytes;
  return Math.min(...type.members.map((member) => placeOf(member.type, offsetBytes + member.offsetBytes)));
}

function bytesOf(type: Type): number {
  if (type.kind !== 'struct' || type.sizeBytes > 0) return sizeOf(type);
  return type.members.reduce((sum, member) => sum + bytesOf(member.type), 0);
}
