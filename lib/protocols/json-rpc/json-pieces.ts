// JSON text to a value in pieces, so that no step takes long for a long text; JSON.parse does each piece.

/** Parsing so many characters takes a millisecond, whatever they are. */
const PIECE_CHARACTERS = 8 * 1024;
/** How many characters are read together. */
const LOOK_CHARACTERS = 4096;

export interface PieceOptions {
  /** How deep lists and objects may lie in each other. */
  readonly maxDepth: number;
  /** How many lists, objects and members there may be: so many small parts would make the garbage collector slow. */
  readonly maxParts: number;
  readonly pieceCharacters?: number;
}

/** The text is beyond a bound; the message says which. */
export class JsonBoundError extends Error {
  override readonly name = 'JsonBoundError';
}

/** The value that JSON.parse gives; yields between pieces. Throws a SyntaxError where it does, or a JsonBoundError. */
export function* parseInPieces(text: string, options: PieceOptions): Generator<void, unknown> {
  const reading = new Reading(text, options);
  let lookAt = LOOK_CHARACTERS;
  for (let at = reading.step(0); at < text.length; at = reading.step(at)) {
    if (at < lookAt && !reading.hasParsed) continue;
    reading.hasParsed = false;
    lookAt = at + LOOK_CHARACTERS;
    yield;
  }
  return reading.end();
}

/** The elements of a list's text, some at a time: a reader of all would need several times the memory of the text. */
export class ElementReader {
  private readonly reading: Reading;
  private at = 0;
  private isOver = false;

  constructor(
    private readonly text: string,
    options: PieceOptions,
  ) {
    this.reading = new Reading(text, options);
  }

  /** The next elements, of some characters none, or undefined after the last ones. Throws what `parseInPieces` throws, where it comes to it. */
  next(): unknown[] | undefined {
    const { reading, text } = this;
    if (this.isOver) return undefined;
    const lookAt = this.at + LOOK_CHARACTERS;
    while (this.at < text.length) {
      this.at = reading.step(this.at);
      if (this.at < lookAt && !reading.hasParsed) continue;
      reading.hasParsed = false;
      return reading.takeElements();
    }
    this.isOver = true;
    return reading.end() as unknown[];
  }
}

/** A list or object that is open at the place where the text is read. */
interface Level {
  readonly openAt: number;
  readonly isObject: boolean;
  /** Where the part of its text begins that has not been parsed. */
  from: number;
  /** Where the element that is being read begins. */
  elementAt: number;
  /** What has been parsed of it; undefined while it may still be parsed as a whole. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Its name in the object around it, once a part of it has been parsed. */
  key: string;
  /** Whether the element that is being read has been parsed as a level of its own. */
  isAfterLevel: boolean;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

class Reading {
  /** Whether a piece has been parsed since this was last set to false. */
  hasParsed = false;
  private readonly levels: Level[] = [];
  private readonly pieceCharacters: number;
  private parsedAt = 0;
  private parts = 0;
  private isInString = false;
  private root: { readonly value: unknown; readonly end: number } | undefined;

  constructor(
    private readonly text: string,
    private readonly options: PieceOptions,
  ) {
    this.pieceCharacters = options.pieceCharacters ?? PIECE_CHARACTERS;
  }

  /** Reads the character or the string at a place, of a long string a part; returns the place behind it. */
  step(at: number): number {
    if (this.isInString) return this.readString(at);
    switch (this.text.charCodeAt(at)) {
      case QUOTE:
        return this.readString(at + 1);
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.open(at);
        break;
      case COMMA:
        this.comma(at);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.close(at);
    }
    return at + 1;
  }

  /** Takes the elements of the outermost list that have been parsed. */
  takeElements(): unknown[] {
    const value = this.levels[0]?.value;
    return Array.isArray(value) ? value.splice(0) : [];
  }

  /** The value, when all has been read; without the elements that were taken. */
  end(): unknown {
    const { text, root } = this;
    if (!root) return JSON.parse(text);
    this.requireBlank(root.end, text.length);
    return root.value;
  }

  /** Reads on in a string up to its end, or to a quote in it far enough on: a search is faster than a loop. */
  private readString(from: number): number {
    const { text } = this;
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
      let backslashes = 0;
      while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
      this.isInString = backslashes % 2 === 1;
      if (!this.isInString || at - from >= LOOK_CHARACTERS) return at + 1;
    }
    return text.length;
  }

  private open(at: number): void {
    const { maxDepth } = this.options;
    if (this.levels.length >= maxDepth) throw new JsonBoundError(`nested deeper than ${maxDepth} levels`);
    if (this.levels.length === 0) this.requireFirst(at);
    this.countPart();
    const isObject = this.text.charCodeAt(at) === OPEN_OBJECT;
    const [from, elementAt] = [at + 1, at + 1];
    this.levels.push({ openAt: at, isObject, from, elementAt, value: undefined, key: '', isAfterLevel: false });
  }

