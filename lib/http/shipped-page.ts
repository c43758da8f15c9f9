// What a simulation ships for its page: a layout, and modules of panels of its own.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { HttpRoute } from '../transport/front-end.js';

/** Files, relative to the working directory. */
export interface ShippedPage {
  /** A layout in JSON, as the page saves it. */
  readonly layoutFile?: string | undefined;
  /** JavaScript modules that export `panel`. */
  readonly panelFiles?: readonly string[] | undefined;
}

const NAME = /^[A-Za-z0-9_-]{1,60}\.m?js$/;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const MODULE_TYPE = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
};

/** GET /page.json, and the modules beside it. Throws one sentence for a file that cannot be served. */
export function shippedRoutes({ layoutFile, panelFiles = [] }: ShippedPage): readonly HttpRoute[] {
  const modules = panelFiles.map((file) => ({ name: nameOf(file), text: textOf('panel', file) }));
  const twice = modules.find(({ name }, k) => modules.findIndex((other) => other.name === name) !== k);
  if (twice) throw new Error(`two panels are called ${twice.name}; their files need different names`);
  const body = JSON.stringify({
    layout: layoutFile === undefined ? null : layoutOf(layoutFile),
    panels: modules.map(({ name }) => ({ name: name.replace(/\.m?js$/, ''), address: `panels/${name}` })),
  });
  return [
    { method: 'GET', path: '/page.json', answer: (exchange) => void exchange.respond(200, JSON_TYPE, body) },
    ...modules.map(
      ({ name, text }): HttpRoute => ({
        method: 'GET',
        path: `/panels/${name}`,
        answer: (exchange) => void exchange.respond(200, MODULE_TYPE, text),
      }),
    ),
  ];
}

function nameOf(file: string): string {
  const name = basename(file);
  if (NAME.test(name)) return name;
  throw new Error(`the panel ${file} needs a name of letters, digits, - and _ that ends with .js`);
}

function layoutOf(file: string): unknown {
  const text = textOf('layout', file);
  try {
    const layout: unknown = JSON.parse(text);
    if (typeof layout === 'object' && layout !== null && 'tabs' in layout) return layout;
  } catch {
    // The sentence below says what is wrong.
  }
  throw new Error(`the layout ${file} is no JSON of a layout, as the page saves it`);
}

function textOf(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the ${what} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
