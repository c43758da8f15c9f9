// A ground track that is on the page: the values of what flies and of the body below, the track so far, and its map.
import { effect, type Signal, signal } from '@preact/signals';
import type { PastValues } from '../form/past-values.js';
import type { PanelContext } from '../panel.js';
import { lookOf } from '../plot/look.js';
import { PAGE_NEWS, PAGE_TURNS } from '../plot/page-turns.js';
import { type OverGround, onGround } from '../poses/body-fixed.js';
import type { Place } from '../poses/frames.js';
import { PoseTrail } from '../poses/pose-trail.js';
import { type PoseSample, placesBy, watchPoses } from '../poses/pose-values.js';
import { onlyOf, type Pose } from '../poses/poses.js';
import { regionAround, WHOLE_MAP } from './map.js';
import { MapCanvas } from './map-canvas.js';
import type { GroundTrackSettings } from './settings.js';

/** What flies over what. */
export interface Flight {
  readonly poses: readonly Pose[];
  readonly pose: number;
  /** Undefined when the axes of the world are those of the body. */
  readonly body: number | undefined;
}

/** Up to this altitude, in radii, the surroundings are shown. */
const LOW = 0.02;
const STILL: Place = { position: [0, 0, 0], attitude: [1, 0, 0, 0] };

export class TrackDrawing {
  /** Shown instead of what is now. */
  readonly past = signal<PastValues | undefined>(undefined);
  private readonly trail: PoseTrail;
  private readonly map: MapCanvas;
  private latest: PoseSample | undefined;
  private readonly ends: (() => void)[] = [];
  private readonly poses: readonly Pose[];
  private readonly at: readonly number[];
  private readonly radius: number | undefined;
  private readonly draw = (): void => this.drawNow();
  private readonly tell = (): void => {
    this.over.value = this.overNow();
  };
  private readonly ask = (): void => {
    if (this.panel.isVisible.peek()) PAGE_TURNS.request(this.draw);
  };

  constructor(
    private readonly host: HTMLElement,
    private readonly panel: PanelContext<GroundTrackSettings>,
    { poses, pose, body }: Flight,
    private readonly over: Signal<OverGround | undefined>,
    refused: (sentence: string) => void,
  ) {
    ({ poses: this.poses, at: this.at } = onlyOf(poses, body === undefined ? [pose] : [pose, body]));
    this.radius = body === undefined ? undefined : poses[body]?.body?.radius;
    this.map = new MapCanvas(host);
    this.trail = new PoseTrail({
      server: panel.server,
      poses: this.poses,
      wanted: this.at,
      columns: 2,
      pointOf: (places) => pointOf(this.overOf(places)),
      span: () => panel.settings.peek().span,
      onNews: this.ask,
    });
    const take = (sample: PoseSample): void => {
      this.latest = sample;
      this.trail.take(sample);
      this.ask();
    };
    const observer = new ResizeObserver(() => {
      this.map.resize(host.clientWidth, host.clientHeight);
      this.ask();
    });
    observer.observe(host);
    const stopDrawn = effect(() => {
      void [panel.settings.value, panel.isDark.value, this.past.value];
      if (panel.isVisible.value) this.ask();
    });
    this.ends.push(watchPoses(panel.server, this.poses, { take, refused }), stopDrawn, () => observer.disconnect());
  }

  close(): void {
    PAGE_TURNS.cancel(this.draw);
    PAGE_NEWS.cancel(this.tell);
    for (const end of this.ends) end();
    this.trail.close();
    this.map.close();
  }

  private drawNow(): void {
    const over = this.overNow();
    const [longitudes = [], latitudes = []] = this.trail.columns;
    const now = over && { longitude: degrees(over.longitude), latitude: degrees(over.latitude) };
    const { part } = this.panel.settings.peek();
    const isLow = over !== undefined && this.radius !== undefined && over.altitude < LOW * this.radius;
    const points = longitudes.flatMap((longitude, k) => {
      const latitude = latitudes[k] ?? null;
      return longitude === null || latitude === null ? [] : [{ longitude, latitude }];
    });
    const aspect = this.host.clientWidth / Math.max(this.host.clientHeight, 1);
    const isNear = now && (part === 'near' || (part === 'auto' && isLow));
    const region = isNear ? regionAround(points, now, aspect) : WHOLE_MAP;
    this.map.draw(region, { longitudes, latitudes, now }, lookOf(this.host));
    PAGE_NEWS.request(this.tell);
  }

  private overNow(): OverGround | undefined {
    const past = this.past.peek();
    const places = past ? placesBy(this.poses, (alias) => past.values.get(alias)) : this.latest?.places;
    return places && this.overOf(this.at.map((index) => places[index]));
  }

  private overOf([pose, body]: readonly (Place | undefined)[]): OverGround | undefined {
    const ground = this.at.length > 1 ? body : STILL;
    return pose && ground && onGround(ground, this.radius ?? 0, pose.position);
  }
}

const degrees = (angle: number): number => (angle * 180) / Math.PI;

const pointOf = (over: OverGround | undefined): readonly number[] | undefined =>
  over && [degrees(over.longitude), degrees(over.latitude)];
