// Tells failed tests with the lines of the TypeScript sources, whose maps would cost each run a tenth, and with the seed.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SEED, SEED_VARIABLE } from './fuzz-seed.js';

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    try {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
    } catch {
      maps.set(file, undefined);
    }
  }
  return maps.get(file);
}

/** Replaces places in built files by the places in their sources. */
export function sourceStack(stack: string): string {
  return stack.replace(
    /(file:\/\/\/[^\s():]+\.js):(\d+):(\d+)/g,
    (place, url: string, line: string, column: string) => {
      const file = fileURLToPath(url);
      const origin = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!origin || !('originalSource' in origin)) return place;
      const source = relative(process.cwd(), join(dirname(file), origin.originalSource));
      return `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
    },
  );
}

export const mochaHooks: Mocha.RootHookObject = {
  afterEach(this: Mocha.Context) {
    const error = this.currentTest?.err;
    if (error?.stack) error.stack = `${sourceStack(error.stack)}\n    with ${SEED_VARIABLE}=${SEED}`;
  },
};
