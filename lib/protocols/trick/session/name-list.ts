// A text of names with commas between, which is split only as far as somebody looks.

const COMMA = 44;

/** `a, b, c,` as names; a comma at the end adds nothing. */
export class NameList implements Iterable<string> {
  /** How many names there are. */
  readonly length: number;

  constructor(private readonly text: string) {
    let commas = 0;
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === COMMA) commas++;
    const isEndEmpty = text.slice(text.lastIndexOf(',') + 1).trim() === '';
    this.length = isEndEmpty ? commas : commas + 1;
  }

  *[Symbol.iterator](): Generator<string> {
    let start = 0;
    for (let index = 0; index < this.length; index++) {
      const comma = this.text.indexOf(',', start);
      const end = comma < 0 ? this.text.length : comma;
      yield this.text.slice(start, end).trim();
      start = end + 1;
    }
  }
}
