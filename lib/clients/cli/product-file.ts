// Reads a file of Trick's data products: XML, or the text of Trick 05.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { SaxesParser } from 'saxes';
import type { XmlElement } from '../../../grammar/data-product/element.js';
import { isProduct, type Product, productOf } from '../../../grammar/data-product/product.js';
import { elementOfText, isTextProduct } from '../../../grammar/data-product/text-form.js';
import { reasonOf } from '../../index.js';

const MOST_BYTES = 5_000_000;

/** Throws an Error with one sentence for a file that is none. */
export function readProduct(path: string): Product {
  const text = textOf(path);
  try {
    const root = isTextProduct(text) ? elementOfText(text) : elementOfXml(text);
    if (!isProduct(root)) throw new Error(`it begins with <${root.name}>, not with <product>`);
    return productOf(root, basename(path));
  } catch (error) {
    throw new Error(`${path} is no file of Trick's data products: ${(error as Error).message.replaceAll('\n', ' ')}`);
  }
}

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length > MOST_BYTES) throw new Error(`${path} is too large for a layout`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** The type of document that Trick's files name is not fetched. */
function elementOfXml(text: string): XmlElement {
  const parser = new SaxesParser();
  const open: { name: string; text: string; attributes: Record<string, string>; children: XmlElement[] }[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, text: '', attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element) element.text = element.text.trim();
  });
  parser.write(text).close();
  if (!root) throw new Error('it has no element');
  return root;
}
