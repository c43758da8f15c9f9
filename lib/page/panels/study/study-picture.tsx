// A scatter of a result over another value, or how often its values come, as a picture that can be pressed.
import { numberText } from '../values/number-text.js';
import { histogramOf } from './statistics.js';
import { type Column, columnText, type RunResult } from './study-data.js';

interface PictureProps {
  readonly runs: readonly RunResult[];
  readonly result: Column;
  readonly over: Column;
  readonly width: number;
  readonly height: number;
  readonly chosen: number | undefined;
  onChoose(run: RunResult): void;
}

const MARGIN = { left: 56, right: 12, top: 10, bottom: 34 } as const;
/** More points take a browser too long; they are every so many. */
const MOST_POINTS = 5000;
const TICKS = 5;

interface Scale {
  readonly from: number;
  readonly to: number;
  readonly at: (value: number) => number;
}

/** @param start and end in pixels. */
function scaleOf(values: readonly number[], start: number, end: number, isFromZero = false): Scale {
  const finite = values.filter(Number.isFinite);
  const least = isFromZero ? 0 : finite.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const greatest = finite.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const [low, high] = greatest > least ? [least, greatest] : [least - 0.5 || -0.5, least + 0.5 || 0.5];
  const room = isFromZero ? 0 : 0.04 * (high - low);
  const [from, to] = [low - room, high + room];
  return { from, to, at: (value) => start + ((value - from) / (to - from)) * (end - start) };
}

export function Scatter({ runs, result, over, width, height, chosen, onChoose }: PictureProps) {
  const known = runs.filter((run) => Number.isFinite(run.result) && Number.isFinite(run.over));
  const step = Math.ceil(known.length / MOST_POINTS);
  const x = scaleOf(
    known.map((run) => run.over),
    MARGIN.left,
    width - MARGIN.right,
  );
  const y = scaleOf(
    known.map((run) => run.result),
    height - MARGIN.bottom,
    MARGIN.top,
  );
  return (
    <svg
      class="study-picture"
      width={width}
      height={height}
      role="img"
      aria-label={`${result.name} over ${over.name}: ${known.length} runs`}
    >
      <Axes x={x} y={y} width={width} height={height} xTitle={columnText(over)} yTitle={columnText(result)} />
      {known.map(
        (run, k) =>
          (k % step === 0 || run.index === chosen) && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of the worst runs has buttons for keys.
            <circle
              key={run.index}
              class={`${run.isFine ? '' : 'failed'} ${run.index === chosen ? 'chosen' : ''}`}
              cx={x.at(run.over)}
              cy={y.at(run.result)}
              r={run.index === chosen ? 6 : 3.5}
              onClick={() => onChoose(run)}
            >
              <title>{`run ${run.number}: ${numberText(run.result, 6)} at ${numberText(run.over, 6)}`}</title>
            </circle>
          ),
      )}
    </svg>
  );
}

export function Histogram({ runs, result, width, height }: Omit<PictureProps, 'over' | 'chosen' | 'onChoose'>) {
  const bins = histogramOf(runs.map((run) => run.result));
  const x = scaleOf(
    bins.flatMap(({ from, to }) => [from, to]),
    MARGIN.left,
    width - MARGIN.right,
  );
  const y = scaleOf([0, ...bins.map(({ count }) => count)], height - MARGIN.bottom, MARGIN.top, true);
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  return (
    <svg
      class="study-picture"
      width={width}
      height={height}
      role="img"
      aria-label={`Histogram of ${result.name}: ${count} runs`}
    >
      <Axes x={x} y={y} width={width} height={height} xTitle={columnText(result)} yTitle="runs" />
      {bins.map((bin) => (
        <rect
          key={bin.from}
          class="bin"
          x={x.at(bin.from) + 0.5}
          y={y.at(bin.count)}
          width={Math.max(1, x.at(bin.to) - x.at(bin.from) - 1)}
          height={Math.max(0, y.at(0) - y.at(bin.count))}
        >
          <title>{`${bin.count} from ${numberText(bin.from, 5)} to ${numberText(bin.to, 5)}`}</title>
        </rect>
      ))}
    </svg>
  );
}

interface AxesProps {
  readonly x: Scale;
  readonly y: Scale;
  readonly width: number;
  readonly height: number;
  readonly xTitle: string;
  readonly yTitle: string;
}

function Axes({ x, y, width, height, xTitle, yTitle }: AxesProps) {
  const bottom = height - MARGIN.bottom;
  return (
    <g class="axes">
      {ticksOf(x).map((value) => (
        <g key={value}>
          <path d={`M${x.at(value)} ${MARGIN.top}V${bottom}`} />
          <text x={x.at(value)} y={bottom + 14} text-anchor="middle">
            {numberText(value, 5)}
          </text>
        </g>
      ))}
      {ticksOf(y).map((value) => (
        <g key={value}>
          <path d={`M${MARGIN.left} ${y.at(value)}H${width - MARGIN.right}`} />
          <text x={MARGIN.left - 6} y={y.at(value) + 4} text-anchor="end">
            {numberText(value, 5)}
          </text>
        </g>
      ))}
      <text x={width - MARGIN.right} y={height - 4} text-anchor="end">
        {xTitle}
      </text>
      <text x={4} y={height - 4}>
        {yTitle}
      </text>
    </g>
  );
}

/** Round numbers between the ends. */
function ticksOf({ from, to }: Scale): number[] {
  const rough = (to - from) / TICKS;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * decade >= rough) ?? 10) * decade;
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: Math.min(count, 4 * TICKS) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
