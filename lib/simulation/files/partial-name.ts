// What a whole file is called while it is written, before it gets its name; a process that is killed leaves it so.
import { randomBytes } from 'node:crypto';

const PARTIAL = /^\.[0-9a-f]{24}\.partial$/;

/** Nobody can make a directory of a name that cannot be guessed. */
export const partialName = (): string => `.${randomBytes(12).toString('hex')}.partial`;

export const isPartialName = (name: string): boolean => PARTIAL.test(name);
