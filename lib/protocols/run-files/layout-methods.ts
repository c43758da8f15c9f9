// layout/list, layout/get, layout/save and layout/remove: layouts of the page that all who open it see.

import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import {
  LARGEST_LAYOUT_BYTES,
  LAYOUT_NAME,
  LAYOUTS_DIRECTORY,
  layoutFile,
  layoutIn,
  MOST_LAYOUTS,
} from '../../simulation/files/layout-files.js';
import { openIn, sharedListings } from '../../simulation/files/run-listing.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { parseJson } from '../json-rpc/json-text.js';
import { defineMethod, type Method } from '../json-rpc/method.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';

const MOST_LISTED = 1000;

const name = z
  .string()
  .regex(LAYOUT_NAME, 'must be up to 60 letters, digits, blanks, _, . and -, and begin with no blank, . or -')
  .describe('Up to 60 letters, digits, blanks, _, . and -');
const layout = z
  .record(z.string(), z.unknown())
  .refine(({ tabs }) => Array.isArray(tabs), 'is no layout of the page: it has no list of tabs')
  .describe('As the page saves it');

const layoutsOf = sharedListings((file) => layoutIn(file) !== undefined);
const directoryOf = ({ source }: CallContext): string => join(source.info.runDirectory, LAYOUTS_DIRECTORY);

const EXAMPLE = { version: 1, tabs: [{ id: 'tab-1', name: 'Main', panels: [] }], shown: 'tab-1' };

const list = defineMethod({
  name: 'layout/list',
  about: `The layouts of the page that the server keeps, in ${LAYOUTS_DIRECTORY}/ of the run directory, the newest first.`,
  params: z.strictObject({}),
  result: z.object({
    layouts: z.array(
      z.object({ name: z.string(), bytes: z.int(), modified: z.string().describe('When it was saved, in ISO 8601') }),
    ),
    may_save: z.boolean().describe('Whether this client may save and remove layouts, and they can be written'),
    more: z.boolean().describe(`Whether there are more than ${MOST_LISTED}`),
  }),
  examples: [
    {
      name: 'one',
      params: {},
      result: {
        layouts: [{ name: 'entry', bytes: 812, modified: '2026-01-02T03:04:05.000Z' }],
        may_save: true,
        more: false,
      },
    },
  ],
  run: async (context: CallContext) => {
    const { source, mayChange } = context;
    if (!source.abilities.layouts) return { layouts: [], may_save: false, more: false };
    const directory = directoryOf(context);
    const files = await layoutsOf(source, directory);
    return {
      layouts: files.slice(0, MOST_LISTED).map(({ name: file, bytes, modifiedMillis }) => ({
        name: layoutIn(file) as string,
        bytes,
        modified: new Date(modifiedMillis).toISOString(),
      })),
      may_save: mayChange && (await isWritable(resolve(directory))),
      more: files.length > MOST_LISTED,
    };
  },
});

/** Whether a directory, or the one in which it would be made, can be written. */
async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(path) !== path && isWritable(dirname(path));
  }
}

const get = defineMethod({
  name: 'layout/get',
  about: 'A layout that the server keeps.',
  params: z.strictObject({ name }),
  result: z.object({ layout }),
  examples: [{ name: 'by name', params: { name: 'entry' }, result: { layout: EXAMPLE } }],
  run: async (context: CallContext, { name: asked }) => {
    const bytes = context.source.abilities.layouts ? await bytesOf(directoryOf(context), asked) : undefined;
    if (!bytes) throw new RpcError(RpcCode.requestRefused, `there is no layout ${asked}; layout/list lists them`);
    const json = await jsonOf(bytes, context.turn).catch(() => undefined);
    const read = layout.safeParse(json);
    if (read.success) return { layout: read.data };
    throw new RpcError(RpcCode.requestRefused, `the file of ${asked} has no layout of the page`);
  },
});

async function jsonOf(bytes: Uint8Array, turn: () => Promise<void>): Promise<unknown> {
  await turn();
  return parseJson(bytes, turn);
}

/** Undefined for a layout that is not there; rejects for a file that is too large for one. */
async function bytesOf(directory: string, asked: string): Promise<Buffer | undefined> {
  const file = await openIn(directory, layoutFile(asked));
  try {
    const size = (await file?.stat())?.size ?? 0;
    if (size <= LARGEST_LAYOUT_BYTES) return await file?.readFile();
    throw new RpcError(RpcCode.tooMany, `the file of ${asked} has more than ${LARGEST_LAYOUT_BYTES} bytes`);
  } finally {
    await file?.close();
  }
}

const save = defineMethod({
  name: 'layout/save',
  about: `Keeps a layout of the page for all who open it, also after a restart: up to ${MOST_LAYOUTS} of ${LARGEST_LAYOUT_BYTES} bytes.`,
  params: z.strictObject({
    name,
    layout,
    replace: z.boolean().default(false).describe('Whether it takes the place of another one of that name'),
  }),
  result: z.null(),
  isChange: true,
  examples: [{ name: 'under a name', params: { name: 'entry', layout: EXAMPLE }, result: null }],
  run: async ({ session }: CallContext, { name: asked, layout: given, replace: mayReplace }) => {
    const text = `${JSON.stringify(given)}\n`;
    if (Buffer.byteLength(text) > LARGEST_LAYOUT_BYTES)
      throw new RpcError(RpcCode.tooMany, `layout/save: a layout has at most ${LARGEST_LAYOUT_BYTES} bytes`);
    await session.submit({ kind: 'layout', name: asked, text, mayReplace });
    return null;
  },
});

const remove = defineMethod({
  name: 'layout/remove',
  about: 'Removes a layout that a client has saved.',
  params: z.strictObject({ name }),
  result: z.null(),
  isChange: true,
  examples: [{ name: 'by name', params: { name: 'entry' }, result: null }],
  run: async ({ session }: CallContext, { name: asked }) => {
    await session.submit({ kind: 'layout', name: asked });
    return null;
  },
});

export const layoutMethods: readonly Method<CallContext>[] = [list, get, save, remove];
