// The input file of a study on its way to workers: in parts, and known by its hash.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SentFile } from '../../simulation/files/sent-files.js';

/** Characters of one message; a server takes 1 MB. */
const PART_CHARACTERS = 256 * 1024;

/** What a study tells of its input file. */
export const INPUT_FACTS = z.object({ hash: z.string(), parts: z.int().min(1).max(1000) });
export type InputFacts = z.infer<typeof INPUT_FACTS>;

const FILES = z
  .array(
    z.object({
      name: z.string(),
      kind: z.enum(['file', 'directory']).optional(),
      base64: z.string().optional(),
      error: z.string().optional(),
    }),
  )
  .min(1);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface InputParts extends InputFacts {
  readonly texts: readonly string[];
}

export function inParts(files: readonly SentFile[]): InputParts {
  const text = JSON.stringify(
    files.map(({ bytes, ...rest }) => ({ ...rest, ...(bytes && { base64: Buffer.from(bytes).toString('base64') }) })),
  );
  const texts: string[] = [];
  for (let at = 0; at < text.length; at += PART_CHARACTERS) texts.push(text.slice(at, at + PART_CHARACTERS));
  return { hash: hashOf(text), parts: texts.length, texts };
}

/** Throws an Error with one sentence when they are not what has been sent. */
export function filesIn({ hash }: InputFacts, texts: readonly string[]): SentFile[] {
  const text = texts.join('');
  if (hashOf(text) !== hash) throw new Error('its input file is another one than the study says');
  return FILES.parse(JSON.parse(text)).map(({ base64, ...rest }) => ({
    ...rest,
    ...(base64 !== undefined && { bytes: Buffer.from(base64, 'base64') }),
  }));
}
