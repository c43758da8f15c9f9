// FMUs for tests, compiled from the C files beside this one.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { DESCRIPTION_2, DESCRIPTION_3 } from './descriptions.js';

const SOURCES = fileURLToPath(new URL('../../../compat-tests/fmu/', import.meta.url));
const PLATFORMS: Readonly<Record<string, string>> = { x64: 'linux64', arm64: 'aarch64-linux' };

export interface TestFmu {
  readonly generation: 2 | 3;
  /** Changes of the description: texts and what stands in their place. */
  readonly replace?: Readonly<Record<string, string>>;
  /** The directory of its library below `binaries`. Default: that of this machine. */
  readonly platform?: string;
  /** Macros of the C file. */
  readonly macros?: readonly string[];
}

/** FMUs in a directory of their own. */
export class TestFmus {
  private readonly libraries = new Map<string, Uint8Array>();

  private constructor(readonly directory: string) {}

  /** Compiles the C files. Returns why it cannot instead. */
  static async compiled(all: readonly Pick<TestFmu, 'generation' | 'macros'>[]): Promise<TestFmus | string> {
    try {
      await import('koffi');
    } catch {
      return 'there is no koffi';
    }
    if (process.platform !== 'linux') return 'the test FMUs are made for Linux';
    const made = new TestFmus(mkdtempSync(join(tmpdir(), 'varwire-test-fmus-')));
    try {
      await Promise.all(all.map((one) => made.compile(one)));
      return made;
    } catch (error) {
      made.remove();
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'there is no gcc';
      throw new Error(message, { cause: error });
    }
  }

  private async compile({ generation, macros = [] }: Pick<TestFmu, 'generation' | 'macros'>): Promise<void> {
    const { readFile } = await import('node:fs/promises');
    const file = join(this.directory, `${nameOf({ generation, macros })}.so`);
    const defined = macros.map((macro) => `-D${macro}`);
    const source = `${SOURCES}fmi${generation}.c`;
    await promisify(execFile)('gcc', ['-O1', '-shared', '-fPIC', '-w', ...defined, '-o', file, source, '-lm']);
    this.libraries.set(nameOf({ generation, macros }), await readFile(file));
  }

  /** Writes an FMU. @returns its path. */
  make(name: string, fmu: TestFmu): string {
    const { generation, replace = {}, platform = PLATFORMS[process.arch] } = fmu;
    let description = generation === 2 ? DESCRIPTION_2 : DESCRIPTION_3;
    for (const [text, other] of Object.entries(replace)) {
      if (!description.includes(text)) throw new Error(`the description has no ${text}`);
      description = description.replace(text, other);
    }
    const library = this.libraries.get(nameOf(fmu)) as Uint8Array;
    const file = join(this.directory, `${name}.fmu`);
    writeFileSync(
      file,
      zipSync({
        'modelDescription.xml': strToU8(description),
        [`binaries/${platform}/ball.so`]: library,
        'resources/data.txt': strToU8('data'),
      }),
    );
    return file;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const nameOf = ({ generation, macros = [] }: Pick<TestFmu, 'generation' | 'macros'>): string =>
  [`fmi${generation}`, ...macros].join('-');
