// A recording as a source: its rows are the frames, and clients play it.

import type { PageMap } from '../../model/frame/page-map.js';
import type { AnyDeclared } from '../../model/state/declare.js';
import type { Overlay } from '../../simulation/executive/overlay.js';
import type { Column } from '../../simulation/recording/row.js';
import { type Feed, type FeedObjects, FeedSource } from '../feed.js';
import type { FeedOptions } from '../feed-host.js';
import { componentsOf, storeNothing, type WholeComponent } from '../feed-objects.js';
import type { RecordedPast } from '../recorded-past.js';
import type { SourceMark, SourceRun } from '../source.js';
import type { RecordedMessage } from './mcap-log.js';
import { FilePast } from './past-thread.js';
import { isTime, type PlayClock, RecordingPlayer } from './player.js';
import type { Recording } from './recording.js';
import { pageBytesFor, RowsInMemory } from './rows-in-memory.js';
import { usualStep } from './time-figures.js';
import { declaredAs, placed } from './variables.js';

/** A recording that is played; it begins with its first row, and runs from when it is told to. */
export interface Played {
  readonly source: Feed;
  /** Runs from where it is, once clients can connect. */
  readonly run: () => void;
}

/** What a recording shows in space, where it has the variables: the poses of its simulation, and where their files lie. */
export type PlayedScene = Pick<FeedOptions, 'poses' | 'folder'>;

/** Rows by which the time between rows is known. */
const STEPS = 100;

/** Throws an Error with one sentence for a recording without rows and one with times that cannot be played. */
export function played(
  recording: Recording,
  overlays: readonly Overlay[],
  clock?: PlayClock,
  scene: PlayedScene = {},
): Played {
  const { file, time } = recording;
  if (recording.rows === 0) throw new Error(`${file} has no rows to play`);
  const [first, last] = endsOf(recording);
  const originSeconds = Math.min(0, first);
  if (!isTime(first - originSeconds) || !isTime(last - originSeconds))
    throw new Error(`${file} cannot be played: its first row has the time ${first} s, its last one ${last} s`);
  const told = new Told(recording);
  let sound = recording.rows;
  /** Damage that was found while rows were looked for. */
  const sayDamage = (): void => {
    if (recording.rows < sound) for (const fault of recording.faults) source.say(fault, 'error');
    sound = recording.rows;
  };
  const player = new RecordingPlayer(
    recording,
    originSeconds,
    {
      row: (row, seconds) => {
        rows?.show(row, source.held.wanted);
        const isShown = source.publish(seconds);
        sayDamage();
        for (const { text, level } of told.upTo(seconds)) source.say(text, level);
        return isShown;
      },
      end: () => source.freeze(),
      skipped: (count) => source.say(`${count} rows came faster than they can be shown, and were skipped`),
      failed: (reason) => {
        source.say(reason, 'error');
        source.freeze();
      },
    },
    clock,
  );
  const steps = recording.values(time, 0, Math.min(recording.rows, STEPS)).map(Number);
  const shifted = { clock: { label: 'recorded time', seconds: (seconds: number) => seconds + originSeconds } };
  const options = {
    name: 'recording',
    what: 'a recording',
    frameSeconds: Math.min(Math.max(usualStep(steps) ?? 1, 1e-6), 1e5),
    file,
    playback: player,
    ...scene,
    ...(originSeconds < 0 && shifted),
  };
  const paths = new Map<string, Column>();
  const wholes = new Map<string, readonly WholeComponent[]>();
  const build = (isFlat: boolean) => (objects: FeedObjects) => {
    paths.clear();
    const columns = recording.columns.filter((column) => column !== time);
    const byObject = new Map<string, Map<string, AnyDeclared>>();
    for (const { column, object, component } of placed(columns, isFlat)) {
      paths.set(`${object}.${component}`, column);
      const variables = byObject.get(object) ?? new Map<string, AnyDeclared>();
      byObject.set(object, variables.set(component, declaredAs(column.type, column.units)));
    }
    wholes.clear();
    for (const [object, variables] of byObject) {
      const components = componentsOf(object, variables);
      wholes.set(object, components);
      for (const { alias, declared } of components) objects.object(object).component(alias, declared);
    }
  };
  /** Once the variables have their places. */
  let rows: RowsInMemory | undefined;
  const filled = {
    fill: (wanted: PageMap | undefined) => rows?.fill(wanted),
    missing: (wanted: PageMap) => (rows as RowsInMemory).missing(wanted),
  };
  const source = sourceOf();
  const { catalog, memory } = source.held;
  for (const [object, components] of wholes) storeNothing(memory, catalog, object, components);
  rows = new RowsInMemory(recording, paths, () => source.held);
  source.recorded = new FilePast(recording, paths);
  source.study = recording.study;
  source.runs = runsOf(recording, source);
  source.marks = recording.messages.flatMap(({ mark, seconds, text }) => (mark ? [{ mark, seconds, text }] : []));
  player.seek(0);
  return { source, run: () => player.run(1) };

  function sourceWith(built: (objects: FeedObjects) => void): PlayedSource {
    return new PlayedSource(options, built, overlays, undefined, filled, pageBytesFor(recording));
  }

  function sourceOf(): PlayedSource {
    try {
      return sourceWith(build(false));
    } catch {
      // Names that are no structures together, such as a.b and a.b.c.
      return sourceWith(build(true));
    }
  }
}

/** The times of the first and the last row. Where one of them cannot be read, the recording ends before the damage. */
function endsOf(recording: Recording): readonly [first: number, last: number] {
  const read = () => [recording.seconds(0), recording.seconds(recording.rows - 1)] as const;
  try {
    return read();
  } catch (error) {
    recording.check();
    if (recording.rows === 0) throw error;
    return read();
  }
}

/** A feed with its runs and its past, which ends with it. */
class PlayedSource extends FeedSource {
  recorded: RecordedPast | undefined;
  runs: readonly SourceRun[] | undefined;
  marks: readonly SourceMark[] = [];

  get held() {
    return { ...this.host.held, wanted: this.host.wanted };
  }

  override async close(): Promise<void> {
    await super.close();
    this.recorded?.close();
  }
}

/** Undefined where names do not tell runs apart. */
function runsOf({ runs }: Recording, { catalog }: FeedSource): SourceRun[] | undefined {
  const isNamed = runs.length > 0 && runs.every(({ name }) => catalog.find(name));
  return isNamed ? runs.map(({ name, file }) => ({ object: name, label: file, isLive: false })) : undefined;
}

/** A playback that goes on by more than this has been moved. */
const LONGEST_STEP_SECONDS = 10;

/** The messages of a recording, each when its time is played. */
class Told {
  private seconds = Number.POSITIVE_INFINITY;

  constructor(private readonly recording: Recording) {}

  /** Those since the last call; none after time was moved. */
  upTo(seconds: number): readonly RecordedMessage[] {
    const since = this.seconds;
    this.seconds = seconds;
    const isMoved = seconds < since || seconds - since > LONGEST_STEP_SECONDS;
    const { messages } = this.recording;
    return isMoved || messages.length === 0
      ? []
      : messages.filter((each) => !each.mark && each.seconds > since && each.seconds <= seconds);
  }
}
