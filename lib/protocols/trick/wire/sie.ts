// The catalog as Trick's resource files: enumerations, classes and top-level objects, in XML unless another style is asked for.
// Trick: Sie::sie_print_xml
import type { Catalog, SimObject } from '../../../model/state/catalog.js';
import {
  type Access,
  cNameOf,
  type EnumerationType,
  type Member,
  type StructType,
  shapeOf,
} from '../../../model/state/type.js';
import { NewStructures } from '../../../model/state/types-in-use.js';
import { joinedInTurns } from './joined.js';

export type SieChapter = 'enumerations' | 'classes' | 'objects';

const CHAPTERS: readonly SieChapter[] = ['enumerations', 'classes', 'objects'];

/** Who may read and write a member. Trick: io_attributes, bits TRICK_VAR_OUTPUT and TRICK_VAR_INPUT */
export const IO_ATTRIBUTES: Readonly<Record<Access, number>> = { 'read-write': 15, 'read-only': 5, 'write-only': 10 };

/** How a document is written. All text is ASCII. */
export interface SieStyle {
  /** Tells styles apart. */
  readonly name: string;
  readonly start: string;
  readonly end: string;
  /** Before a chapter's blocks, and after them. */
  readonly around: (chapter: SieChapter) => readonly [string, string];
  /** Between chapters, between blocks and between members. */
  readonly separator: string;
  readonly enumeration: (type: EnumerationType) => string;
  readonly member: (member: Member) => string;
  readonly classOf: (name: string, members: string) => string;
  readonly object: (name: string, className: string) => string;
}

/** Characters that are encoded, and members that are printed, between two turns. */
const PART_CHARACTERS = 100_000;
const PART_MEMBERS = 256;

/** Who asks for a document. */
export interface SieClient {
  readonly turn: () => Promise<void>;
  /** Whether it may have a document of so many bytes: asked again as the document grows, until it may not. */
  readonly mayHave: (bytes: number) => boolean;
}

/** The documents made so far, and those that are being made; they stay valid because a catalog never changes. */
const known = new WeakMap<Catalog, Map<string, SieDocument>>();

/**
 * A document of the chapters asked for, by default all: made once for all who ask; undefined for one who may not have it. Its
 * last line is `</sie>` alone, because Trick View reads up to such a line. Lines of attributes start with blanks, because
 * Trick View joins lines without a newline.
 */
export function sieFile(
  catalog: Catalog,
  client: SieClient,
  chapters: readonly SieChapter[] = CHAPTERS,
  style: SieStyle = XML,
): Promise<Uint8Array | undefined> {
  const documents = known.get(catalog) ?? new Map<string, SieDocument>();
  known.set(catalog, documents);
  const key = `${style.name} ${chapters.join()}`;
  const document = documents.get(key) ?? new SieDocument(catalog, chapters, style, () => documents.delete(key));
  documents.set(key, document);
  return document.madeFor(client);
}

/** Ends the making of a document for which nobody asks any longer. */
const FOR_NOBODY = new Error('nobody asks for the resource file');

/** A document that is made in the turns of those who ask for it. */
class SieDocument {
  private making: Promise<Uint8Array> | undefined;
  private readonly classes: ClassNames;
  private printedBytes = 0;
  private readonly clients = new Set<SieClient>();

  /** @param forget called when nobody asks for it any longer before it is made. */
  constructor(
    private readonly catalog: Catalog,
    private readonly chapters: readonly SieChapter[],
    private readonly style: SieStyle,
    private readonly forget: () => void,
  ) {
    this.classes = new ClassNames(style);
  }

  async madeFor(client: SieClient): Promise<Uint8Array | undefined> {
    this.clients.add(client);
    this.making ??= this.print();
    try {
      const file = await this.making;
      return this.clients.has(client) && client.mayHave(file.length) ? file : undefined;
    } catch (error) {
      if (error === FOR_NOBODY) return undefined;
      throw error;
    } finally {
      this.clients.delete(client);
    }
  }

  /** The turn of the first who asks. Half a document is not kept for nobody. */
  private readonly turn = (): Promise<void> => {
    const bytes = Math.max(this.printedBytes, this.chapters.includes('classes') ? this.classes.characters : 0);
    for (const client of this.clients) if (!client.mayHave(bytes)) this.clients.delete(client);
    const [first] = this.clients;
    if (first) return first.turn();
    this.forget();
    throw FOR_NOBODY;
  };

