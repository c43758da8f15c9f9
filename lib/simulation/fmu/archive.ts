// The archive of an FMU: a zip file from anywhere, so sizes and names are checked before anything is unpacked.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type UnzipFileInfo, unzipSync } from 'fflate';

/** An archive larger than this is refused, and so is one that unpacks to more. */
export const MOST_ARCHIVE_BYTES = 500e6;
export const MOST_UNPACKED_BYTES = 2e9;
const MOST_FILES = 20_000;
const LONGEST_NAME = 1000;

const DESCRIPTION = 'modelDescription.xml';
/** A description of 100,000 variables has 17 MB. */
const MOST_DESCRIPTION_BYTES = 100e6;

/** An FMU's file, looked through and not unpacked. */
export interface FmuArchive {
  readonly file: string;
  /** Names of the files in it. */
  readonly names: readonly string[];
  readonly description: Uint8Array;
}

/** Reads the table of an archive, and its description. Throws an Error with one sentence that names the file. */
export function openArchive(file: string): FmuArchive {
  const names: string[] = [];
  let unpackedBytes = 0;
  const look = ({ name, originalSize }: UnzipFileInfo): boolean => {
    requireSafe(name);
    names.push(name);
    unpackedBytes += originalSize;
    if (names.length > MOST_FILES) throw new Error(`it holds more than ${MOST_FILES} files`);
    if (unpackedBytes > MOST_UNPACKED_BYTES) throw new Error(`it unpacks to more than ${MOST_UNPACKED_BYTES} bytes`);
    if (name !== DESCRIPTION) return false;
    if (originalSize > MOST_DESCRIPTION_BYTES)
      throw new Error(`its ${DESCRIPTION} has more than ${MOST_DESCRIPTION_BYTES} bytes`);
    return true;
  };
  const description = toldOf(file, () => unzipSync(readArchive(file), { filter: look })[DESCRIPTION]);
  if (!description) throw new Error(`${file} is no FMU: it holds no ${DESCRIPTION}`);
  return { file, names, description };
}

/** Unpacks what an FMU needs to run into a directory: its resources, and the binaries of a platform. */
export function unpack({ file }: FmuArchive, platform: string, directory: string): void {
  const isNeeded = ({ name }: UnzipFileInfo): boolean =>
    !name.endsWith('/') && (name.startsWith('resources/') || name.startsWith(`binaries/${platform}/`));
  const files = toldOf(file, () => unzipSync(readArchive(file), { filter: isNeeded }));
  mkdirSync(join(directory, 'resources'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    requireSafe(name);
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

function readArchive(file: string): Uint8Array {
  const { size } = statSync(file);
  if (size > MOST_ARCHIVE_BYTES) throw new Error(`it has more than ${MOST_ARCHIVE_BYTES} bytes`);
  return readFileSync(file);
}

/** A name that leads out of the directory into which the archive is unpacked is an attack. */
function requireSafe(name: string): void {
  const isSafe =
    name.length <= LONGEST_NAME &&
    !/^\/|^[A-Za-z]:|[\\\0]/.test(name) &&
    name.split('/').every((part) => part !== '..' && part !== '.');
  if (!isSafe) throw new Error(`it holds a file with the name ${JSON.stringify(name.slice(0, 100))}`);
}

function toldOf<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : message;
    throw new Error(`${file} cannot be read as an FMU: ${reason}`, { cause: error });
  }
}
