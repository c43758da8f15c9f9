// A 3D panel that is on the page: the values of its poses, its trail, and its picture, once three.js has come.
import { computed, effect, signal } from '@preact/signals';
import type { PastValues } from '../form/past-values.js';
import { lookOf } from '../plot/look.js';
import { PAGE_TURNS } from '../plot/page-turns.js';
import { PoseTrail } from '../poses/pose-trail.js';
import { type PoseSample, placesBy, watchPoses } from '../poses/pose-values.js';
import type { Scene } from '../poses/poses.js';
import { moveTo, type ScenePanel, sceneStateOf } from './scene-state.js';
import { NO_TRAIL } from './settings.js';
import { followedOf } from './view.js';
import type { Picture, World } from './world.js';

/** Names in one sentence about poses without a place. */
const MOST_NAMES = 3;

export class SceneDrawing {
  /** Shown instead of what is now. */
  readonly past = signal<PastValues | undefined>(undefined);
  private world: World | undefined;
  private trail: PoseTrail | undefined;
  private latest: PoseSample | undefined;
  private isOver = false;
  private readonly faults = new Set<string>();
  private readonly ends: (() => void)[] = [];
  private readonly draw = (): void => this.drawNow();
  private readonly ask = (): void => {
    if (this.panel.isVisible.peek()) PAGE_TURNS.request(this.draw);
  };

  constructor(
    private readonly host: HTMLElement,
    private readonly panel: ScenePanel,
    private readonly scene: Scene,
  ) {
    for (const fault of scene.faults) this.faults.add(fault);
    const stop = watchPoses(panel.server, scene.poses, {
      take: (sample) => {
        this.latest = sample;
        this.trail?.take(sample);
        this.ask();
      },
      refused: (sentence) => this.tell(sentence),
    });
    this.ends.push(stop, this.keepTrail(), this.keepView(), this.keepSize(), () => this.trail?.close());
    void this.load();
  }

  close(): void {
    this.isOver = true;
    PAGE_TURNS.cancel(this.draw);
    for (const end of this.ends) end();
    this.world?.close();
    this.world = undefined;
  }

  private async load(): Promise<void> {
    try {
      const module = await import('./world.js');
      if (this.isOver) return;
      this.ends.push(
        effect(() => {
          void this.panel.isDark.value;
          this.make(module.World);
        }),
      );
    } catch (error) {
      if (!this.isOver) this.tell((error as Error).message);
    }
  }

  /** Makes the picture, again for each theme. */
  private make(Made: typeof World): void {
    this.world?.close();
    this.world = undefined;
    const { server } = this.panel;
    try {
      this.world = new Made({
        host: this.host,
        poses: this.scene.poses,
        look: lookOf(this.host),
        linkTo: (path) => server.linkTo(path),
        onView: (view) => moveTo(this.panel, view),
        onNews: this.ask,
        onFault: (sentence) => this.tell(sentence),
      });
      this.world.resize(this.host.clientWidth, this.host.clientHeight);
      this.ask();
    } catch (error) {
      this.tell((error as Error).message);
    }
  }

  private keepTrail(): () => void {
    const { poses } = this.scene;
    const chosen = computed(() => {
      const { trail, follow } = this.panel.settings.value;
      return trail === NO_TRAIL ? -1 : followedOf(poses, trail ?? follow);
    });
    return effect(() => {
      const at = chosen.value;
      this.trail?.close();
      this.trail =
        at < 0
          ? undefined
          : new PoseTrail({
              server: this.panel.server,
              poses,
              wanted: [at],
              columns: 3,
              pointOf: ([place]) => place?.position,
              span: () => this.panel.settings.peek().span,
              onNews: this.ask,
            });
      this.ask();
    });
  }

  private keepView(): () => void {
    const state = sceneStateOf(this.panel);
    state.shown = () => this.world?.view;
    const saved = computed(() => JSON.stringify(this.panel.settings.value.view));
    const stopSaved = effect(() => {
      void saved.value;
      if (state.saving === undefined) state.view.value = this.panel.settings.peek().view;
    });
    const stopDrawn = effect(() => {
      void [state.view.value, this.panel.settings.value, this.past.value];
      if (this.panel.isVisible.value) this.ask();
    });
    return () => {
      stopSaved();
      stopDrawn();
      state.shown = () => undefined;
    };
  }

  private keepSize(): () => void {
    const observer = new ResizeObserver(() => {
      this.world?.resize(this.host.clientWidth, this.host.clientHeight);
      this.ask();
    });
    observer.observe(this.host);
    return () => observer.disconnect();
  }

  private drawNow(): void {
    const places = this.placesNow();
    if (!this.world || !places) return;
    const { follow, hasAxes, hasGrid, hasNames } = this.panel.settings.peek();
    const picture: Picture = {
      places,
      followed: followedOf(this.scene.poses, follow),
      trail: this.trail?.columns ?? [],
      hasAxes,
      hasGrid,
      hasNames,
      view: sceneStateOf(this.panel).view.peek(),
    };
    sceneStateOf(this.panel).gridStep.value = this.world.draw(picture);
    this.tell(undefined, places);
  }

  private placesNow(): PoseSample['places'] | undefined {
    const past = this.past.peek();
    if (!past) return this.latest?.places;
    return placesBy(this.scene.poses, (alias) => past.values.get(alias));
  }

  /** Shows all that is wrong; a sentence stays, and which poses have no place is seen at each picture. */
  private tell(sentence: string | undefined, places: PoseSample['places'] = []): void {
    if (sentence !== undefined) this.faults.add(sentence);
    const missing = this.scene.poses.filter((_, k) => k < places.length && places[k] === undefined);
    const names = missing.slice(0, MOST_NAMES).map(({ name }) => name);
    const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
    const notes = [...this.faults, ...(missing.length > 0 ? [`no place: ${names.join(', ')}${more}`] : [])];
    const shown = sceneStateOf(this.panel).notes;
    if (notes.join() !== shown.peek().join()) shown.value = notes;
  }
}
