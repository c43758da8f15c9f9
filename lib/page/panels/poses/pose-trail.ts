// The way of a pose so far: every sample that comes, and what the server remembers of before, and of a cut.
import { effect } from '@preact/signals';
import type { Server } from '../../data/server.js';
import type { WantedPast } from '../form/past-values.js';
import { type HistorySeries, hasHistory, historyRows, seriesOf } from '../plot/history-rows.js';
import { Trail } from '../plot/trail.js';
import type { Place } from './frames.js';
import { elementsOf, type PoseSample, placesBy } from './pose-values.js';
import { onlyOf, type Pose } from './poses.js';

/** Of each element. */
const HISTORY_POINTS = 1000;
const CYCLE_MILLIS = 33;

export interface TrailPlan {
  readonly server: Server;
  readonly poses: readonly Pose[];
  /** Where the poses stand in the list that a point is made of. */
  readonly wanted: readonly number[];
  /** Numbers of a point. */
  readonly columns: number;
  /** The point of the places of the wanted poses; undefined where there is none. */
  pointOf(places: readonly (Place | undefined)[]): readonly number[] | undefined;
  /** Seconds that it reaches back; undefined for all. */
  span(): number | undefined;
  onNews(): void;
}

export class PoseTrail {
  private trail: Trail;
  private jumps: number | undefined;
  private isCut = false;
  private isPastWanted = false;
  private isOver = false;
  private readonly ends: (() => void)[] = [];
  private readonly elements: readonly WantedPast[];

  constructor(private readonly plan: TrailPlan) {
    const { server, poses, wanted, columns } = plan;
    this.trail = new Trail(columns);
    this.elements = elementsOf(poses, wanted);
    const aliases = this.elements.map(({ alias }) => alias);
    if (aliases.length === 0 || !hasHistory(server)) return;
    const options = { cycleMillis: CYCLE_MILLIS, keepsHistory: true, onRefused: () => {} };
    const stopLink = effect(() => {
      if (server.state.value === 'lost') this.cut();
      else if (server.state.value === 'connected') this.isPastWanted = true;
    });
    this.ends.push(
      server.watch(aliases, options, () => {}),
      stopLink,
    );
  }

  /** The numbers of its points, one list a column; null where it is interrupted. */
  get columns(): readonly (readonly (number | null)[])[] {
    return Array.from({ length: this.plan.columns }, (_, column) => this.trail.column(column));
  }

  take({ seconds, places, jumps }: PoseSample): void {
    if (this.jumps !== undefined && jumps !== this.jumps) this.jump();
    this.jumps = jumps;
    this.isCut = false;
    const oldest = seconds - (this.plan.span() ?? Number.POSITIVE_INFINITY);
    const point = this.plan.pointOf(this.plan.wanted.map((index) => places[index]));
    this.trail.add(seconds, point ?? [], oldest);
    if (!this.isPastWanted) return;
    this.isPastWanted = false;
    void this.askPast(seconds);
  }

  close(): void {
    this.isOver = true;
    for (const end of this.ends) end();
  }

  private cut(): void {
    this.isCut = true;
    this.trail.interrupt();
  }

  /** Time has jumped; how far it went back during a cut is unknown. */
  private jump(): void {
    if (this.isCut) this.trail.clear();
    else this.trail.interrupt();
    this.isPastWanted = this.ends.length > 0;
  }

  /** Asks for the past up to a sample that has come; later samples come by themselves. */
  private async askPast(to: number): Promise<void> {
    const { server, pointOf, onNews } = this.plan;
    const span = this.plan.span();
    const aliases = this.elements.map(({ alias }) => alias);
    const inUnits = this.elements.flatMap(({ alias, units }) => (units === undefined ? [] : [[alias, units]]));
    const question = {
      aliases,
      ...(span !== undefined && { from: to - span }),
      to,
      points: HISTORY_POINTS,
      lenient: true,
      ...(inUnits.length > 0 && { units: Object.fromEntries(inUnits) }),
    };
    const history = await server
      .call<{ readonly series: Readonly<Record<string, HistorySeries>> }>('var/history', question)
      .catch(() => undefined);
    // Time that has gone back meanwhile has begun another trail.
    if (!history || this.isOver || !(this.trail.latestTime >= to)) return;
    const { poses, at } = onlyOf(this.plan.poses, this.plan.wanted);
    const columns = new Map(aliases.map((alias, column) => [alias, column]));
    const none = Array.from({ length: this.plan.columns }, () => Number.NaN);
    const rows = historyRows(seriesOf(history.series, aliases)).flatMap(({ time, least, isBreak }) => {
      const places = placesBy(poses, (alias) => least[columns.get(alias) ?? -1]);
      const values = pointOf(at.map((index) => places[index]));
      // A row without some of its values is left out; one without all of them is a gap.
      return values || isBreak ? [{ time, values: values ?? none }] : [];
    });
    this.trail = this.trail.with(rows);
    onNews();
  }
}
