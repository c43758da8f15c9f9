// GET /scene/FILE: the models and textures that poses name, from the folder of the simulation, and no other file.
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import type { Catalog } from '../../model/state/catalog.js';
import { openIn } from '../../simulation/files/run-listing.js';
import type { Folder, Found } from './downloads.js';

const LARGEST_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** @param directory of the simulation's own file; undefined when it has none. */
export const sceneFiles = (directory: string | undefined, catalog: () => Catalog): Folder => ({
  path: '/scene/',
  find: async (name) => {
    const nothing = `no pose has a file ${JSON.stringify(name.slice(0, 100))}; scene/get names those that there are`;
    const isNamed = catalog().poses.some(
      ({ shape, body }) => (shape?.kind === 'model' && shape.file === name) || body?.texture === name,
    );
    return isNamed && directory !== undefined ? openBelow(directory, name) : nothing;
  },
});

/** A link may lead to another place in the directory, but not out of it. */
async function openBelow(directory: string, name: string): Promise<Found | string> {
  const root = await realpath(directory).catch(() => undefined);
  const place = await realpath(join(directory, name)).catch(() => undefined);
  if (root === undefined || !place?.startsWith(root.endsWith(sep) ? root : root + sep))
    return `a pose has the file ${name}, and the simulation's folder has no such file`;
  const file = await openIn(dirname(place), basename(place));
  const { size = Number.POSITIVE_INFINITY } = (await file?.stat()) ?? {};
  if (file && size <= LARGEST_BYTES) return { file, headers: headersOf(name) };
  await file?.close();
  return `${name} is no file of at most ${LARGEST_BYTES / 1024 / 1024} MB`;
}

const headersOf = (name: string) => ({
  'content-type': TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
  'cache-control': 'private, max-age=60',
  'x-content-type-options': 'nosniff',
});
