// What acts on the whole server, and is the operator's: who may connect, and what the operator has set. From a client it
// changes nothing then, and the client is told so once.
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import type { CommandContext } from './command.js';

const REFUSALS = {
  rules: 'nothing changes: here only the operator decides who may connect, not a client (varwire run --client-rules)',
  settings: 'nothing changes: what the operator has set for the whole server stays, whatever a client sets',
} as const;
type Kind = keyof typeof REFUSALS;

/** The kinds that a session has been told of. */
const told = new WeakMap<TrickSession, Set<Kind>>();

function refuse({ server, session, complain }: CommandContext, kind: Kind): void {
  const kinds = told.get(session) ?? new Set();
  told.set(session, kinds);
  if (kinds.has(kind)) return;
  kinds.add(kind);
  complain(REFUSALS[kind]);
  server.log(`${session.client.facts.peer}: ${REFUSALS[kind]}`, 'warning');
}

/** Runs `act`, whose error becomes a complaint. */
function attempt({ complain }: CommandContext, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    complain((error as Error).message);
  }
}

/** Runs `act`, a rule on who may connect, for the operator and, where clients may have rules, for them. */
export function rule(context: CommandContext, act: () => unknown): void {
  if (context.isOperators || context.server.hasClientRules) attempt(context, act);
  else refuse(context, 'rules');
}

export type Setting = 'user tag' | 'log' | 'event messages' | 'event errors';

/** What the operator has set of a server. */
const chosen = new WeakMap<TrickServer, Set<Setting>>();

/** Runs `act`, which sets what holds for all sessions: for clients as long as the operator's texts have not set it. */
export function setting(context: CommandContext, name: Setting, act: () => void): void {
  const names = chosen.get(context.server) ?? new Set();
  chosen.set(context.server, names);
  if (context.isOperators || context.owner === '') names.add(name);
  else if (names.has(name)) {
    refuse(context, 'settings');
    return;
  }
  act();
}
