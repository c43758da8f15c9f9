// The version of varwire, from its package, which recordings tell too.
import { readFileSync } from 'node:fs';

const packageUrl = new URL('../../../../package.json', import.meta.url);

/** This package's version. */
export const VERSION: string = (JSON.parse(readFileSync(packageUrl, 'utf8')) as { version: string }).version;
