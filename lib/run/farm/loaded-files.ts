// A hook of Node's loader that tells which files are imported.
import type { ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';

let port: MessagePort;

export function initialize(given: MessagePort): void {
  port = given;
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  if (found.url.startsWith('file:')) port.postMessage(fileURLToPath(found.url));
  return found;
};
