// The text of data products as Trick 05 had it, which koviz reads and writes (.dp): as the elements of the later XML.
import type { XmlElement } from './element.js';
import { TIME } from './product.js';

interface Element extends XmlElement {
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
}

/** `KEY 1: "value"`; a list of numbers is one text. */
interface Entry {
  readonly key: string;
  readonly value: string;
}

const TOKEN =
  /\s+|#[^\n]*|\/\/[^\n]*|(?<mark>[{}])|(?<key>[A-Za-z][A-Za-z_]*)\s*\d*\s*:|"(?<text>[^"]*)"|(?<bare>[\w.+-]+(?:\s*,\s*[\w.+-]+)*)/y;

export const isTextProduct = (text: string): boolean =>
  /^(\s|#[^\n]*|\/\/[^\n]*)*(PLOTS|TABLES|PROGRAM)\s*:/.test(text);

/** Throws one sentence with the line of what is wrong. */
export function elementOfText(text: string): XmlElement {
  const builder = new Builder();
  for (const entry of entriesOf(text)) builder.add(entry);
  return builder.product;
}

function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let key: string | undefined;
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`line ${text.slice(0, at).split('\n').length} is not of a data product`);
    const { mark, key: next, text: quoted, bare } = found.groups ?? {};
    const value = quoted ?? bare;
    if (value !== undefined && key === undefined)
      throw new Error(`line ${text.slice(0, at).split('\n').length} has a value without a name`);
    if (value !== undefined) entries.push({ key: key as string, value });
    else if (key !== undefined && (next ?? mark) !== undefined) entries.push({ key, value: '' });
    if (mark === '}') entries.push({ key: mark, value: '' });
    if (next !== undefined) key = next;
    else if (value !== undefined || mark !== undefined) key = undefined;
  }
  return entries;
}

/** Attributes of a variable in XML, by their names in the text. */
const OF_VARIABLE: Readonly<Record<string, string>> = {
  LABEL: 'label',
  UNITS: 'units',
  SCALE_FACTOR: 'scale',
  BIAS: 'bias',
  LINE_COLOR: 'line_color',
  LINE_STYLE: 'line_style',
  SYMBOL_STYLE: 'symbol_style',
  SYMBOL_SIZE: 'symbol_size',
};
const OF_PLOT: Readonly<Record<string, string>> = {
  X_MIN_RANGE: 'xmin',
  X_MAX_RANGE: 'xmax',
  Y_MIN_RANGE: 'ymin',
  Y_MAX_RANGE: 'ymax',
  PLOT_X_SCALE: 'x_scale',
  PLOT_Y_SCALE: 'y_scale',
  X_SCALE: 'x_scale',
  Y_SCALE: 'y_scale',
};

class Builder {
  readonly product = made('product');
  /** What START and STOP belong to. */
  private section = this.product;
  private page: Element | undefined;
  private plot: Element | undefined;
  private curve: Element | undefined;
  private pair: Element | undefined;
  private x = made('var', TIME);
  private last: Element | undefined;

  add({ key, value }: Entry): void {
    const ofVariable = OF_VARIABLE[key];
    const ofPlot = OF_PLOT[key];
    if (ofVariable !== undefined) this.attribute(this.last, ofVariable, value);
    else if (ofPlot !== undefined) this.attribute(this.plot, ofPlot, value);
    else this.begin(key, value);
  }

  private begin(key: string, value: string): void {
    if (key === 'PAGE') this.page = this.begun(this.product, 'page', value);
    else if (key === 'TABLE') this.begun(this.product, 'table', value);
    else if (key === 'PLOT') {
      this.page ??= this.begun(this.product, 'page', '');
      this.plot = this.begun(this.page, 'plot', value);
      this.x = made('var', TIME);
    } else if (key === 'START' || key === 'STOP')
      this.section.children.push(made(key === 'START' ? 'tstart' : 'tstop', value));
    else if (key === 'X_AXIS_LABEL' || key === 'Y_AXIS_LABEL')
      this.plot?.children.push(made(key === 'X_AXIS_LABEL' ? 'xaxis' : 'yaxis', '', [made('label', value)]));
    else if (key === 'VARIABLE') {
      this.last = made('var', value);
      this.section.children.push(made('column', '', [this.last]));
    } else this.beginCurve(key, value);
  }

  private beginCurve(key: string, value: string): void {
    if (key === 'CURVE') this.curve = this.grown(this.plot, made('curve'));
    else if (key === 'XY_PAIR') this.pair = this.grown(this.curve, made('varcase'));
    else if (key === '}') this.pair = undefined;
    else if (key === 'X_VARIABLE') {
      this.last = made('var', value);
      if (this.pair) this.pair.children.push(this.last);
      else this.x = this.last;
    } else if (key === 'Y_VARIABLE') {
      this.last = made('var', value);
      if (!this.pair) this.plot?.children.push(made('curve', '', [this.x, this.last]));
      else this.pair.children.push(...(this.pair.children.length === 0 ? [made('var', TIME)] : []), this.last);
    }
  }

  private begun(parent: Element, name: string, title: string): Element {
    this.section = made(name, '', title === '' ? [] : [made('title', title)]);
    this.last = undefined;
    parent.children.push(this.section);
    return this.section;
  }

  private grown(parent: Element | undefined, child: Element): Element {
    parent?.children.push(child);
    return child;
  }

  private attribute(element: Element | undefined, name: string, value: string): void {
    if (element) element.attributes[name] = value;
  }
}

const made = (name: string, text = '', children: XmlElement[] = []): Element => ({
  name,
  text,
  attributes: {},
  children,
});
