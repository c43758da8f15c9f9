// Cuts the content of an f-string into plain text and fields.
import { decodeEscapes } from './escapes.js';
import { SyntaxProblem } from './syntax-error.js';
import type { Expression, Field, Text } from './tree.js';

/** What stands between the quotes of an f-string, and where that starts in the block. */
export interface FormattedContent {
  readonly content: string;
  readonly contentAt: number;
  readonly isRaw: boolean;
}

/** A field whose expression is still text: the parser cannot call itself, so it parses these afterwards. */
export interface PendingField {
  /** Where the expression stands in the block. */
  readonly start: number;
  readonly end: number;
  /** Completes the field's node. */
  readonly complete: (value: Expression) => void;
}

type OpenField = { -readonly [Key in keyof Field]: Field[Key] };

/** The parts of an f-string's content; each field's value is filled in by its entry in `pending`. Throws a SyntaxProblem. */
export function splitFormattedText(literal: FormattedContent, pending: PendingField[]): (Text | Field)[] {
  return new FieldCutter(literal, pending).run();
}

const closingOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

class FieldCutter {
  private readonly content: string;
  private readonly parts: (Text | Field)[] = [];
  private position = 0;

  constructor(
    private readonly literal: FormattedContent,
    private readonly pending: PendingField[],
  ) {
    this.content = literal.content;
  }

  run(): (Text | Field)[] {
    while (this.position < this.content.length) {
      if (this.content[this.position] === '{' && this.content[this.position + 1] !== '{') this.field();
      else this.text();
    }
    return this.parts;
  }

  /** Plain text up to the next field; doubled braces stand for one. */
  private text(): void {
    const start = this.position;
    let value = '';
    for (;;) {
      const brace = this.nextBrace();
      value += this.decoded(this.position, brace);
      this.position = brace;
      const character = this.content[brace];
      if (character === undefined) break;
      if (this.content[brace + 1] === character) {
        value += character;
        this.position += 2;
      } else if (character === '{') break;
      else throw this.problem("single '}' is not allowed", brace);
    }
    this.parts.push({ kind: 'text', at: this.literal.contentAt + start, value });
  }

  private nextBrace(): number {
    for (let index = this.position; index < this.content.length; index++) {
      const character = this.content[index];
      if (character === '{' || character === '}') return index;
    }
    return this.content.length;
  }

  private decoded(start: number, end: number): string {
    const text = this.content.slice(start, end);
    return this.literal.isRaw ? text : decodeEscapes(text, this.literal.contentAt + start);
  }

  private field(): void {
    const start = this.position + 1;
    const end = this.endOfExpression(start);
    if (this.content.slice(start, end).trim() === '') throw this.problem('empty expression not allowed', start);
    this.position = end;
    const isShown = this.showsItself(start);
    const conversion = this.conversion();
    const format = this.format();
    const { contentAt } = this.literal;
    const defaultConversion = isShown && format === '' ? 'r' : undefined;
    const placeholder: Expression = { kind: 'none', at: contentAt + start };
    const field: OpenField = {
      kind: 'field',
      at: contentAt + start - 1,
      value: placeholder,
      conversion: conversion ?? defaultConversion,
      format,
    };
    this.parts.push(field);
    const complete = (value: Expression): void => {
      field.value = value;
    };
    this.pending.push({ start: contentAt + start, end: contentAt + end, complete });
  }

  /** `{name=}` shows its own text before the value. */
  private showsItself(start: number): boolean {
    if (this.content[this.position] !== '=') return false;
    this.position++;
    while (/\s/.test(this.content[this.position] ?? '')) this.position++;
    const value = this.content.slice(start, this.position);
    this.parts.push({ kind: 'text', at: this.literal.contentAt + start, value });
    return true;
  }

  private conversion(): 's' | 'r' | 'a' | undefined {
    if (this.content[this.position] !== '!') return undefined;
    const letter = this.content[this.position + 1];
    this.position += 2;
    if (letter === 's' || letter === 'r' || letter === 'a') return letter;
    throw this.problem("invalid conversion character: expected 's', 'r', or 'a'", this.position - 1);
  }

  private format(): string {
    const start = this.position;
    if (this.content[start] === '}') {
      this.position++;
      return '';
    }
    if (this.content[start] !== ':') throw this.problem("expecting '}'", start);
    const end = this.content.indexOf('}', start);
    const nested = this.content.indexOf('{', start);
    if (nested >= 0 && (nested < end || end < 0)) {
      throw this.problem('a field inside a format is not part of the command language', nested);
    }
    if (end < 0) throw this.problem("expecting '}'", this.content.length);
    this.position = end + 1;
    return this.decoded(start + 1, end);
  }

  /** The first `}`, `!`, `:` or `=` that is not inside brackets, a string or a comparison. */
  private endOfExpression(start: number): number {
    const closings: string[] = [];
    for (let index = start; index < this.content.length; index++) {
      const character = this.content[index] ?? '';
      const pair = this.content.slice(index, index + 2);
      if (character === '\\') throw this.problem('expression part cannot include a backslash', index);
      if (character === '#') throw this.problem("expression part cannot include '#'", index);
      if (character === '"' || character === "'") index = this.endOfString(index);
      else if (character in closingOf) closings.push(closingOf[character] ?? '');
      else if (closings.length > 0 && closings.at(-1) === character) closings.pop();
      else if (closings.length === 0 && /^[!=<>]=/.test(pair)) index++;
      else if (closings.length === 0 && /[}!:=]/.test(character)) return index;
    }
    throw this.problem("expecting '}'", this.content.length);
  }

  private endOfString(start: number): number {
    const quote = this.content[start] ?? '';
    const delimiter = this.content.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    const end = this.content.indexOf(delimiter, start + delimiter.length);
    if (end < 0) throw this.problem('unterminated string', start);
    return end + delimiter.length - 1;
  }

  private problem(message: string, position: number): SyntaxProblem {
    return new SyntaxProblem(`f-string: ${message}`, this.literal.contentAt + position);
  }
}
