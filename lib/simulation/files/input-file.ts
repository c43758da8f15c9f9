// Reads an input file and the files that it may read: below the working directory, beside it, and where the operator says.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { type DecodedText, decodeText } from './decode-text.js';

const LARGEST_BYTES = 16 * 1024 * 1024;
const MOST_BYTES_IN_ALL = 64 * 1024 * 1024;
const MOST_FILES = 1000;

export interface FileContent {
  /** With line ends as `\n`. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** An input file, and what it may read. */
export interface InputFiles {
  readonly name: string;
  readonly text: string;
  /** Throws one sentence. */
  read(name: string): FileContent;
  kindOf(name: string): 'file' | 'directory' | undefined;
}

export class InputFile implements InputFiles {
  readonly text: string;
  private readonly roots: readonly string[];
  private filesRead = 0;
  private bytesRead = 0;
  private readonly told = new Set<string>();

  /**
   * Throws one sentence when the file cannot be read.
   * @param directories whose files it may read too.
   * @param tell takes a sentence about a file for the log.
   */
  constructor(
    readonly name: string,
    directories: readonly string[] = [],
    private readonly tell: (sentence: string) => void = () => undefined,
  ) {
    this.text = this.load(name, resolve(name)).text;
    this.roots = ['.', dirname(resolve(name)), ...directories].map(rootOf);
  }

  /** A file, looked for in the working directory first. Throws one sentence. */
  read(name: string): FileContent {
    const path = this.find(name);
    if (path !== undefined) return this.load(name, path);
    const isElsewhere = this.roots.some((root) => existing(resolve(root, name)) !== undefined);
    if (isElsewhere) throw new Error(`${name} is neither below the working directory nor beside ${this.name}`);
    throw new Error(`there is no file ${name}`);
  }

  /** What a name stands for; undefined where nothing may be read. */
  kindOf(name: string): 'file' | 'directory' | undefined {
    const path = this.find(name);
    const stat = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() ? 'directory' : stat?.isFile() ? 'file' : undefined;
  }

  /** The real path of what may be read. */
  private find(name: string): string | undefined {
    for (const root of this.roots) {
      const path = existing(resolve(root, name));
      if (path !== undefined && this.isAllowed(path)) return path;
    }
    return undefined;
  }

  private isAllowed(path: string): boolean {
    return this.roots.some((root) => isBelow(root, path));
  }

  private load(name: string, path: string): FileContent {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw new Error(`there is no input file ${name}`);
    if (!stat.isFile()) throw new Error(`${name} is not a file`);
    if (stat.size > LARGEST_BYTES) throw new Error(`${name} is larger than ${LARGEST_BYTES} bytes`);
    this.bytesRead += stat.size;
    if (++this.filesRead > MOST_FILES || this.bytesRead > MOST_BYTES_IN_ALL)
      throw new Error(
        `${name} is not read: an input file reads ${MOST_FILES} files and ${MOST_BYTES_IN_ALL} bytes at most`,
      );
    const bytes = readFileSync(path);
    const { text, isLatin1 } = textOf(bytes);
    if (isLatin1 && !this.told.has(path)) this.tell(`${name} is no UTF-8, it is read as Latin-1`);
    if (isLatin1) this.told.add(path);
    return { text, bytes };
  }
}

/** With line ends as `\n`. */
export function textOf(bytes: Uint8Array): DecodedText {
  const { text, isLatin1 } = decodeText(bytes);
  return { text: text.replace(/\r\n?/g, '\n'), isLatin1 };
}

/** The real path, with symbolic links followed; undefined when there is no such file. */
function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function rootOf(directory: string): string {
  const path = existing(directory);
  if (path === undefined) throw new Error(`there is no directory ${directory} to read input files from`);
  return path;
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside;
}
