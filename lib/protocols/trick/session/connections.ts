// The open sessions as JSON. Trick: operator<<(std::ostream&, VariableServer&), VariableServerSession
import { bracketed, parseAddress } from '../../../serving/transport/address.js';
import type { TrickSession } from './trick-session.js';

/** The most sessions that are shown. */
const MOST_SESSIONS = 500;
/** The most characters of the text: fewer than a block may print. */
const MOST_CHARACTERS = 800_000;
/** Characters of a piece, which takes a twentieth of a millisecond. */
const PIECE_CHARACTERS = 8192;

/** Between two names, and before the first one. */
const NEXT_NAME = ',\n          ';
const FIRST_NAME = '[\n          ';
/** How a session without variables ends. */
const NO_NAMES = '[]\n      }\n    }';

/** How much is not shown. */
export interface LeftOut {
  sessions: number;
  names: number;
}

export type ShownSession = Pick<TrickSession, 'client' | 'isBinary' | 'cadence' | 'listLength' | 'listedNames'>;

/**
 * The list that var_server_list_connections prints and that Trick's web server serves, in pieces; returns what is left
 * out. Each session may take an equal part of the characters that those before it have left.
 */
export function* connectionsJson(sessions: Iterable<ShownSession>): Generator<string, LeftOut> {
  const all = [...sessions];
  const shown = all.slice(0, MOST_SESSIONS);
  const leftOut = { sessions: all.length - shown.length, names: 0 };
  let room = MOST_CHARACTERS;
  yield '{\n  "variable_server_connections": [';
  for (const [index, session] of shown.entries()) {
    const share = Math.floor(room / (shown.length - index));
    const start = `${index > 0 ? ',' : ''}\n    ${startOf(session)}`;
    room -= start.length + NO_NAMES.length;
    yield start;
    const { names, characters } = yield* variablesOf(session, share - start.length - NO_NAMES.length);
    room -= characters;
    leftOut.names += Math.max(0, session.listLength - names);
  }
  yield `${shown.length > 0 ? '\n  ' : ''}]\n}\n`;
  return leftOut;
}

/** A session up to its variables. */
function startOf({ client, isBinary, cadence }: ShownSession): string {
  const { tag, facts } = client;
  const { host, port } = parseAddress(facts.peer) ?? { host: facts.peer, port: '' };
  const connection = {
    client_tag: tag,
    client_IP_address: bracketed(host),
    client_port: String(port),
    format: isBinary ? 'BINARY' : 'ASCII',
    update_rate: cadence.cycleSeconds,
    variables: [],
  };
  return JSON.stringify({ connection }, null, 2).replaceAll('\n', '\n    ').slice(0, -NO_NAMES.length);
}

/** The first variables of a session, as many as have room, and its end; returns how many, and their characters. */
function* variablesOf(
  session: ShownSession,
  room: number,
): Generator<string, { readonly names: number; readonly characters: number }> {
  let names = 0;
  let characters = 0;
  let piece: string[] = [];
  let pieceEnd = PIECE_CHARACTERS;
  for (const name of session.listedNames()) {
    // Most names are longer as JSON, none is shorter.
    if (NEXT_NAME.length + name.length > room - characters) break;
    const shown = JSON.stringify(name);
    if (NEXT_NAME.length + shown.length > room - characters) break;
    names++;
    characters += NEXT_NAME.length + shown.length;
    piece.push(shown);
    if (characters < pieceEnd) continue;
    yield joined(piece, names);
    piece = [];
    pieceEnd = characters + PIECE_CHARACTERS;
  }
  if (piece.length > 0) yield joined(piece, names);
  yield names > 0 ? `\n        ${NO_NAMES.slice(1)}` : NO_NAMES;
  return { names, characters };
}

/** Names of a list, the last of which is one of the first so many. */
const joined = (piece: readonly string[], names: number): string =>
  (names === piece.length ? FIRST_NAME : NEXT_NAME) + piece.join(NEXT_NAME);
