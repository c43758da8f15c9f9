// What acts on the whole server is the operator's: from a client it changes nothing, and the client is told so once.
import type { TrickSession } from '../session/trick-session.js';
import type { CommandContext } from './command.js';

const REFUSALS = {
  rules: 'nothing changes: here only the operator decides who may connect, not a client (varwire run --client-rules)',
  settings:
    'nothing changes: only the operator, in an input file, changes what holds for the whole server, not a client',
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

/** Runs `act`, which changes what holds for all sessions, for the operator's texts, those of its events too. */
export function setting(context: CommandContext, act: () => void): void {
  if (context.isOperators || context.owner === '') act();
  else refuse(context, 'settings');
}
