// Layouts as files: JSON of this page, and what Trick View saves.
import { fileText } from '../layout/file-text.js';
import { type Layout, layoutOf } from '../layout/layout.js';
import { layoutOfTrickView, type XmlElement } from '../layout/trick-view.js';

const MOST_BYTES = 5_000_000;

/** Reads a file that somebody chose. Rejects with one sentence. */
export async function layoutOfFile(file: File): Promise<Layout> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a layout`);
  const text = fileText(await file.arrayBuffer());
  if (!text.trimStart().startsWith('<')) return layoutOf(jsonOf(text, file.name));
  const parsed = new DOMParser().parseFromString(text, 'text/xml');
  if (parsed.querySelector('parsererror')) throw new Error(`${file.name} is neither JSON nor whole XML`);
  return layoutOfTrickView(elementOf(parsed.documentElement), file.name);
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${name} is neither a layout in JSON nor a file of Trick View`);
  }
}

const elementOf = (element: Element): XmlElement => ({
  name: element.localName,
  text: [...element.childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ textContent }) => textContent ?? '')
    .join('')
    .trim(),
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
