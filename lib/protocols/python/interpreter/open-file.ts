// A file that `open` has read: its text, and how far it has been read. Python: io.TextIOWrapper
import { ScriptError } from './error.js';
import { takeText } from './operators.js';
import { only } from './signature.js';
import {
  type Arguments,
  arithmetic,
  BoundMethod,
  Bytes,
  HostObject,
  ListValue,
  plain,
  type Run,
  type ScriptValue,
  type Tools,
} from './values.js';

type Method = (file: OpenFile, args: Arguments, tools: Tools) => ScriptValue | Run<ScriptValue>;

const METHODS: Readonly<Record<string, Method>> = {
  read: (file, args, { meter }) => {
    const [count = null] = only('read', args, 0, 1).map(plain);
    const most = count === null ? -1 : Number(arithmetic(count) ?? -1);
    const text = file.take(most < 0 ? Number.POSITIVE_INFINITY : most);
    takeText(text.length, meter);
    return file.shown(text);
  },
  readline: (file, args) => {
    only('readline', args, 0, 0);
    return file.shown(file.takeLine());
  },
  *readlines(file, args, { meter }): Run<ScriptValue> {
    only('readlines', args, 0, 0);
    const lines: ScriptValue[] = [];
    for (const line of file.items()) {
      if (meter.isTurnOver) yield 'turn';
      meter.allocate(LINE_BYTES);
      lines.push(line);
    }
    return new ListValue(lines);
  },
  close: (file, args) => {
    only('close', args, 0, 0);
    file.leave();
    return null;
  },
};

/** What a line takes that shares the file's text. */
const LINE_BYTES = 48;

const CLOSED = 'I/O operation on closed file.';

export class OpenFile extends HostObject {
  private at = 0;
  private isClosed = false;

  /** @param content its text; of a binary file, a character a byte. */
  constructor(
    private readonly name: string,
    private readonly content: string,
    private readonly isBinary: boolean,
  ) {
    super();
  }

  get typeName(): string {
    return this.isBinary ? '_io.BufferedReader' : '_io.TextIOWrapper';
  }

  get heldBytes(): number {
    return 2 * this.content.length;
  }

  override attribute(name: string): ScriptValue | undefined {
    if (name === 'name') return this.name;
    if (name === 'closed') return this.isClosed;
    if (!Object.hasOwn(METHODS, name)) return undefined;
    const method = METHODS[name] as Method;
    return new BoundMethod(name, this, (self, args, tools) => method(self as OpenFile, args, tools));
  }

  override names(): Iterable<string> {
    return ['name', 'closed', ...Object.keys(METHODS)];
  }

  ownCopy(): OpenFile {
    return new OpenFile(this.name, this.content, this.isBinary);
  }

  leave(): void {
    this.isClosed = true;
  }

  /** The next characters. Throws a ValueError when the file is closed. */
  take(most: number): string {
    if (this.isClosed) throw new ScriptError('ValueError', CLOSED);
    const taken = this.content.slice(this.at, this.at + most);
    this.at += taken.length;
    return taken;
  }

  takeLine(): string {
    const end = this.content.indexOf('\n', this.at);
    return this.take(end < 0 ? Number.POSITIVE_INFINITY : end + 1 - this.at);
  }

  *items(): Generator<ScriptValue> {
    for (let line = this.takeLine(); line !== ''; line = this.takeLine()) yield this.shown(line);
  }

  shown(text: string): ScriptValue {
    return this.isBinary ? new Bytes(text) : text;
  }
}
