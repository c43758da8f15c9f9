// The files that an input file reads, with what its texts may do with them: run what was read, import files.
import { dirname } from 'node:path';
import {
  type Bytes,
  type FileModule,
  type IncludedBlock,
  ListValue,
  ScriptError,
  type SourceText,
  type TextFiles,
} from '../../python/index.js';
import { parseText } from './block-text.js';

/** The operator's files. */
export interface ReadableFiles {
  /** Throws one sentence. */
  read(name: string): { readonly text: string; readonly bytes: Uint8Array };
  kindOf(name: string): 'file' | 'directory' | undefined;
}

export class ScriptFiles implements TextFiles {
  readonly searchPath: ListValue;
  readonly modules = new Map<string, FileModule>();
  /** What was read, by its text and by its bytes. */
  private readonly sources = new Map<string, SourceText>();

  constructor(
    private readonly files: ReadableFiles,
    input: string,
  ) {
    this.searchPath = new ListValue(['', dirname(input)]);
  }

  read(name: string): { readonly text: string; readonly bytes: Uint8Array } {
    const content = this.attempt(name);
    const source = { file: name, text: content.text };
    this.sources.set(content.text, source);
    const bytes = Buffer.from(content.bytes).toString('latin1');
    if (bytes !== content.text) this.sources.set(bytes, source);
    return content;
  }

  kindOf(name: string): 'file' | 'directory' | undefined {
    return this.files.kindOf(name);
  }

  blockOf(text: string | Bytes): IncludedBlock | undefined {
    const source = this.sources.get(typeof text === 'string' ? text : text.text);
    return source && { ...source, tree: parseText(source.text, source.file) };
  }

  private attempt(name: string): ReturnType<ReadableFiles['read']> {
    try {
      return this.files.read(name);
    } catch (error) {
      throw new ScriptError('FileNotFoundError', (error as Error).message);
    }
  }
}
