// `node build/compat-tests/bench/summary.js` puts the short tables of results.md into docs/performance.md: what there is beside
// a Trick, and one line for each group of attacks.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { median } from './figure.js';

/** All that the bench has measured. */
export const RESULTS = new URL('../../../compat-tests/bench/results.md', import.meta.url);
export const PAGE = new URL('../../../docs/performance.md', import.meta.url);

/** By the letter with which the name of an attack begins. */
const GROUPS = {
  A: 'lists, requests, unread answers',
  B: 'long texts',
  C: 'checkpoints, recordings',
  D: 'half requests',
  E: "Bevy's protocol",
  K: 'kRPC',
  L: 'a million doubles, 37,000 objects',
  M: 'in another HTTP server',
  N: 'methods of the page',
  O: 'others',
  P: 'megabytes a frame',
  T: 'TLS',
};

const cellsOf = (line: string): readonly string[] => line.split(' | ').map((cell) => cell.replace(/^\| | *\|$/g, ''));

const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map(cellsOf);

/** The text between the markers of a section. */
export function sectionOf(document: string, name: string): readonly [from: number, to: number] {
  const start = `<!-- ${name} -->`;
  const [from, to] = [document.indexOf(start), document.indexOf(`<!-- end of ${name} -->`)];
  if (from < 0 || to < from) throw new Error(`there is no section ${start}`);
  return [from + start.length, to];
}

export function withSection(document: string, name: string, text: string): string {
  const [from, to] = sectionOf(document, name);
  return `${document.slice(0, from)}\n${text}\n${document.slice(to)}`;
}

const readSection = (document: string, name: string): string => document.slice(...sectionOf(document, name)).trim();

/** Of the table of all rows, those that a Trick was measured in. */
function besideTrick(text: string): string {
  let work = '';
  const lines = rowsOf(text).flatMap(([, of = '', figure, middle, , trick, ratio]) => {
    work = of || work;
    if (!trick || !ratio?.includes('×')) return [];
    const cells = [work, figure, middle, trick, ratio];
    work = ' ';
    return [`| ${cells.join(' | ')} |`];
  });
  const head = ['| work | figure | varwire | Trick 25.1.1 | times as good |', '|---|---|--:|--:|--:|'];
  return [text.split('\n')[0], '', ...head, ...lines].join('\n');
}

function attackGroups(text: string): string {
  const rows = rowsOf(text).filter(([, clients]) => Number(clients) > 1);
  const lines = Object.entries(GROUPS).map(([letter, what]) => {
    const lines = rows.filter(([name]) => new RegExp(`^${letter}\\d?-`).test(name as string));
    const figures = (at: number): readonly number[] => lines.map((cells) => Number(cells[at]));
    const met = lines.filter((cells) => !cells.at(-1)?.includes('missed')).length;
    const waits = [median(figures(3)), Math.max(...figures(3)), Math.max(...figures(4))];
    return `| ${[`${letter}: ${what}`, lines.length, met, ...waits.map((millis) => millis.toFixed(0))].join(' | ')} |`;
  });
  const head = ['| attacks | lines | met | p99, ms | highest p99 | worst |', '|---|--:|--:|--:|--:|--:|'];
  return [text.split('\n')[0], '', ...head, ...lines].join('\n');
}

/** The page with the summaries of these results. */
export function summarized(page: string, results: string): string {
  const table = withSection(page, 'table', besideTrick(readSection(results, 'table')));
  return withSection(table, 'attacks', attackGroups(readSection(results, 'attacks')));
}

/** Writes a section of the results, and renews the page. */
export function writeResults(name: string, text: string): void {
  writeFileSync(RESULTS, withSection(readFileSync(RESULTS, 'utf8'), name, text));
  renewPage();
}

function renewPage(): void {
  writeFileSync(PAGE, summarized(readFileSync(PAGE, 'utf8'), readFileSync(RESULTS, 'utf8')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) renewPage();
