// The methods of texts; the block pays for what they read and for what they make.
import { itemsIn } from './classes.js';
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { toInteger } from './number-of.js';
import { grown, takeList, takeText } from './operators.js';
import { only } from './signature.js';
import { formatTemplate } from './template.js';
import { placesOf } from './text-search.js';
import { typeName } from './type-name.js';
import {
  type Arguments,
  arithmetic,
  type CallResult,
  itemsOf,
  ListValue,
  plain,
  type ScriptValue,
  type Tools,
} from './values.js';

type Method = (self: string, args: Arguments, tools: Tools) => CallResult;

/** Reading a character by itself takes longer than copying it. */
const READ_PER_STEP = CHARACTERS_PER_STEP / 8;

function textAt(name: string, value: ScriptValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new ScriptError('TypeError', `${name}() takes a text here, not ${typeName(value ?? null)}`);
}

/** The most times that a method acts; a negative number means all. */
function limitOf(name: string, value: ScriptValue | undefined): number {
  const most = value === undefined ? -1n : arithmetic(plain(value));
  if (typeof most !== 'bigint') throw new ScriptError('TypeError', `${name}() takes a whole number of times`);
  return most < 0n ? Number.POSITIVE_INFINITY : Number(most);
}

/** Python's white space; a look at the number is much faster than a pattern. */
function isBlank(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code <= 0x85)
    return code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f) || code === 0x85;
  return code !== 0xfeff && character.trim() === '';
}

/** The bounds of a text without certain characters at its ends. */
function stripped(text: string, isGone: (character: string) => boolean, ends: 'both' | 'left' | 'right'): string {
  let [start, end] = [0, text.length];
  if (ends !== 'right') while (start < end && isGone(text[start] as string)) start++;
  if (ends !== 'left') while (end > start && isGone(text[end - 1] as string)) end--;
  return text.slice(start, end);
}

const strip =
  (name: string, ends: 'both' | 'left' | 'right'): Method =>
  (text, args, { meter }) => {
    const [given = null] = only(name, args, 0, 1);
    meter.spend(text.length / READ_PER_STEP);
    takeText(text.length, meter);
    const gone = given === null ? undefined : new Set(textAt(name, given));
    return stripped(text, gone ? (character) => gone.has(character) : isBlank, ends);
  };

/** A method that changes letters; paid for twice, because some letters become more. */
const changed =
  (name: string, change: (text: string) => string): Method =>
  (text, args, { meter }) => {
    only(name, args, 0, 0);
    meter.allocate(3 * text.length);
    const result = change(text);
    takeText(result.length, meter);
    return result;
  };

/** A method that fills a text up to a width, with blanks or another character. */
const filled =
  (name: string, fill: (text: string, missing: number, by: string) => string, standard = ' '): Method =>
  (text, args, { meter }) => {
    const [width = null, by = standard] = only(name, args, 1, name === 'zfill' ? 1 : 2);
    if (typeof by !== 'string' || [...by].length !== 1)
      throw new ScriptError('TypeError', 'The fill character must be exactly one character long');
    const length = [...text].length;
    const missing = Number(toInteger(width)) - length;
    if (missing <= 0) return text;
    takeText(text.length + missing * by.length, meter);
    return fill(text, missing, by);
  };

/** `startswith` and `endswith`, of a text or of one of a tuple of texts. */
const hasEnd =
  (name: string, test: (text: string, end: string) => boolean): Method =>
  (text, args, { meter }) => {
    const [given = null] = only(name, args, 1, 1);
    const ends = itemsOf(given) ?? [given];
    return ends.some((end) => {
      meter.spend(1 + textAt(name, end).length / CHARACTERS_PER_STEP);
      return test(text, textAt(name, end));
    });
  };

function pieces(text: string, places: readonly number[], length: number, meter: Meter): string[] {
  takeList(places.length + 1, meter);
  meter.allocate(text.length);
  let start = 0;
  const parts = places.map((at) => {
    const piece = text.slice(start, at);
    start = at + length;
    return piece;
  });
  return [...parts, text.slice(start)];
}

