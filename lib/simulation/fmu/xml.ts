// A tree of an XML file's elements.
import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

/** Reads XML in the encoding that its first line names. Throws an Error with the line of what is wrong. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const encoding = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  const parser = new SaxesParser({ position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    // Without namespaces, every attribute is a text.
    const element: XmlElement = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.write(decoded(bytes, encoding)).close();
  if (!root) throw new Error('it has no element');
  return root;
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    throw new Error(`its encoding ${encoding} is not known`);
  }
}

export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);
