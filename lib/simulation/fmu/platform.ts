// The binaries of an FMU for this machine.
import type { ReadFmu } from './parse-description.js';

export interface Platform {
  /** Below `binaries`. */
  readonly directory: string;
  /** The library's path in the archive. */
  readonly library: string;
}

const DIRECTORIES: Readonly<Record<string, readonly string[]>> = {
  'linux x64': ['x86_64-linux', 'linux64'],
  'linux arm64': ['aarch64-linux', 'linux-aarch64', 'linuxaarch64'],
  'darwin x64': ['x86_64-darwin', 'darwin64'],
  'darwin arm64': ['aarch64-darwin', 'darwin64'],
};
const ENDINGS: Readonly<Record<string, string>> = { linux: '.so', darwin: '.dylib' };

/** Names of the platforms for which it has binaries. */
export const platformsIn = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => /^binaries\/([^/]+)\/[^/]+/.exec(name)?.[1] ?? [])),
];

/** Undefined when it has none for this machine. */
export function platformOf({ archive }: ReadFmu, modelIdentifier: string): Platform | undefined {
  const wanted = DIRECTORIES[`${process.platform} ${process.arch}`] ?? [];
  const libraries = wanted.map((directory) => ({
    directory,
    library: `binaries/${directory}/${modelIdentifier}${ENDINGS[process.platform]}`,
  }));
  return libraries.find(({ library }) => archive.names.includes(library));
}
