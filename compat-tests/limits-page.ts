// `node build/compat-tests/limits-page.js` puts the table of limits into docs/limits.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { LIMITS, type Limit } from '../lib/model/bounds/limits.js';

const PAGE = new URL('../../docs/limits.md', import.meta.url);
const HEAD = ['| limit | client | address | all | at it | option | metric |', '|---|---|---|---|---|---|---|'];
/** Below the table begins a section. */
const TABLE = /\| limit \|[\s\S]*?\n(?=\n)/;

function amount(value: number | undefined, unit: Limit['unit']): string {
  if (value === undefined) return '';
  if (unit === 'milliseconds') return `${value / 1000} s`;
  if (unit === undefined) return value.toLocaleString('en');
  const step = value % 1000 === 0 ? 1000 : 1024;
  const power = Math.floor(Math.log(value) / Math.log(step) + 1e-9);
  return `${value / step ** power} ${['', 'KB', 'MB', 'GB'][power]}`;
}

function rowOf({ what, each, ofAddress, all, unit, atIt, option, metric }: Limit): string {
  const most = [each, ofAddress, all].map((value) => amount(value, unit));
  const named = [option, metric].map((name) => (name === undefined ? '' : `\`${name}\``));
  return `| ${[what, ...most, atIt, ...named].join(' | ')} |`;
}

export const limitsTable = (): string => `${[...HEAD, ...Object.values<Limit>(LIMITS).map(rowOf)].join('\n')}\n`;

export const limitsPage = (): string => readFileSync(PAGE, 'utf8');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(PAGE, limitsPage().replace(TABLE, limitsTable));
