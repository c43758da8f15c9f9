// Amplitudes over frequency on a canvas, by uPlot.
import uPlot from 'uplot';
import { decadeTexts, valueTexts } from '../plot/axis-texts.js';
import { lineWidth } from '../plot/line-width.js';
import { type Look, seriesColour } from '../plot/look.js';
import { logarithmicRange } from '../plot/value-axes.js';

export interface Spectrum {
  /** In Hz. */
  readonly frequencies: readonly number[];
  readonly amplitudes: readonly number[];
}

export class SpectrumChart {
  private readonly plot: uPlot;

  constructor(
    element: HTMLElement,
    count: number,
    isLogarithmic: boolean,
    look: Look,
    onFrequency: (hertz: number | undefined) => void,
  ) {
    const { ink, line, font } = look;
    const axis = {
      stroke: ink,
      font,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
      gap: 4,
    };
    const options: uPlot.Options = {
      width: Math.max(element.clientWidth, 1),
      height: Math.max(element.clientHeight, 1),
      legend: { show: false },
      padding: [8, 28, 0, 0],
      scales: {
        x: { time: false },
        y: isLogarithmic
          ? { distr: 3, range: ({ data }) => logarithmicRange(data.slice(1)) }
          : { range: (_, _least, most) => [0, most > 0 ? most * 1.06 : 1] },
      },
      axes: [
        {
          ...axis,
          label: 'Hz',
          labelSize: 16,
          labelFont: font,
          labelGap: 0,
          values: (_, splits) => valueTexts(splits),
        },
        { ...axis, size: 64, values: (_, splits) => (isLogarithmic ? decadeTexts(splits) : valueTexts(splits)) },
      ],
      series: [
        {},
        ...Array.from({ length: count }, (_, k) => ({
          stroke: seriesColour(look, k),
          width: lineWidth(),
          points: { show: false },
        })),
      ],
      cursor: { drag: { x: true, y: false }, points: { size: 5 } },
      hooks: {
        setCursor: [
          ({ cursor, posToVal }) =>
            onFrequency((cursor.left ?? -1) < 0 ? undefined : posToVal(cursor.left as number, 'x')),
        ],
      },
    };
    this.plot = new uPlot(options, [[], ...Array.from({ length: count }, () => [])], element);
  }

  /** Draws lines that may have frequencies of their own. */
  draw(lines: readonly (Spectrum | undefined)[]): void {
    const tables = lines.map(
      (line): uPlot.AlignedData => [[...(line?.frequencies ?? [])], [...(line?.amplitudes ?? [])]],
    );
    const isOne = tables.every(([frequencies]) => String(frequencies) === String(tables[0]?.[0]));
    const joined = isOne
      ? ([tables[0]?.[0] ?? [], ...tables.map(([, amplitudes]) => amplitudes)] as uPlot.AlignedData)
      : uPlot.join(tables, tables.map(([, ...columns]) => [0, ...columns.map(() => 2)]) as uPlot.JoinNullMode[][]);
    this.plot.setData(joined);
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  close(): void {
    this.plot.destroy();
  }
}
