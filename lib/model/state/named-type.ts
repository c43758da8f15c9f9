// Types by their names in C: what a declaration such as `double *h[3]` or `Sensor s` means in a catalog.
import type { Catalog } from './catalog.js';
import { NUMBER_FACTS, type NumberName, type Type } from './type.js';

/** A declaration of one variable, or of a list of them, without what its type name means. */
export interface Declaration {
  /** In C's spelling, without stars: `unsigned int`. */
  readonly typeName: string;
  readonly stars: number;
  /** Undefined for memory without a name. */
  readonly name?: string;
  /** Outermost first; empty for one value. */
  readonly extents: readonly number[];
}

/** Values of a type side by side. */
export interface Shape {
  readonly element: Type;
  readonly count: number;
  readonly isSingle: boolean;
}

/** Capacity of a text whose declaration gives none. */
const TEXT_BYTES = 1024;
const LONGEST_DECLARATION = 1000;
const MOST_EXTENTS = 8;
const PART = /\s*(?:([A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|(\*)|\[\s*(\d{1,9})\s*\])/y;

/** Reads `double h[2][3]`; undefined for text that is no declaration. Trick: adef_parser.y */
export function readDeclaration(text: string): Declaration | undefined {
  if (text.length > LONGEST_DECLARATION) return undefined;
  const source = withoutSemicolon(text.trim());
  const words: string[] = [];
  const extents: number[] = [];
  let stars = 0;
  let beforeStars = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < source.length) {
    const [, word, star, extent] = PART.exec(source) ?? [];
    if (word !== undefined && extents.length === 0) words.push(word);
    else if (star !== undefined && words.length > 0 && extents.length === 0) {
      stars++;
      beforeStars = words.length;
    } else if (extent !== undefined && words.length > 0 && extents.length < MOST_EXTENTS) extents.push(Number(extent));
    else return undefined;
  }
  if (words.length === 0) return undefined;
  const isUnnamed = words.length === beforeStars || words.length === 1 || isNumber(words, stars);
  const name = isUnnamed ? undefined : words.pop();
  if (name?.includes('::')) return undefined;
  return { typeName: words.join(' '), stars, extents, ...(name !== undefined && { name }) };
}

const isNumber = (words: readonly string[], stars: number): boolean =>
  stars === 0 && numberNamed(words.join(' ')) !== undefined;

const withoutSemicolon = (text: string): string => (text.endsWith(';') ? text.slice(0, -1).trimEnd() : text);

/** What a declaration declares; undefined for a type that the catalog does not have, or a list without elements. */
export function shapeOfDeclaration(catalog: Catalog, { typeName, stars, extents }: Declaration): Shape | undefined {
  const isText = stars > 0 && (typeName === 'char' || typeName === 'wchar_t');
  const form = typeName === 'char' ? 'char pointer' : 'wide pointer';
  const named: Type | undefined = isText
    ? { kind: 'text', form, capacityBytes: TEXT_BYTES }
    : namedType(catalog, typeName);
  if (!named || !extents.every((extent) => Number.isSafeInteger(extent) && extent > 0)) return undefined;
  let element = named;
  for (let star = isText ? 1 : 0; star < stars; star++) element = { kind: 'pointer', target: element };
  for (const length of extents.slice(1).reverse()) element = { kind: 'array', element, length, isContainer: false };
  return { element, count: extents[0] ?? 1, isSingle: extents.length === 0 };
}

/** A number, std::string, a registered type, or a structure or enumeration in use; undefined when there is none. */
function namedType(catalog: Catalog, name: string): Type | undefined {
  const number = numberNamed(name);
  if (number) return { kind: 'number', name: number };
  if (name === 'std::string' || name === 'string') return { kind: 'text', form: 'string', capacityBytes: TEXT_BYTES };
  return catalog.typeOf(name)?.type ?? catalog.typeInUse(name);
}

/** C allows several spellings: `long int`, `unsigned`. */
function numberNamed(name: string): NumberName | undefined {
  const short = name.replace(/^signed (?!char)/, '').replace(/\b(short|long) int$/, '$1');
  const known = { unsigned: 'unsigned int', 'signed char': 'char', signed: 'int' }[short] ?? short;
  return Object.hasOwn(NUMBER_FACTS, known) ? (known as NumberName) : undefined;
}