/** `split()` without a separator: splits at runs of blanks. */
function words(text: string, most: number, meter: Meter): string[] {
  meter.spend(text.length / READ_PER_STEP);
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    while (at < text.length && isBlank(text[at] as string)) at++;
    if (at === text.length) break;
    let end = at;
    while (end < text.length && !isBlank(text[end] as string)) end++;
    if (found.length >= most) end = text.length;
    meter.allocate(16 + end - at);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

/** Where a text is first found, as Python counts characters. */
function firstPlace(name: string, text: string, args: Arguments, { meter }: Tools): bigint {
  const [wanted = null] = only(name, args, 1, 1);
  const [place] = placesOf(textAt(name, wanted), text, meter, 1);
  return place === undefined ? -1n : BigInt([...text.slice(0, place)].length);
}

export const TEXT_METHODS: Readonly<Record<string, Method>> = {
  format: (text, args, tools) => formatTemplate(text, args, tools),
  *join(separator, args, tools) {
    const items = yield* itemsIn(only('join', args, 1, 1)[0] as ScriptValue, tools);
    let joined = '';
    for (const [index, item] of items.entries()) {
      if (tools.meter.isTurnOver) yield 'turn';
      if (typeof item !== 'string') {
        const found = `sequence item ${index}: expected str instance, ${typeName(item)} found`;
        throw new ScriptError('TypeError', found);
      }
      if (index > 0) joined = grown(joined, separator, tools.meter);
      joined = grown(joined, item, tools.meter);
    }
    return joined;
  },
  split(text, args, { meter }) {
    const [given = null, times] = only('split', args, 0, 2);
    const most = limitOf('split', times);
    if (given === null) return new ListValue(words(text, most, meter));
    const separator = textAt('split', given);
    if (separator === '') throw new ScriptError('ValueError', 'empty separator');
    return new ListValue(pieces(text, placesOf(separator, text, meter, most), separator.length, meter));
  },
  splitlines(text, args, { meter }) {
    only('splitlines', args, 0, 0);
    const lines = pieces(text.replaceAll('\r\n', '\n'), placesOf('\n', text.replaceAll('\r\n', '\n'), meter), 1, meter);
    return new ListValue(lines.at(-1) === '' ? lines.slice(0, -1) : lines);
  },
  replace(text, args, { meter }) {
    const [from, to, times] = only('replace', args, 2, 3);
    const [old, put] = [textAt('replace', from), textAt('replace', to)];
    const places = placesOf(old, text, meter, limitOf('replace', times));
    takeText(text.length + places.length * (put.length - old.length), meter);
    return pieces(text, places, old.length, meter).join(put);
  },
  strip: strip('strip', 'both'),
  lstrip: strip('lstrip', 'left'),
  rstrip: strip('rstrip', 'right'),
  upper: changed('upper', (text) => text.toUpperCase()),
  lower: changed('lower', (text) => text.toLowerCase()),
  capitalize: changed('capitalize', (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()),
  ljust: filled('ljust', (text, missing, by) => text + by.repeat(missing)),
  rjust: filled('rjust', (text, missing, by) => by.repeat(missing) + text),
  zfill: filled(
    'zfill',
    (text, missing, zero) => {
      const sign = /^[-+]/.test(text) ? text.slice(0, 1) : '';
      return sign + zero.repeat(missing) + text.slice(sign.length);
    },
    '0',
  ),
  startswith: hasEnd('startswith', (text, start) => text.startsWith(start)),
  endswith: hasEnd('endswith', (text, end) => text.endsWith(end)),
  find: (text, args, tools) => firstPlace('find', text, args, tools),
  index(text, args, tools) {
    const place = firstPlace('index', text, args, tools);
    if (place < 0n) throw new ScriptError('ValueError', 'substring not found');
    return place;
  },
  count: (text, args, { meter }) => BigInt(placesOf(textAt('count', only('count', args, 1, 1)[0]), text, meter).length),
  isdigit(text, args, { meter }) {
    only('isdigit', args, 0, 0);
    meter.spend(text.length / CHARACTERS_PER_STEP);
    return /^\d+$/.test(text);
  },
};
