// What esbuild makes of the page: scripts and one style sheet with their content in their names, and varwire.js.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** The licences of the libraries in the files: minified code has lost its comments. */
export const NOTICES = 'NOTICES.txt';
/** The folder of a library. */
const LIBRARY = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The files of the page, as the HTTP front-end reads them. */
export interface Manifest {
  /** Names of the hashed files. */
  readonly script: string;
  /** Asks what every page asks first. */
  readonly firstCalls: string;
  /** What the script consists of, so that it is asked for at once. */
  readonly imported: readonly string[];
  readonly style: string;
  /** Scripts that a panel loads when it is opened. */
  readonly askedFor: readonly string[];
  /** All hashed files. Every file in the folder has its gzip form beside it. */
  readonly files: readonly string[];
}

/** @param root the project's folder, whose build/ has the compiled modules already. */
export async function bundlePage(root: string): Promise<void> {
  const outdir = join(root, 'build/lib/page/assets');
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const shared: BuildOptions = {
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
    outdir,
  };
  const hashed = { ...shared, entryNames: '[name]-[hash]', metafile: true } as const;
  const { metafile } = await build({
    ...hashed,
    splitting: true,
    chunkNames: '[name]-[hash]',
    entryPoints: { page: 'build/lib/page/main.js', style: 'lib/page/style/page.css' },
  });
  const first = await build({ ...hashed, entryPoints: { first: 'build/lib/page/data/first-calls.js' } });
  const alone = await build({
    ...shared,
    metafile: true,
    entryPoints: { varwire: 'build/lib/clients/browser/index.js' },
  });
  writeFileSync(join(outdir, NOTICES), noticesOf(root, [metafile, first.metafile, alone.metafile]));
  const script = outputOf(metafile, /\bpage-.*\.js$/);
  const firstCalls = outputOf(first.metafile, /\.js$/);
  const imports = metafile.outputs[script]?.imports ?? [];
  const manifest: Manifest = {
    script: basename(script),
    firstCalls: basename(firstCalls),
    imported: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    style: basename(outputOf(metafile, /\.css$/)),
    askedFor: askedFor(metafile, [script, outputOf(metafile, /\blater-.*\.js$/)]),
    files: [firstCalls, ...Object.keys(metafile.outputs)].map((path) => basename(path)),
  };
  for (const name of [...manifest.files, 'varwire.js']) {
    writeFileSync(join(outdir, `${name}.gz`), gzipSync(readFileSync(join(outdir, name)), { level: 9 }));
  }
  writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The libraries whose code is in the files, each with the text of its licence. */
function noticesOf(root: string, made: readonly Metafile[]): string {
  const inputs = made.flatMap((one) => Object.keys(one.inputs));
  const libraries = new Set(inputs.flatMap((path) => LIBRARY.exec(path)?.[0] ?? []));
  return [...libraries]
    .sort()
    .map((library) => noticeOf(join(root, library)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Throws an Error for a library without a licence's text. */
function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence beside it: the page may not have its code`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

function outputOf({ outputs }: Metafile, ending: RegExp): string {
  const [path] = Object.keys(outputs).filter((name) => ending.test(name));
  if (path === undefined) throw new Error(`esbuild made no file that matches ${ending.source}`);
  return path;
}

/** The scripts that are not imported by these, directly or through others. */
function askedFor({ outputs }: Metafile, scripts: readonly string[]): string[] {
  const imported = new Set(scripts);
  for (const path of imported)
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') imported.add(next);
  return Object.keys(outputs)
    .filter((path) => path.endsWith('.js') && !imported.has(path))
    .map((path) => basename(path));
}
