// Reads a request body up to a limit.
import type { IncomingMessage } from 'node:http';

/** The body is longer than the reader allows. What is left of it is thrown away when the request is answered. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(readonly limitBytes: number) {
    super(`the request body is longer than the ${limitBytes} bytes allowed`);
  }
}

/** The client went away, or ran out of time, before its body was complete. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
  constructor(readonly receivedBytes: number) {
    super(`the request body ended early, after ${receivedBytes} bytes`);
  }
}

/** Rejects with BodyTooLarge, before reading when the length is announced, or with BodyAborted. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    const fail = (error: Error) => {
      request.removeListener('data', collect);
      reject(error);
    };
    const collect = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) return fail(new BodyTooLarge(limitBytes));
      chunks.push(chunk);
    };
    request.on('error', () => {});
    request.once('close', () => {
      if (!request.complete) reject(new BodyAborted(receivedBytes));
    });
    if (request.destroyed && !request.complete) return fail(new BodyAborted(0));
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return fail(new BodyTooLarge(limitBytes));
    request.on('data', collect);
    request.once('end', () => resolve(Buffer.concat(chunks, receivedBytes)));
  });
}
