// The library that reads the heads of Parquet files and of their pages, loaded for those who open one.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

export const parquetLibrary = (): typeof import('hyparquet') => load('hyparquet');
export const pageLibrary = (): typeof import('hyparquet/src/column.js') => load('hyparquet/src/column.js');
export const deltaLibrary = (): typeof import('hyparquet/src/delta.js') => load('hyparquet/src/delta.js');
