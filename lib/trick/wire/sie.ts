// The catalog as Trick's resource files: enumerations, classes and top-level objects in XML. Trick: Sie::sie_print_xml
import type { Catalog, SimObject } from '../../model/catalog.js';
import { type Access, cNameOf, type EnumerationType, type Member, type StructType, shapeOf } from '../../model/type.js';

export type SieChapter = 'enumerations' | 'classes' | 'objects';

const CHAPTERS: readonly SieChapter[] = ['enumerations', 'classes', 'objects'];

/** Who may read and write a member. Trick: io_attributes, bits TRICK_VAR_OUTPUT and TRICK_VAR_INPUT */
const IO_ATTRIBUTES: Readonly<Record<Access, number>> = { 'read-write': 15, 'read-only': 5, 'write-only': 10 };

/** The most characters that are encoded at once, and the most members that are printed at once. */
const PIECE_CHARACTERS = 100_000;
const PIECE_MEMBERS = 500;

/** The documents made so far; they stay valid because a catalog never changes. */
const made = new WeakMap<Catalog, Map<string, Uint8Array>>();

/**
 * A document of the chapters asked for, by default all. Its last line is `</sie>` alone, because Trick View reads up to
 * such a line. Lines of attributes start with blanks, because Trick View joins lines without a newline.
 */
export function sieFile(catalog: Catalog, chapters?: readonly SieChapter[]): Uint8Array {
  const pieces = sieFileInPieces(catalog, chapters);
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
  }
}

/** As `sieFile`, but yields between pieces that take a millisecond or two. */
export function* sieFileInPieces(
  catalog: Catalog,
  chapters: readonly SieChapter[] = CHAPTERS,
): Generator<void, Uint8Array> {
  const files = made.get(catalog) ?? new Map<string, Uint8Array>();
  made.set(catalog, files);
  const key = chapters.join();
  const file = files.get(key) ?? (yield* print(catalog, chapters));
  files.set(key, file);
  return file;
}

function* print(catalog: Catalog, chapters: readonly SieChapter[]): Generator<void, Uint8Array> {
  const classes = yield* ClassNames.of(catalog);
  const blocks: Readonly<Record<SieChapter, () => Iterable<string>>> = {
    enumerations: () => catalog.enumerations().map(enumerationBlock),
    classes: () => classes.blocks(),
    objects: () => catalog.objects.map((object) => objectBlock(object.name, classes.nameOf(object))),
  };
  const printed = [Buffer.from('<?xml version="1.0"?>\n\n<sie>\n')];
  let gathered = '';
  for (const chapter of chapters) {
    for (const block of blocks[chapter]()) {
      gathered += `\n${block}`;
      if (gathered.length < PIECE_CHARACTERS) continue;
      printed.push(Buffer.from(gathered));
      gathered = '';
      yield;
    }
  }
  return Buffer.concat([...printed, Buffer.from(`${gathered}\n</sie>\n`)]);
}

/** Classes by name. Objects of one class may differ in their components; then the later ones get a class of their own. */
class ClassNames {
  private readonly bodies = new Map<string, string>();
  private readonly names = new Map<SimObject, string>();

  private constructor() {}

  static *of(catalog: Catalog): Generator<void, ClassNames> {
    const classes = new ClassNames();
    const members = new MemberCount();
    for (const struct of catalog.structures()) {
      classes.bodies.set(spell(struct.name), yield* classBody(struct, members));
    }
    for (const object of catalog.objects) {
      classes.names.set(object, classes.place(object, yield* classBody(object.type, members)));
    }
    return classes;
  }

  nameOf(object: SimObject): string {
    return this.names.get(object) as string;
  }

  *blocks(): Generator<string> {
    for (const [name, body] of this.bodies) yield `  <class name="${xmlText(name)}">\n${body}  </class>\n`;
  }

  private place({ name, type }: SimObject, body: string): string {
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

/** Counts members, so that many small classes give way as often as one large one does. */
class MemberCount {
  count = 0;
}

function* classBody({ members }: StructType, counted: MemberCount): Generator<void, string> {
  let body = '';
  for (const member of members) {
    body += memberBlock(member);
    if (++counted.count % PIECE_MEMBERS === 0) yield;
  }
  return body;
}

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
