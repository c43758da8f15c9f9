// Files that the app asks for: the models of poses, each whole in one message.
import type { FileHandle } from 'node:fs/promises';
import { assetMessage } from './binary.js';
import { ASSETS } from './scene.js';

/** A message is held in memory until the client has taken it. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/** The file of a name that a pose has, open; a sentence when there is none. */
export type FindAsset = (name: string) => Promise<{ readonly file: FileHandle } | string>;

/** The answer to a request for a file. Throws an Error with one sentence when there is none. */
export async function assetAnswer(find: FindAsset, uri: string, requestId: number): Promise<Uint8Array> {
  if (!uri.startsWith(ASSETS)) throw new Error(`a file here has an address that begins with ${ASSETS}`);
  const found = await find(uri.slice(ASSETS.length));
  if (typeof found === 'string') throw new Error(found);
  const { file } = found;
  try {
    const { size } = await file.stat();
    if (size > LARGEST_BYTES) throw new Error(`a file has at most ${LARGEST_BYTES} bytes here, this one ${size}`);
    return assetMessage(requestId, await file.readFile());
  } finally {
    await file.close();
  }
}
