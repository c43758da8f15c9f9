// The catalog as Trick's resource files: enumerations, classes and top-level objects in XML. Trick: Sie::sie_print_xml
import type { Catalog, SimObject } from '../../model/catalog.js';
import { type Access, cNameOf, type EnumerationType, type Member, type StructType, shapeOf } from '../../model/type.js';

export type SieChapter = 'enumerations' | 'classes' | 'objects';

const CHAPTERS: readonly SieChapter[] = ['enumerations', 'classes', 'objects'];

/** Who may read and write a member. Trick: io_attributes, bits TRICK_VAR_OUTPUT and TRICK_VAR_INPUT */
const IO_ATTRIBUTES: Readonly<Record<Access, number>> = { 'read-write': 15, 'read-only': 5, 'write-only': 10 };

/** The documents made so far; they stay valid because a catalog never changes. */
const made = new WeakMap<Catalog, Map<string, Uint8Array>>();

/**
 * A document of the chapters asked for, by default all. Its last line is `</sie>` alone, because Trick View reads up to
 * such a line. Lines of attributes start with blanks, because Trick View joins lines without a newline.
 */
export function sieFile(catalog: Catalog, chapters: readonly SieChapter[] = CHAPTERS): Uint8Array {
  const files = made.get(catalog) ?? new Map<string, Uint8Array>();
  made.set(catalog, files);
  const key = chapters.join();
  const file = files.get(key) ?? Buffer.from(print(catalog, chapters));
  files.set(key, file);
  return file;
}

function print(catalog: Catalog, chapters: readonly SieChapter[]): string {
  const classes = new ClassNames(catalog);
  const blocks: Readonly<Record<SieChapter, () => string[]>> = {
    enumerations: () => catalog.enumerations().map(enumerationBlock),
    classes: () => classes.blocks(),
    objects: () => catalog.objects.map((object) => objectBlock(object.name, classes.nameOf(object))),
  };
  const printed = chapters.flatMap((chapter) => blocks[chapter]());
  return ['<?xml version="1.0"?>\n', '<sie>\n', ...printed, '</sie>\n'].join('\n');
}

/** Classes by name. Objects of one class may differ in their components; then the later ones get a class of their own. */
class ClassNames {
  private readonly bodies = new Map<string, string>();
  private readonly names = new Map<SimObject, string>();

  constructor(catalog: Catalog) {
    for (const struct of catalog.structures()) this.bodies.set(spell(struct.name), classBody(struct));
    for (const object of catalog.objects) this.names.set(object, this.place(object));
  }

  nameOf(object: SimObject): string {
    return this.names.get(object) as string;
  }

  blocks(): string[] {
    return [...this.bodies].map(([name, body]) => `  <class name="${xmlText(name)}">\n${body}  </class>\n`);
  }

  private place({ name, type }: SimObject): string {
    const body = classBody(type);
    const usual = spell(type.name);
    if (this.bodies.get(usual) === body) return usual;
    const own = `${usual}__${name}`;
    this.bodies.set(own, body);
    return own;
  }
}

function enumerationBlock({ name, labels }: EnumerationType): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `    <pair label ="${xmlText(label)}" value="${value}"/>\n`,
  );
  return `  <enumeration name="${xmlText(spell(name))}">\n${pairs.join('')}  </enumeration>\n`;
}

const classBody = ({ members }: StructType): string => members.map(memberBlock).join('');

function memberBlock({ name, type, access, units, about }: Member): string {
  const { extents, element } = shapeOf(type);
  const attributes = [
    `name="${xmlText(name)}"`,
    `type="${xmlText(spell(cNameOf(element)))}"`,
    `io_attributes="${IO_ATTRIBUTES[access]}"`,
    `units="${xmlText(units)}"`,
  ];
  if (about !== '') attributes.push(`description="${xmlText(about)}"`);
  const dimensions = extents.map((extent) => `      <dimension>${extent}</dimension>\n`);
  return `    <member\n      ${attributes.join('\n      ')}>\n${dimensions.join('')}    </member>\n`;
}

const objectBlock = (name: string, className: string): string =>
  `  <top_level_object\n    name="${xmlText(name)}"\n    type="${xmlText(className)}"\n    alloc_memory_init="1">\n  </top_level_object>\n`;

/** `std__vector` for `std::vector`, as Trick writes its names. */
const spell = (name: string): string => name.replaceAll(':', '_');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

/** Text of an attribute, in ASCII, so that it reads the same in every encoding; control characters become blanks. */
const xmlText = (text: string): string =>
  text.replace(
    /[&<"]|[\0-\x1f\x7f]|[^\0-\x7f]/gu,
    (found) => ENTITIES[found] ?? reference(found.codePointAt(0) as number),
  );

function reference(code: number): string {
  if (code < 0x20 || code === 0x7f) return ' ';
  const isCharacter = !(code >= 0xd800 && code < 0xe000) && (code & 0xfffe) !== 0xfffe;
  return isCharacter ? `&#${code};` : '?';
}
