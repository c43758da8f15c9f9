// The tables of docs/limits.md: which columns each must have, and what their rows must say.

/** The columns that every table has, after the name of the bound; a table may have others among them. */
const COLUMNS = ['default', 'what happens at it', 'option', 'metric'];
/** An empty field in it means that there is none. */
const MAY_BE_EMPTY = 'option';

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** What is wrong with the tables among the lines of a page. */
export function misshapen(lines: readonly string[]): string[] {
  const wrong: string[] = [];
  let head: readonly string[] | undefined;
  lines.forEach((line, index) => {
    if (!line.startsWith('|')) {
      head = undefined;
      return;
    }
    const cells = cellsOf(line);
    const where = `${index + 1}: ${cells[0]}`;
    if (head === undefined) {
      head = cells;
      const lacking = COLUMNS.filter((column) => !cells.includes(column));
      if (lacking.length > 0) wrong.push(`${where}: the table has no column ${lacking.join(', ')}`);
      return;
    }
    if (cells.length !== head.length) wrong.push(`${where}: ${cells.length} fields of ${head.length}`);
    const empty = head.filter((column, at) => cells[at] === '' && column !== MAY_BE_EMPTY);
    if (empty.length > 0) wrong.push(`${where}: nothing under ${empty.join(', ')}`);
  });
  return wrong;
}
