// Backslash escapes of strings and bytes, resolved unit by unit: a long literal may consist of nothing else.
import { SyntaxProblem } from './syntax-error.js';

const CODE = { newline: 10, carriageReturn: 13, backslash: 92, N: 78, U: 85, u: 117, x: 120 } as const;

/** What the letters and signs behind a backslash mean. */
const MEANINGS = new Map(
  Object.entries({
    '\\': '\\',
    "'": "'",
    '"': '"',
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  }).map(([sign, meaning]) => [sign.charCodeAt(0), meaning.charCodeAt(0)]),
);

/** The hexadecimal escapes as Python's error sentences name them. */
const HEX_FORMS = { [CODE.x]: '\\xXX', [CODE.u]: '\\uXXXX', [CODE.U]: '\\UXXXXXXXX' } as const;

/** Units that become text at once; each is an argument of a call. */
const UNITS_AT_ONCE = 4096;

/** Text with its escapes resolved; an escape that Python does not know keeps its backslash. Throws a SyntaxProblem. */
export function decodeEscapes(content: string, at: number): string {
  return content.includes('\\') ? new TextEscapes(content, at).resolve() : content;
}

/** Bytes, one character each, with their escapes resolved. Throws a SyntaxProblem. */
export function decodeByteEscapes(content: string, at: number): string {
  return content.includes('\\') ? new ByteEscapes(content, at).resolve() : content;
}

abstract class Escapes {
  private text = '';
  /** What comes behind the text. */
  private units: number[] = [];

  constructor(
    protected readonly content: string,
    protected readonly at: number,
  ) {}

  resolve(): string {
    const { content } = this;
    const last = content.length - 1;
    for (let position = 0; position <= last; ) {
      const isEscape = content.charCodeAt(position) === CODE.backslash && position < last;
      position = isEscape ? this.escape(position) : this.keep(position, position + 1);
    }
    this.flush();
    return this.text;
  }

  /** Resolves the escape with a letter, and returns where it ends; undefined for any letter but those of numbers. */
  protected abstract numbered(start: number, letter: number): number | undefined;
  protected abstract octal(value: number): number;
  /** Throws for a letter that the command language leaves out. */
  protected abstract check(letter: number, start: number): void;

  protected put(unit: number): void {
    if (this.units.push(unit) === UNITS_AT_ONCE) this.flush();
  }

  /** The value of the digits from an offset on, and where they end. */
  protected digits(from: number, most: number, base: number): { value: number; end: number } {
    let value = 0;
    let end = from;
    for (; end < from + most; end++) {
      const digit = digitOf(this.content.charCodeAt(end));
      if (digit >= base) break;
      value = value * base + digit;
    }
    return { value, end };
  }

  private escape(start: number): number {
    const letter = this.content.charCodeAt(start + 1);
    if (digitOf(letter) >= 8) return this.numbered(start, letter) ?? this.signed(start);
    const { value, end } = this.digits(start + 1, 3, 8);
    this.put(this.octal(value));
    return end;
  }

  /** An escape of one letter or sign; a newline joins two lines. */
  private signed(start: number): number {
    let at = start + 1;
    while (this.content.charCodeAt(at) === CODE.carriageReturn && at + 1 < this.content.length) at++;
    const letter = this.content.charCodeAt(at);
    if (letter === CODE.newline) return at + 1;
    this.check(letter, start);
    const meaning = MEANINGS.get(letter);
    if (meaning === undefined) return this.keep(start, at + 1);
    this.put(meaning);
    return at + 1;
  }

  private keep(start: number, end: number): number {
    for (let position = start; position < end; position++) this.put(this.content.charCodeAt(position));
    return end;
  }

  private flush(): void {
    this.text += String.fromCharCode(...this.units);
    this.units = [];
  }
}

class TextEscapes extends Escapes {
  protected octal(value: number): number {
    return value;
  }

  protected check(letter: number, start: number): void {
    if (letter !== CODE.N) return;
    throw new SyntaxProblem('\\N{...} is not part of the command language; write \\uXXXX', this.at + start, 2);
  }

  protected numbered(start: number, letter: number): number | undefined {
    if (letter !== CODE.x && letter !== CODE.u && letter !== CODE.U) return undefined;
    const form = HEX_FORMS[letter];
    const { value, end } = this.digits(start + 2, form.length - 2, 16);
    const isComplete = end === start + form.length;
    if (!isComplete || value > 0x10ffff) throw this.noCharacter(start, end, isComplete, form);
    this.putCharacter(value);
    return end;
  }

  private putCharacter(codePoint: number): void {
    if (codePoint <= 0xffff) this.put(codePoint);
    else {
      this.put(0xd7c0 + (codePoint >> 10));
      this.put(0xdc00 | (codePoint & 0x3ff));
    }
  }

  private noCharacter(start: number, end: number, isComplete: boolean, form: string): SyntaxProblem {
    const reason = isComplete ? 'illegal Unicode character' : `truncated ${form} escape`;
    const message = `(unicode error) 'unicodeescape' codec can't decode bytes in position ${start}-${end - 1}: ${reason}`;
    return new SyntaxProblem(message, this.at + start, end - start);
  }
}

class ByteEscapes extends Escapes {
  protected octal(value: number): number {
    return value & 0xff;
  }

  protected check(): void {}

  protected numbered(start: number, letter: number): number | undefined {
    if (letter !== CODE.x) return undefined;
    const { value, end } = this.digits(start + 2, 2, 16);
    if (end !== start + 4) {
      throw new SyntaxProblem(`(value error) invalid \\x escape at position ${start}`, this.at + start, 2);
    }
    this.put(value);
    return end;
  }
}

/** The value of a hexadecimal digit, infinity for any other character. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : Number.POSITIVE_INFINITY;
}
