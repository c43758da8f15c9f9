// The files of an input file as plain data: what it reads here, it reads in the same way on another machine.
import { type FileContent, type InputFiles, textOf } from './input-file.js';

/** What is there under a name. */
export interface SentFile {
  readonly name: string;
  readonly kind?: 'file' | 'directory' | undefined;
  /** Of a file that may be read. */
  readonly bytes?: Uint8Array | undefined;
  /** Why it cannot be read, in one sentence. */
  readonly error?: string | undefined;
}

/** An operator's files; what has been asked of them is noted. */
export class NotedFiles implements InputFiles {
  readonly name: string;
  readonly text: string;
  private readonly noted = new Map<string, SentFile>();

  constructor(private readonly files: InputFiles) {
    this.name = files.name;
    this.text = files.text;
    this.noted.set(this.name, { name: this.name, kind: 'file', bytes: Buffer.from(this.text) });
  }

  /** The input file first. */
  get all(): readonly SentFile[] {
    return [...this.noted.values()];
  }

  read(name: string): FileContent {
    const kind = this.files.kindOf(name);
    try {
      const content = this.files.read(name);
      this.noted.set(name, { name, kind, bytes: content.bytes });
      return content;
    } catch (error) {
      this.noted.set(name, { name, kind, error: (error as Error).message });
      throw error;
    }
  }

  /** A run may read what is there. */
  kindOf(name: string): SentFile['kind'] {
    try {
      if (!this.noted.has(name)) this.read(name);
    } catch {}
    return this.noted.get(name)?.kind;
  }
}

/** The noted files of another machine; there are no others. */
export class SentFiles implements InputFiles {
  readonly name: string;
  private readonly sent: ReadonlyMap<string, SentFile>;

  /** @param files the input file first. */
  constructor(files: readonly SentFile[]) {
    this.name = files[0]?.name ?? '';
    this.sent = new Map(files.map((file) => [file.name, file]));
  }

  get text(): string {
    return this.read(this.name).text;
  }

  /** Throws one sentence. */
  read(name: string): FileContent {
    const { bytes, error } = this.find(name);
    if (bytes) return { text: textOf(bytes).text, bytes };
    throw new Error(error);
  }

  kindOf(name: string): SentFile['kind'] {
    return this.find(name).kind;
  }

  private find(name: string): SentFile {
    const found = this.sent.get(name);
    if (found) return found;
    throw new Error(
      `${name} was not sent: workers have the files that the input file asks for until its first run begins`,
    );
  }
}
