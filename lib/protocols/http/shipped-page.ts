// What a simulation ships for its page: a layout, and modules of panels of its own; without a layout, its first variables.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Catalog } from '../../model/state/catalog.js';
import type { HttpRoute, RouteHandler } from '../../serving/transport/front-end.js';
import type { Source } from '../../source/source.js';
import type { DescribedVariable } from '../json-rpc/variable-description.js';
import { takesGzip } from './page-files.js';

/** Files, relative to the working directory. */
export interface ShippedPage {
  /** A layout in JSON, as the page saves it, or a file of Trick View or of Trick's data products. */
  readonly layoutFile?: string | undefined;
  /** JavaScript modules that export `panel`. */
  readonly panelFiles?: readonly string[] | undefined;
  /** Where each of several simulations has its page now, and all of them together. Default: there is one. */
  readonly simulations?: () => readonly SimulationPlace[];
}

export interface SimulationPlace {
  readonly name: string;
  /** Relative to the page that lists it. */
  readonly address: string;
  readonly isShown: boolean;
}

/** From these the page makes a layout of its own. Trick's own variables are left out. */
const FIRST = { variables: 100, lookedAt: 1000, characters: 30_000 } as const;
const TRICKS_OWN = /^trick_/;

const NAME = /^[A-Za-z0-9_-]{1,60}\.m?js$/;
const JSON_TYPE = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'accept-encoding',
};
const MODULE_TYPE = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
};

/** GET /page.json, and the modules beside it. Throws one sentence for a file that cannot be served. */
export function shippedRoutes(
  { layoutFile, panelFiles = [], simulations = () => [] }: ShippedPage,
  source: Pick<Source, 'catalog' | 'study'>,
): readonly HttpRoute[] {
  const modules = panelFiles.map((file) => ({ name: nameOf(file), text: textOf('panel', file) }));
  const twice = modules.find(({ name }, k) => modules.findIndex((other) => other.name === name) !== k);
  if (twice) throw new Error(`two panels are called ${twice.name}; their files need different names`);
  const layout = layoutFile === undefined ? null : layoutOf(layoutFile);
  const panels = modules.map(({ name }) => ({ name: name.replace(/\.m?js$/, ''), address: `panels/${name}` }));
  const answer: RouteHandler = async (exchange) => {
    const { catalog, study } = source;
    const variables = layout === null ? await firstVariables(catalog) : [];
    const hasPoses = catalog.poses.length > 0;
    const hasGround = catalog.poses.some((pose) => pose.body !== null);
    const hasStudy = study?.results !== undefined;
    const places = simulations();
    const several = places.length > 0 && { simulations: places };
    const body = JSON.stringify({ layout, panels, variables, hasPoses, hasGround, hasStudy, ...several });
    if (!takesGzip(exchange)) exchange.respond(200, JSON_TYPE, body);
    else exchange.respond(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(body));
  };
  return [
    { method: 'GET', path: '/page.json', answer },
    ...modules.map(
      ({ name, text }): HttpRoute => ({
        method: 'GET',
        path: `/panels/${name}`,
        answer: (exchange) => void exchange.respond(200, MODULE_TYPE, text),
      }),
    ),
  ];
}

async function firstVariables(catalog: Catalog): Promise<readonly DescribedVariable[]> {
  // Loaded when it is asked for: the schemas would take much of a start.
  const { described } = await import('../json-rpc/variable-description.js');
  const first: DescribedVariable[] = [];
  let [lookedAt, characters] = [0, 0];
  for (const variable of catalog.variables()) {
    if (++lookedAt > FIRST.lookedAt || first.length === FIRST.variables || characters > FIRST.characters) break;
    if (TRICKS_OWN.test(variable.path)) continue;
    characters += variable.path.length + variable.about.length;
    first.push(described(variable, []));
  }
  return first;
}

function nameOf(file: string): string {
  const name = basename(file);
  if (NAME.test(name)) return name;
  throw new Error(`the panel ${file} needs a name of letters, digits, - and _ that ends with .js`);
}

function layoutOf(file: string): unknown {
  const text = textOf('layout', file);
  // A page of Trick's data products or of Trick View, which the page reads.
  if (text.trimStart().startsWith('<') || file.endsWith('.dp')) return { xml: text, name: basename(file) };
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
    return decoded(readFileSync(file));
  } catch (error) {
    throw new Error(`the ${what} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** UTF-8, or Latin-1 when it is none: Trick's files are in the encoding of their machine. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
