// Of several names of the same data, as files of Trick's data products have them, the one that each run has.
import type { Product, ProductCurve } from '../../../grammar/data-product/product.js';
import { TIME } from '../../../grammar/data-product/product.js';
import type { RunLook, RunName } from '../panels/values/run-look.js';

interface Known {
  /** With one name for each curve. */
  readonly product: Product;
  /** What runs call otherwise. */
  readonly looks: Readonly<Record<string, RunLook>>;
}

type Pair = ProductCurve[number];

/** Whoever opens a file waits for the answers. */
const [MOST_CURVES, MOST_RUNS] = [200, 50];

/**
 * @param runs what the names of variables begin with; one empty text where there is one run.
 * @param isKnown whether there is a variable.
 */
export async function withKnownNames(
  product: Product,
  runs: readonly string[],
  isKnown: (path: string) => Promise<boolean>,
): Promise<Known> {
  const has = async (run: string, name: string): Promise<boolean> =>
    name === TIME || (await isKnown(run === '' ? name : `${run}.${name}`));
  const chosen = new Map<ProductCurve, ProductCurve>();
  const looks = new Map<string, RunName[]>();
  const several = curvesOf(product).filter((curve) => curve.length > 1);
  for (const curve of several.slice(0, MOST_CURVES)) {
    const found = await Promise.all(
      runs.slice(0, MOST_RUNS).map(async (run) => ({ run, pair: await firstKnown(curve, (name) => has(run, name)) })),
    );
    const first = found.find(({ pair }) => pair)?.pair ?? (curve[0] as Pair);
    chosen.set(curve, [first]);
    for (const { run, pair } of found)
      for (const axis of ['x', 'y'] as const) {
        const [name, there] = [first[axis].name, pair?.[axis].name ?? first[axis].name];
        if (name !== there) looks.set(run, [...(looks.get(run) ?? []), { name, there }]);
      }
  }
  const pages = product.pages.map((page) => ({
    ...page,
    plots: page.plots.map((plot) => ({ ...plot, curves: plot.curves.map((curve) => chosen.get(curve) ?? curve) })),
  }));
  return {
    product: { ...product, pages },
    looks: Object.fromEntries([...looks].map(([run, names]) => [run, { names }])),
  };
}

const curvesOf = ({ pages }: Product): ProductCurve[] =>
  pages.flatMap(({ plots }) => plots.flatMap(({ curves }) => curves));

async function firstKnown(curve: ProductCurve, has: (name: string) => Promise<boolean>): Promise<Pair | undefined> {
  for (const pair of curve) if ((await has(pair.x.name)) && (await has(pair.y.name))) return pair;
  return undefined;
}
