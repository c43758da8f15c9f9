// Names beside poses, as text of the page over the picture.
import type { Camera, Vector3 } from 'three';

/** The nearest ones have their names shown: more could not be read. */
const MOST_LABELS = 40;

export interface Named {
  readonly name: string;
  /** Relative to the middle of the picture's world. */
  readonly at: Vector3;
}

export class Labels {
  private readonly spans: HTMLSpanElement[] = [];
  private readonly host: HTMLElement;

  constructor(parent: HTMLElement) {
    this.host = document.createElement('div');
    this.host.className = 'scene-names';
    parent.append(this.host);
  }

  put(named: readonly Named[], camera: Camera, { width, height }: { width: number; height: number }): void {
    const seen = named
      .map(({ name, at }) => ({ name, point: at.clone().project(camera), away: at.distanceTo(camera.position) }))
      .filter(({ point: { x, y, z } }) => z < 1 && Math.abs(x) < 1 && Math.abs(y) < 1)
      .sort((one, other) => one.away - other.away)
      .slice(0, MOST_LABELS);
    for (const [k, { name, point }] of seen.entries()) {
      const span = this.spans[k] ?? this.add();
      if (span.textContent !== name) span.textContent = name;
      const [x, y] = [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      span.hidden = false;
    }
    for (const span of this.spans.slice(seen.length)) span.hidden = true;
  }

  close(): void {
    this.host.remove();
  }

  private add(): HTMLSpanElement {
    const span = document.createElement('span');
    this.spans.push(span);
    this.host.append(span);
    return span;
  }
}
