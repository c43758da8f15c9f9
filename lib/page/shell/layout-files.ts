// Layouts as files: JSON of this page, and what Trick View saves.

import type { XmlElement } from '../../../grammar/data-product/element.js';
import { isProduct, productOf } from '../../../grammar/data-product/product.js';
import { elementOfText, isTextProduct } from '../../../grammar/data-product/text-form.js';
import type { Server } from '../data/server.js';
import { layoutOfProduct } from '../layout/data-product.js';
import { fileText } from '../layout/file-text.js';
import { withKnownNames } from '../layout/known-names.js';
import { type Layout, layoutOf } from '../layout/layout.js';
import { layoutOfTrickView } from '../layout/trick-view.js';
import type { PageState } from '../state/page-state.js';

const MOST_BYTES = 5_000_000;

/** Reads a file that somebody chose. Rejects with one sentence. */
export async function layoutOfFile(state: PageState, file: File): Promise<Layout> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a layout`);
  return layoutOfText(state, fileText(await file.arrayBuffer()), file.name);
}

/** A layout of this page, one of Trick View, or pages of Trick's data products, of which it says what cannot be shown. */
export async function layoutOfText(state: PageState, text: string, name: string): Promise<Layout> {
  if (isTextProduct(text)) return shownProduct(state, elementOfText(text), name);
  if (!text.trimStart().startsWith('<')) return layoutOf(jsonOf(text, name));
  // The type of document that Trick's files name is not fetched.
  const parsed = new DOMParser().parseFromString(text, 'text/xml');
  if (parsed.querySelector('parsererror')) throw new Error(`${name} is neither JSON nor whole XML`);
  const root = elementOf(parsed.documentElement);
  if (!isProduct(root)) return layoutOfTrickView(root, name);
  return shownProduct(state, root, name);
}

async function shownProduct(state: PageState, root: XmlElement, name: string): Promise<Layout> {
  const { server } = state;
  const runs = await runsOf(server);
  const isKnown = (path: string): Promise<boolean> =>
    server.facts(path).then(
      () => true,
      () => false,
    );
  const { product, looks } = await withKnownNames(productOf(root, name), runs, isKnown);
  const { layout, leftOut } = layoutOfProduct(product, name, runs[0] ?? '', looks);
  if (leftOut !== undefined) state.say(leftOut, 'error');
  return layout;
}

/** What names of variables begin with in each run. */
async function runsOf(server: Server): Promise<readonly string[]> {
  if (!server.has('runs/list')) return [''];
  const { runs } = await server.call<{ readonly runs: readonly { readonly run: string }[] }>('runs/list', {});
  return runs.map(({ run }) => run);
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${name} is neither a layout in JSON nor a file of Trick View or of its data products`);
  }
}

const elementOf = (element: Element): XmlElement => ({
  name: element.localName,
  text: [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ textContent }) => textContent ?? '')
    .join('')
    .trim(),
  attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  children: [...element.children].map(elementOf),
});

export function saveLayout(layout: Layout, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(layout, undefined, 2)}\n`], { type: 'application/json' }),
  );
  link.download = `${name}-layout.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
