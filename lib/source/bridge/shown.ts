// The objects of a simulation elsewhere in the state of a feed, and where their values go.
import { PageMap } from '../../model/frame/page-map.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { isCharacters, type Type } from '../../model/state/type.js';
import type { FeedHost } from '../feed-host.js';
import { Asked, PAGE_BYTES } from './asked.js';
import { elementsOf, isMeasured, type MeasuredPart } from './catalog.js';
import type { Lengths } from './lengths.js';
import { type Placed, placed } from './placed.js';
import type { Survey, SurveyedComponent } from './survey.js';

const NO_PAGES = new PageMap(new Uint8Array(), PAGE_BYTES);

export class ShownObjects {
  private known: readonly Placed[] = [];
  private said: string | undefined;

  constructor(
    private readonly host: FeedHost,
    private shown: Survey,
  ) {
    this.build();
  }

  get survey(): Survey {
    return this.shown;
  }

  get places(): readonly Placed[] {
    return this.known;
  }

  /** Nothing of it, as long as nobody reads. */
  get nothing(): Asked {
    return new Asked(this.known, this.host.held.catalog.arenaBytes, NO_PAGES);
  }

  /** Shows what another survey has found. */
  replace(found: Survey): void {
    for (const object of new Set(this.shown.components.map(({ object }) => object))) this.host.removeObject(object);
    this.shown = found;
    this.build();
  }

  private build(): void {
    const { components, lengths, leftOut } = this.shown;
    const built = components.filter((component) => this.add(component, lengths));
    this.known = built.flatMap((component) => this.placesIn(component, lengths));
    if (leftOut && leftOut !== this.said) setImmediate(() => this.host.say(leftOut, 'warning'));
    this.said = leftOut;
  }

  private add({ object, typeName, alias, declared }: SurveyedComponent, lengths: Lengths): boolean {
    const { type } = declared;
    try {
      const start = holdsPointers(type) ? startOf(type, `${object}.${alias}`, lengths) : undefined;
      this.host.object(object, { typeName }).component(alias, declared, start as never);
      return true;
    } catch (error) {
      setImmediate(() => this.host.say(`${object}.${alias} is not shown: ${(error as Error).message}`, 'warning'));
      return false;
    }
  }

  private placesIn({ object, alias, parts }: SurveyedComponent, lengths: Lengths): Placed[] {
    const base = this.host.held.catalog.find(`${object}.${alias}`)?.offsetBytes as number;
    return parts.flatMap((part) => {
      const isPointer = isMeasured(part) && part.type.kind === 'pointer';
      return isPointer ? this.behind(part, base, lengths.get(part.path) ?? 0) : [placed(part, base)];
    });
  }

  private behind(part: MeasuredPart, base: number, length: number): Placed[] {
    const { view } = this.host.held.memory;
    const at = base + part.offsetBytes;
    // Where values begin, even if there are none: that is no null pointer.
    if (length === 0) view.setBigUint64(at, 0n, true);
    return [...elementsOf(part, length, view.getUint32(at, true))].map((element) => placed(element, 0));
  }
}

/** Initial values that give each pointer room for what it leads to. */
function startOf(type: Type, path: string, lengths: Lengths): unknown {
  if (type.kind === 'pointer') return new Array(lengths.get(path) ?? 0).fill(blankOf(type.target));
  if (type.kind === 'struct')
    return Object.fromEntries(
      type.members
        .filter((member) => holdsPointers(member.type))
        .map(({ name, type: own }) => [name, startOf(own, `${path}.${name}`, lengths)]),
    );
  if (type.kind !== 'array') return blankOf(type);
  return Array.from({ length: type.length }, (_, index) => startOf(type.element, `${path}[${index}]`, lengths));
}

function blankOf(type: Type): unknown {
  if (isCharacters(type) || type.kind === 'text') return '';
  if (type.kind === 'array') return new Array(type.length).fill(blankOf(type.element));
  return type.kind === 'struct' ? {} : 0;
}
