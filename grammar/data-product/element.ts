// An element of XML, whoever has read it: a browser, or a parser of Node.

export interface XmlElement {
  readonly name: string;
  /** Text directly inside, trimmed. */
  readonly text: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** The text of the first child of a name; undefined without one. */
export function textIn(element: XmlElement | undefined, name: string): string | undefined {
  const text = element && childrenOf(element, name)[0]?.text;
  return text === '' ? undefined : text;
}
