// An answer of plain HTTP whose bytes count until the client has taken them.
import { type Account, OverBoundError } from '../session/account.js';
import type { HttpExchange, ResponseHeaders } from '../transport/http-exchange.js';

/** Answers with a text; or returns why the client may not have it unread, in one sentence, and answers nothing. */
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
  exchange.onClose(() => account.give('unreadBytes', bytes.length));
  exchange.respond(200, headers, bytes);
  return undefined;
}