  /** A list or object that is in no other one is the whole text. */
  private requireFirst(at: number): void {
    // A short text is parsed as a whole, whose error says more.
    if (this.text.length > this.pieceCharacters && !isBlank(this.text.slice(0, at))) throw unexpected(this.text, at);
  }

  private countPart(): void {
    const { maxParts } = this.options;
    if (++this.parts > maxParts) throw new JsonBoundError(`of more than ${maxParts} lists, objects and members`);
  }

  private comma(at: number): void {
    const level = this.levels.at(-1);
    if (!level) return;
    if (level.isObject) this.countPart();
    if (level.isAfterLevel) {
      this.requireBlank(level.from, at);
      level.isAfterLevel = false;
      level.from = at + 1;
    } else if (at - this.parsedAt >= this.pieceCharacters) this.parseUpTo(at);
    level.elementAt = at + 1;
  }

  private close(at: number): void {
    const level = this.levels.pop();
    const isObject = this.text.charCodeAt(at) === CLOSE_OBJECT;
    if (level?.isObject !== isObject) {
      // A short text is parsed as a whole, whose error says more.
      if (this.text.length <= this.pieceCharacters) return;
      throw unexpected(this.text, at);
    }
    // A level of which no part has been parsed is parsed together with the level around it.
    if (!level.value) return;
    if (level.isAfterLevel) this.requireBlank(level.from, at);
    else this.parseElements(level, at);
    const around = this.levels.at(-1);
    if (!around) {
      this.root = { value: level.value, end: at + 1 };
      return;
    }
    put(around, level.key, level.value);
    around.from = at + 1;
    around.isAfterLevel = true;
  }

  /** Parses everything that is complete before a comma, in all open levels. */
  private parseUpTo(comma: number): void {
    for (const [index, level] of this.levels.entries()) {
      const inner = this.levels[index + 1];
      // When a part of the inner level has been parsed, everything before that level has been parsed too.
      if (inner?.value) continue;
      if (level.isAfterLevel) throw unexpected(this.text, level.from);
      level.value ??= level.isObject ? {} : [];
      const end = inner ? level.elementAt - 1 : comma;
      if (end >= level.from) this.parseElements(level, end);
      level.from = end + 1;
      if (inner) inner.key = this.keyBefore(level, inner.openAt);
    }
    this.parsedAt = comma;
    this.hasParsed = true;
  }

  /** Parses the elements of a level, from the first that has not been parsed up to a comma or the level's end. */
  private parseElements(level: Level, end: number): void {
    const { from, isObject } = level;
    const piece = this.text.slice(from, end);
    if (isBlank(piece)) throw unexpected(this.text, end);
    const parsed = parsePiece(isObject ? `{${piece}}` : `[${piece}]`, from - 1);
    if (Array.isArray(parsed)) for (const element of parsed) put(level, '', element);
    else for (const key of Object.keys(parsed)) put(level, key, parsed[key]);
    this.hasParsed = true;
  }

  /** The name of the member whose value begins at a place; nothing may stand there in a list. */
  private keyBefore({ isObject, elementAt }: Level, valueAt: number): string {
    if (!isObject) {
      this.requireBlank(elementAt, valueAt);
      return '';
    }
    const [key] = Object.keys(parsePiece(`{${this.text.slice(elementAt, valueAt)}null}`, elementAt - 1));
    return key as string;
  }

  private requireBlank(from: number, end: number): void {
    if (!isBlank(this.text.slice(from, end))) throw unexpected(this.text, from);
  }
}

/** Adds an element or a member. */
function put({ value }: Level, key: string, element: unknown): void {
  if (Array.isArray(value)) value.push(element);
  // Assigning it would set the prototype.
  else if (key === '__proto__')
    Object.defineProperty(value, key, { value: element, enumerable: true, writable: true, configurable: true });
  else if (value) value[key] = element;
}

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

const unexpected = (text: string, at: number): SyntaxError =>
  new SyntaxError(`Unexpected ${at < text.length ? `token '${text[at]}'` : 'end'} in JSON at position ${at}`);

/** @param startAt where the piece stands in the whole text. */
function parsePiece(piece: string, startAt: number): Record<string, unknown> {
  try {
    return JSON.parse(piece) as Record<string, unknown>;
  } catch (error) {
    const { message } = error as Error;
    throw new SyntaxError(message.replace(/position (\d+).*/, (_, at) => `position ${Number(at) + startAt}`));
  }
}
