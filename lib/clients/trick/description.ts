// The server's description of its variables, asked for when it is needed and then kept.
import { parseSieResource, type SieResource } from './sie-resource.js';
import type { TrickValue } from './value.js';
import { detailsOf, type VariableDetails } from './variable-details.js';

/** Labels of an enumeration by number. */
export type Labels = ReadonlyMap<number, string>;

export class ServerDescription {
  private asked: Promise<string | undefined> | undefined;
  private resource: SieResource | undefined;

  /** @param ask resolves to the document; undefined where the server has none. */
  constructor(private readonly ask: () => Promise<string | undefined>) {}

  /** The document, asked for once: a Trick simulation loses a file descriptor each time. */
  async text(): Promise<string | undefined> {
    this.asked ??= this.ask();
    const { asked } = this;
    asked.catch(() => {
      if (this.asked === asked) this.forget();
    });
    return asked;
  }

  /** Asks anew the next time. */
  forget(): void {
    this.asked = undefined;
    this.resource = undefined;
  }

  /** Details in the order of the names; undefined for names that the description does not have. */
  async details(names: readonly string[]): Promise<(VariableDetails | undefined)[]> {
    const text = await this.text();
    if (text !== undefined) this.resource ??= parseSieResource(text);
    const { resource } = this;
    return names.map((name) => resource && detailsOf(resource, name));
  }

  /** The labels of those names that are enumerations. */
  async labels(names: readonly string[]): Promise<Map<string, Labels>> {
    const all = names.length === 0 ? [] : await this.details(names);
    return new Map(
      all.flatMap((details, index) => {
        const labels = [...(details?.labels ?? [])].map(([label, number]) => [number, label] as const);
        return labels.length === 0 ? [] : [[names[index] as string, new Map(labels)] as const];
      }),
    );
  }
}

/** The value with labels in place of numbers; a number that has none stays. */
export function withLabels<V extends TrickValue | undefined>(value: V, labels: Labels | undefined): V | TrickValue {
  if (!labels || value === undefined) return value;
  const label = (item: TrickValue): TrickValue => labels.get(Number(item)) ?? item;
  return Array.isArray(value) ? (value.map(label) as readonly string[]) : label(value);
}
