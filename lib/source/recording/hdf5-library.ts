// The library that reads and writes HDF5 files, an optional package, which takes long to load. It sees nothing of the disk but these files.
import { ftruncateSync, readSync, writeSync } from 'node:fs';
import type { RecordingFile } from './recording-file.js';

/** With what such a file begins. */
export const HDF5_MARK = '\x89HDF';
/** Errors of reading, as Linux numbers them in the library. */
const EIO = 29;
const STDERR = 2;

/** The file system in the memory of the library. Emscripten: FS, MEMFS */
interface Files {
  create(path: string): {
    usedBytes: number;
    stream_ops: object;
    node_ops: { setattr(node: unknown, to: object): void };
  };
  unlink(path: string): void;
  readonly streams: readonly { stream_ops: object }[];
  readonly ErrnoError: new (code: number) => Error;
}

/** A list of values, as far as it is used. h5wasm: Dataset */
export interface Hdf5Dataset {
  readonly type: string;
  readonly metadata: {
    readonly type: number;
    readonly size: number;
    readonly signed: boolean;
    readonly shape: readonly number[] | null;
    readonly chunks: readonly number[] | null;
    readonly vlen: boolean;
  };
  readonly value: unknown;
  slice(ranges: [number, number][]): unknown;
}

/** h5wasm: File */
export interface Hdf5Root {
  readonly file_id: bigint;
  keys(): string[];
  get(name: string): Hdf5Dataset | { readonly type: string } | object | null;
  close(): unknown;
}

/** A group that is written. h5wasm: Group, Dataset */
export interface Hdf5Group {
  create_group(name: string): Hdf5Group;
  create_dataset(made: object): {
    resize(shape: readonly number[]): unknown;
    write_slice(ranges: readonly [number, number][], data: unknown): void;
  };
}

interface Library {
  readonly File: new (name: string, mode: 'r' | 'w') => Hdf5Root & Hdf5Group;
  readonly files: Files;
}

let library: Library | undefined;
let opened = 0;

/**
 * Loads the optional package h5wasm, after which `openRecording` opens .h5 files. Rejects with an Error with one sentence
 * where it is not installed.
 */
export async function loadHdf5(): Promise<void> {
  if (library) return;
  const loaded = await import('h5wasm').catch(() => {
    throw new Error('there is no package h5wasm, which reads and writes HDF5: npm install h5wasm');
  });
  const { FS } = (await loaded.ready) as unknown as { readonly FS: Files };
  // It prints what it finds wrong in a file.
  const errors = FS.streams[STDERR] as Files['streams'][number];
  errors.stream_ops = { ...errors.stream_ops, write: (...[, , , length]: readonly unknown[]) => length };
  library = { File: loaded.File as unknown as Library['File'], files: FS };
}

/** A file as the library sees it. */
export interface OpenHdf5 {
  readonly root: Hdf5Root;
  close(): void;
}

/** Throws an Error with one sentence when the library has not been loaded, or cannot open the file. */
export function openHdf5(source: RecordingFile): OpenHdf5 {
  if (!library)
    throw new Error(
      `${source.path} is HDF5, which takes the package h5wasm (npm install h5wasm), and in a program await loadHdf5() before`,
    );
  const { files } = library;
  const name = `/${++opened}`;
  let isOpen = true;
  const node = files.create(name);
  node.usedBytes = source.sizeBytes;
  node.stream_ops = {
    ...node.stream_ops,
    read: (_: unknown, memory: Int8Array, offset: number, length: number, position: number): number => {
      const count = Math.max(0, Math.min(length, source.sizeBytes - position));
      try {
        source.readInto(Buffer.from(memory.buffer, memory.byteOffset + offset, count), position);
      } catch {
        throw new files.ErrnoError(EIO);
      }
      return count;
    },
  };
  try {
    const root = new library.File(name, 'r');
    if (root.file_id <= 0n) throw damaged(source);
    return {
      root,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        try {
          root.close();
        } catch {
          // Nothing is lost of what was only read.
        }
        files.unlink(name);
      },
    };
  } catch {
    files.unlink(name);
    throw damaged(source);
  }
}

/**
 * A new HDF5 file in place of a file's content, which goes there piece by piece. Throws where the library is not loaded.
 * @param descriptor of a file that may be read and written.
 */
export function createHdf5(descriptor: number): { readonly root: Hdf5Group; close(): void } {
  if (!library) throw new Error('loadHdf5() comes before');
  const { files, File } = library;
  const name = `/${++opened}`;
  const node = files.create(name);
  let failure: unknown;
  const attempt = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      failure ??= error;
      throw new files.ErrnoError(EIO);
    }
  };
  const { setattr } = node.node_ops;
  node.node_ops = {
    ...node.node_ops,
    setattr: (of, to) => {
      const { size, ...others } = to as { readonly size?: number };
      setattr(of, others);
      if (size === undefined) return;
      attempt(() => ftruncateSync(descriptor, size));
      node.usedBytes = size;
    },
  };
  node.stream_ops = {
    ...node.stream_ops,
    read: (_: unknown, memory: Int8Array, offset: number, length: number, position: number): number =>
      attempt(() => readSync(descriptor, memory, offset, length, position)),
    write: (_: unknown, memory: Int8Array, offset: number, length: number, position: number): number => {
      attempt(() => {
        for (let done = 0; done < length; )
          done += writeSync(descriptor, memory, offset + done, length - done, position + done);
      });
      node.usedBytes = Math.max(node.usedBytes, position + length);
      return length;
    },
  };
  const root = new File(name, 'w');
  return {
    root,
    close: () => {
      try {
        root.close();
      } finally {
        files.unlink(name);
      }
      if (failure !== undefined) throw failure;
    },
  };
}

export const damaged = ({ path }: RecordingFile): Error => new Error(`${path} is a damaged HDF5 file`);
