// The answer to a request whose handler failed.
import { BodyAbortedError, BodyCrowdedOutError, BodyTooLargeError } from './http-body.js';
import type { NodeHttpExchange } from './http-exchange.js';

export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Gets what a handler threw; the client gets 500. */
export type ReportFailure = (error: unknown, exchange: NodeHttpExchange) => void;

/** An error about the body has a status of its own; any other is reported. */
export function answerFailure(error: unknown, exchange: NodeHttpExchange, report: ReportFailure = warn): void {
  if (error instanceof BodyAbortedError) return;
  if (error instanceof BodyTooLargeError) {
    exchange.respond(413, TEXT, `${error.message}\n`);
    return;
  }
  if (error instanceof BodyCrowdedOutError) {
    exchange.respond(503, { ...TEXT, connection: 'close' }, `${error.message}\n`);
    return;
  }
  report(error, exchange);
  if (!exchange.respond(500, TEXT, 'the server failed to answer this request\n')) exchange.finish();
}

const warn: ReportFailure = (error) => process.emitWarning(`an HTTP handler failed: ${error}`);
