// FMUs for tests, compiled from the C files beside this one.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { DESCRIPTION_2, DESCRIPTION_3 } from './descriptions.js';

const SOURCES = fileURLToPath(new URL('../../../compat-tests/fmu/', import.meta.url));
/** Libraries by what they are made of, so that each is compiled once. */
const COMPILED = fileURLToPath(new URL('./compiled/', import.meta.url));
const PLATFORMS: Readonly<Record<string, string>> = { x64: 'linux64', arm64: 'aarch64-linux' };

export interface TestFmu {
  readonly generation: 2 | 3;
  /** Changes of the description: texts and what stands in their place. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Where its library is in the archive. Default: for this machine. */
  readonly library?: string;
  /** The version of FMI that its library is made for. Default: that of the description. */
  readonly libraryGeneration?: 2 | 3;
}

/** FMUs in a directory of their own. */
export class TestFmus {
  private readonly libraries = new Map<number, Uint8Array>();

  private constructor(readonly directory: string) {}

  /** Compiles the C files. Returns why it cannot instead. */
  static async compiled(generations: readonly (2 | 3)[]): Promise<TestFmus | string> {
    try {
      await import('koffi');
    } catch {
      return 'there is no koffi';
    }
    if (process.platform !== 'linux') return 'the test FMUs are made for Linux';
    const made = new TestFmus(mkdtempSync(join(tmpdir(), 'varwire-test-fmus-')));
    try {
      await Promise.all(
        generations.map(async (generation) => made.libraries.set(generation, await libraryOf(generation))),
      );
      return made;
    } catch (error) {
      made.remove();
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'there is no gcc';
      throw new Error(message, { cause: error });
    }
  }

  /** Writes an FMU. @returns its path. */
  make(name: string, fmu: TestFmu): string {
    const { generation, replace = {}, libraryGeneration = generation } = fmu;
    let description = generation === 2 ? DESCRIPTION_2 : DESCRIPTION_3;
    for (const [text, other] of Object.entries(replace)) {
      if (!description.includes(text)) throw new Error(`the description has no ${text}`);
      description = description.replace(text, other);
    }
    const library = this.libraries.get(libraryGeneration) as Uint8Array;
    const encoding = description.includes('encoding="ISO-8859-1"') ? 'latin1' : 'utf8';
    const file = join(this.directory, `${name}.fmu`);
    writeFileSync(
      file,
      zipSync({
        'modelDescription.xml': Buffer.from(description, encoding),
        [fmu.library ?? `binaries/${PLATFORMS[process.arch]}/ball.so`]: library,
        'resources/data.txt': Buffer.from('data'),
      }),
    );
    return file;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function libraryOf(generation: 2 | 3): Promise<Uint8Array> {
  const source = `${SOURCES}fmi${generation}.c`;
  const options = ['-O1', '-shared', '-fPIC', '-w'];
  const hash = createHash('sha256');
  for (const part of [...options, readFileSync(source), readFileSync(`${SOURCES}ball.h`)]) hash.update(part);
  const file = join(COMPILED, `${process.arch}-${hash.digest('hex')}.so`);
  const there = await readFile(file).catch(() => undefined);
  if (there) return there;
  mkdirSync(COMPILED, { recursive: true });
  // Another test may compile the same.
  const own = `${file}.${process.pid}`;
  await promisify(execFile)('gcc', [...options, '-o', own, source, '-lm', '-lpthread']);
  renameSync(own, file);
  return readFile(file);
}
