// A file that is read in pieces, and may grow meanwhile.
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { RequestError } from '../../simulation/executive/request.js';
import { requireFile } from '../../simulation/files/file-beginning.js';
import { reasonOf } from '../../simulation/files/run-directory.js';

export class RecordingFile {
  /** Bytes that it had when it was looked at last. */
  sizeBytes = 0;
  /** When it was changed last, as it was then. */
  changedMillis = 0;

  private constructor(
    readonly path: string,
    private readonly descriptor: number,
  ) {
    this.look();
  }

  /** Throws an Error with one sentence. */
  static open(path: string): RecordingFile {
    let descriptor: number | undefined;
    try {
      // Without O_NONBLOCK a pipe would be waited for.
      descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return new RecordingFile(path, descriptor);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw new Error(`${path} cannot be read: ${reasonOf(error)}`);
    }
  }

  /** Sees by how much it has grown. */
  look(): void {
    const { size, mtimeMs } = requireFile(this.descriptor);
    this.sizeBytes = size;
    this.changedMillis = mtimeMs;
  }

  /** Bytes of the file, fewer where it ends. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.from(new ArrayBuffer(Math.max(0, Math.min(length, this.sizeBytes - offset))));
    this.readInto(bytes, offset);
    return bytes;
  }

  /** Fills a buffer. Throws a RequestError when the file ends before. */
  readInto(bytes: Buffer, offset: number): void {
    let done = 0;
    for (let count = -1; count !== 0 && done < bytes.length; done += count)
      count = readSync(this.descriptor, bytes, done, bytes.length - done, offset + done);
    if (done < bytes.length) throw new RequestError(`${this.path} has become shorter while it was read`);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
