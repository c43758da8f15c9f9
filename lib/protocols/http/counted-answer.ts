// Requests of plain HTTP that need no session: their turns, and answers whose bytes count until they are taken.
import { type Account, OverBoundError } from '../../serving/scheduling/account.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { HttpExchange, ResponseHeaders } from '../../serving/transport/http-exchange.js';

/** An account for one exchange, until the client has taken the answer or has gone. */
export function accountFor(exchange: HttpExchange, { ledger }: Pick<SessionRegistry, 'ledger'>): Account {
  const account = ledger.open(exchange.peer);
  exchange.onClose(() => account.close());
  return account;
}

/** Answers with a text, counted as long as the account is open; or returns why the client may not have it unread, in one sentence, and answers nothing. */
export function respondCounted(
  exchange: HttpExchange,
  account: Account,
  headers: ResponseHeaders,
  text: string,
): string | undefined {
  const bytes = Buffer.from(text);
  try {
    account.take('unreadBytes', bytes.length);
  } catch (error) {
    if (error instanceof OverBoundError) return error.message;
    throw error;
  }
  exchange.respond(200, headers, bytes);
  return undefined;
}
