// What the documentation shows as examples.
import { readdirSync, readFileSync } from 'node:fs';

/** Documentation stays in the source tree; this file runs from build/compat-tests/soak/fuzz. */
const DOCS = new URL('../../../../docs/', import.meta.url);

const pages = (): string[] =>
  readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(new URL(name, DOCS), 'utf8'));

/** Fenced blocks of a language. */
export const documentedBlocks = (language: string): Buffer[] =>
  pages().flatMap((page) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) =>
      Buffer.from(text, 'latin1'),
    ),
  );

/** Calls of JSON-RPC. */
export const documentedCalls = (): string[] =>
  pages().flatMap((page) => [...page.matchAll(/\{"jsonrpc":"2\.0","id":1,"method".*?\}\}/g)].map(([text]) => text));
