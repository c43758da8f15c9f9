// The catalog as Trick's resource files: enumerations, classes and top-level objects in XML. Trick: Sie::sie_print_xml
import type { Catalog, SimObject } from '../../model/catalog.js';
import { type Access, cNameOf, type EnumerationType, type Member, type StructType, shapeOf } from '../../model/type.js';
import { NewStructures } from '../../model/types-in-use.js';
import { joinedInPieces } from './joined-pieces.js';

export type SieChapter = 'enumerations' | 'classes' | 'objects';

const CHAPTERS: readonly SieChapter[] = ['enumerations', 'classes', 'objects'];

/** Who may read and write a member. Trick: io_attributes, bits TRICK_VAR_OUTPUT and TRICK_VAR_INPUT */
const IO_ATTRIBUTES: Readonly<Record<Access, number>> = { 'read-write': 15, 'read-only': 5, 'write-only': 10 };

/** The most characters that are encoded at once, and the most members that are printed at once. */
const PIECE_CHARACTERS = 100_000;
const PIECE_MEMBERS = 500;

/** The documents made so far, and those that are being made; they stay valid because a catalog never changes. */
const known = new WeakMap<Catalog, Map<string, SieDocument>>();

/**
 * A document of the chapters asked for, by default all. Its last line is `</sie>` alone, because Trick View reads up to
 * such a line. Lines of attributes start with blanks, because Trick View joins lines without a newline.
 */
export function sieFile(catalog: Catalog, chapters?: readonly SieChapter[]): Uint8Array {
  const document = sieDocument(catalog, chapters);
  for (;;) {
    const file = document.advance();
    if (file) return file;
  }
}

/** The document for one more who asks for it, and who leaves it once: it is made once for all who ask at the same time. */
export function sieDocument(catalog: Catalog, chapters: readonly SieChapter[] = CHAPTERS): SieDocument {
  const documents = known.get(catalog) ?? new Map<string, SieDocument>();
  known.set(catalog, documents);
  const key = chapters.join();
  const document = documents.get(key) ?? new SieDocument(catalog, chapters, () => documents.delete(key));
  documents.set(key, document);
  return document.enter();
}

/** A document that is made in pieces by whoever has a turn. */
export class SieDocument {
  private steps: Generator<void, Uint8Array> | undefined;
  private file: Uint8Array | undefined;
  private readonly classes = new ClassNames();
  private printedBytes = 0;
  private askers = 0;

  /** @param forget called when nobody asks for it any longer before it is made. */
  constructor(
    private readonly catalog: Catalog,
    private readonly chapters: readonly SieChapter[],
    private readonly forget: () => void,
  ) {
    this.steps = this.print();
  }

  enter(): this {
    this.askers++;
    return this;
  }

  /** Half a document is not kept for nobody. */
  leave(): void {
    if (--this.askers === 0 && !this.file) this.forget();
  }

  /** Bytes of what is made so far. */
  get bytes(): number {
    const printsClasses = this.chapters.includes('classes');
    return this.file?.length ?? Math.max(this.printedBytes, printsClasses ? this.classes.characters : 0);
  }

  /** Makes the next piece, which takes a millisecond or two. Returns the whole document once it is made. */
  advance(): Uint8Array | undefined {
    if (this.file) return this.file;
    const step = this.steps?.next();
    if (!step?.done) return undefined;
    if (!step.value) throw new Error('the resource file could not be made');
    this.file = step.value;
    // The texts of its classes are not needed any longer.
    this.steps = undefined;
    this.classes.clear();
    return this.file;
  }

  private *print(): Generator<void, Uint8Array> {
    const { catalog, chapters, classes } = this;
    if (chapters.some((chapter) => chapter !== 'enumerations')) yield* classes.fill(catalog);
    const blocks: Readonly<Record<SieChapter, () => Iterable<string>>> = {
      enumerations: () => catalog.enumerations().map(enumerationBlock),
      classes: () => classes.blocks(),
      objects: () => objectBlocks(catalog, classes),
    };
    const printed: Uint8Array[] = [];
    let gathered = '<?xml version="1.0"?>\n\n<sie>\n';
    for (const chapter of chapters) {
      for (const block of blocks[chapter]()) {
        gathered += `\n${block}`;
        if (gathered.length < PIECE_CHARACTERS) continue;
        yield* this.encode(gathered, printed);
        gathered = '';
      }
    }
    yield* this.encode(`${gathered}\n</sie>\n`, printed);
    return yield* joinedInPieces(printed);
  }

  /** One class may have any number of members. All text is ASCII, so it may be cut anywhere. */
  private *encode(text: string, printed: Uint8Array[]): Generator<void> {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      if (at > 0) yield;
      const piece = Buffer.from(text.slice(at, at + PIECE_CHARACTERS), 'latin1');
      this.printedBytes += piece.length;
      printed.push(piece);
    }
    if (text.length >= PIECE_CHARACTERS) yield;
  }
}

function* objectBlocks(catalog: Catalog, classes: ClassNames): Generator<string> {
  for (const object of catalog.eachObject()) yield objectBlock(object.name, classes.nameOf(object));
}

/** Classes by name. Objects of one class may differ in their components; then the later ones get a class of their own. */
class ClassNames {
  private readonly bodies = new Map<string, string>();
  private readonly names = new Map<SimObject, string>();
  private counted = 0;
  /** Characters of all bodies, and of the one that is being made. */
  characters = 0;

  *fill(catalog: Catalog): Generator<void> {
    const structures = new NewStructures();
    for (const { type } of catalog.eachObject()) {
      for (const struct of structures.in(type)) this.bodies.set(spell(struct.name), yield* this.body(struct));
      if (this.isPieceOver()) yield;
    }
    for (const object of catalog.eachObject()) {
      this.names.set(object, this.place(object, yield* this.body(object.type)));
      if (this.isPieceOver()) yield;
    }
  }

  nameOf(object: SimObject): string {
    return this.names.get(object) as string;
  }

  *blocks(): Generator<string> {
    for (const [name, body] of this.bodies) yield `  <class name="${xmlText(name)}">\n${body}  </class>\n`;
  }

  clear(): void {
    this.bodies.clear();
    this.names.clear();
  }

  private place({ name, type }: SimObject, body: string): string {
    const usual = spell(type.name);
    if (this.bodies.get(usual) === body) {
      this.characters -= body.length;
      return usual;
    }
    const own = `${usual}__${name}`;
    this.bodies.set(own, body);
    return own;
  }

  /** Counts members and objects, so that many small ones give way as often as a large one does. */
  private isPieceOver(): boolean {
    return ++this.counted % PIECE_MEMBERS === 0;
  }

  private *body({ members }: StructType): Generator<void, string> {
    let body = '';
    for (const member of members) {
      const block = memberBlock(member);
      body += block;
      this.characters += block.length;
      if (this.isPieceOver()) yield;
    }
    return body;
  }
}

function enumerationBlock({ name, labels }: EnumerationType): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `    <pair label ="${xmlText(label)}" value="${value}"/>\n`,
  );
  return `  <enumeration name="${xmlText(spell(name))}">\n${pairs.join('')}  </enumeration>\n`;
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