  private async print(): Promise<Uint8Array> {
    const { catalog, chapters, classes, style } = this;
    if (chapters.some((chapter) => chapter !== 'enumerations')) await classes.fill(catalog, this.turn);
    const blocks: Readonly<Record<SieChapter, () => Iterable<string>>> = {
      enumerations: () => catalog.enumerations().map(style.enumeration),
      classes: () => classes.blocks(),
      objects: () => objectBlocks(catalog, classes, style),
    };
    const printed: Uint8Array[] = [];
    let gathered = style.start;
    for (const [index, chapter] of chapters.entries()) {
      const [opening, closing] = style.around(chapter);
      gathered += (index > 0 ? style.separator : '') + opening;
      let separator = '';
      for (const block of blocks[chapter]()) {
        gathered += separator + block;
        separator = style.separator;
        if (gathered.length < PART_CHARACTERS) continue;
        await this.encode(gathered, printed);
        gathered = '';
      }
      gathered += closing;
    }
    await this.encode(`${gathered}${style.end}`, printed);
    // The texts of its classes are not needed any longer.
    classes.clear();
    return joinedInTurns(printed, this.turn);
  }

  /** One class may have any number of members. All text is ASCII, so it may be cut anywhere. */
  private async encode(text: string, printed: Uint8Array[]): Promise<void> {
    for (let at = 0; at < text.length; at += PART_CHARACTERS) {
      await this.turn();
      const part = Buffer.from(text.slice(at, at + PART_CHARACTERS), 'latin1');
      this.printedBytes += part.length;
      printed.push(part);
    }
  }
}

function* objectBlocks(catalog: Catalog, classes: ClassNames, style: SieStyle): Generator<string> {
  for (const object of catalog.eachObject()) yield style.object(object.name, classes.nameOf(object));
}

/** Classes by name. Objects of one class may differ in their components; then the later ones get a class of their own. */
class ClassNames {
  private readonly bodies = new Map<string, string>();
  private readonly names = new Map<SimObject, string>();
  private counted = 0;
  /** Characters of all bodies, and of the one that is being made. */
  characters = 0;

  constructor(private readonly style: SieStyle) {}

  async fill(catalog: Catalog, turn: () => Promise<void>): Promise<void> {
    const structures = new NewStructures();
    for (const { type } of catalog.eachObject()) {
      for (const struct of structures.in(type)) this.bodies.set(spell(struct.name), await this.body(struct, turn));
      await this.counts(turn);
    }
    for (const object of catalog.eachObject()) {
      this.names.set(object, this.place(object, await this.body(object.type, turn)));
      await this.counts(turn);
    }
  }

  nameOf(object: SimObject): string {
    return this.names.get(object) as string;
  }

  *blocks(): Generator<string> {
    for (const [name, body] of this.bodies) yield this.style.classOf(name, body);
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
  private counts(turn: () => Promise<void>): Promise<void> | undefined {
    return this.counted++ % PART_MEMBERS === 0 ? turn() : undefined;
  }

  private async body({ members }: StructType, turn: () => Promise<void>): Promise<string> {
    let body = '';
    for (const member of members) {
      const turned = this.counts(turn);
      if (turned) await turned;
      const block = (body === '' ? '' : this.style.separator) + this.style.member(member);
      body += block;
      this.characters += block.length;
    }
    return body;
  }
}

function enumerationBlock({ name, labels }: EnumerationType): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `    <pair label ="${xmlText(label)}" value="${value}"/>\n`,
  );
  return `\n  <enumeration name="${xmlText(spell(name))}">\n${pairs.join('')}  </enumeration>\n`;
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

function objectBlock(name: string, className: string): string {
  return `\n  <top_level_object\n    name="${xmlText(name)}"\n    type="${xmlText(className)}"\n    alloc_memory_init="1">\n  </top_level_object>\n`;
}

/** `std__vector` for `std::vector`, as Trick writes its names. */
export const spell = (name: string): string => name.replaceAll(':', '_');

const XML: SieStyle = {
  name: 'xml',
  start: '<?xml version="1.0"?>\n\n<sie>\n',
  end: '\n</sie>\n',
  around: () => ['', ''],
  separator: '',
  enumeration: enumerationBlock,
  member: memberBlock,
  classOf: (name, members) => `\n  <class name="${xmlText(name)}">\n${members}  </class>\n`,
  object: objectBlock,
};

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
