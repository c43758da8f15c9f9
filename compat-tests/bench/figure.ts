// The figures of a row of the benchmark, beside Trick's figures and the targets.

export interface Figure {
  readonly title: string;
  readonly digits: number;
  /** The figure of Trick 25.1.1 under the same load on this kind of machine. */
  readonly trick?: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The result of one run of a row: one number per figure. */
export type Measured = readonly number[];

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function isMet({ atMost, atLeast, digits }: Figure, measured: number): boolean {
  const shown = Number(measured.toFixed(digits));
  return shown <= (atMost ?? Number.POSITIVE_INFINITY) && shown >= (atLeast ?? Number.NEGATIVE_INFINITY);
}

const goalText = ({ atMost, atLeast }: Figure): string => {
  if (atMost !== undefined) return `≤ ${atMost.toLocaleString('en')}`;
  return atLeast === undefined ? '' : `≥ ${atLeast.toLocaleString('en')}`;
};

const numberText = (value: number, digits: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** How many times as good as Trick; where less is better, the ratio is inverted. */
function ratioText({ trick, atLeast }: Figure, measured: number): string {
  if (trick === undefined) return '';
  const times = atLeast === undefined ? trick / measured : measured / trick;
  return `${times >= 10 ? times.toFixed(0) : times.toFixed(times < 1.95 ? 2 : 1)}×`;
}

export const TABLE_HEAD = [
  '| row | work | figure | median | lowest to highest | Trick 25.1.1 | ratio | goal | |',
  '|---|---|---|--:|--:|--:|--:|--:|---|',
];

/** The lines of a row in the table. */
export function rowLines(
  name: string,
  title: string,
  figures: readonly Figure[],
  runs: readonly Measured[],
): readonly string[] {
  return figures.map((figure, index) => {
    const values = runs.map((run) => run[index] as number);
    const middle = median(values);
    const text = (value: number): string => numberText(value, figure.digits);
    const goal = goalText(figure);
    const cells = [
      index === 0 ? name : '',
      index === 0 ? title : '',
      figure.title,
      `**${text(middle)}**`,
      `${text(Math.min(...values))} to ${text(Math.max(...values))}`,
      figure.trick === undefined ? '' : `${figure.trick.toLocaleString('en')}`,
      ratioText(figure, middle),
      goal,
      goal === '' ? '' : isMet(figure, middle) ? 'met' : '**missed**',
    ];
    return `| ${cells.join(' | ')} |`;
  });
}
