// The ground track: where something flies over a body, as latitude and longitude on a map.
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FollowsCursor } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import { usePast } from '../form/past-values.js';
import { useFacts } from '../form/use-facts.js';
import type { PanelContext, PanelKind } from '../panel.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import type { OverGround } from '../poses/body-fixed.js';
import { PoseChooser } from '../poses/pose-chooser.js';
import { elementsOf } from '../poses/pose-values.js';
import type { Pose, Scene } from '../poses/poses.js';
import { useScene } from '../poses/use-scene.js';
import { clockText, numberText } from '../values/number-text.js';
import { degreesText } from './map.js';
import { type GroundTrackSettings, groundTrackSettings, type Part, withPosition } from './settings.js';
import { type Flight, TrackDrawing } from './track-drawing.js';

interface ViewProps {
  readonly panel: PanelContext<GroundTrackSettings>;
}

function GroundTrackView({ panel }: ViewProps) {
  const { alias } = panel.settings.value;
  return alias === undefined ? <OfPoses panel={panel} /> : <OfVariable key={alias} panel={panel} alias={alias} />;
}

function OfPoses({ panel }: ViewProps) {
  const scene = useScene(panel.server);
  const { pose, body } = panel.settings.value;
  const flight = useMemo(
    () => (typeof scene === 'object' ? flightOf(scene, pose, body) : undefined),
    [scene, pose, body],
  );
  if (scene === undefined) return null;
  if (flight) return <Track panel={panel} flight={flight} />;
  const asked = 'Drop a position here: three numbers, in axes that turn with the ground.';
  return <p class="empty">{typeof scene === 'string' ? scene : asked}</p>;
}

/** Undefined without a body, or without anything that flies over it. */
function flightOf({ poses }: Scene, pose: string | undefined, body: string | undefined): Flight | undefined {
  const chosen = (name: string | undefined, isIt: (pose: Pose) => boolean): number => {
    const named = poses.findIndex((each) => each.name === name && isIt(each));
    return named >= 0 ? named : poses.findIndex(isIt);
  };
  const below = chosen(body, (each) => each.body !== undefined);
  const above = chosen(pose, (each) => each !== poses[below] && (each.body === undefined || each.name === pose));
  return below < 0 || above < 0 ? undefined : { poses, pose: above, body: below };
}

function OfVariable({ panel, alias }: ViewProps & { readonly alias: string }) {
  const facts = useFacts(panel.server, alias);
  const refusal = panel.server.refusal(alias).value;
  const flight = useMemo((): Flight => {
    const other = { parent: undefined, attitude: undefined, shape: undefined, body: undefined };
    return {
      poses: [{ name: alias, position: alias, positionUnits: facts?.unit ?? 'm', ...other }],
      pose: 0,
      body: undefined,
    };
  }, [alias, facts]);
  if (refusal !== undefined) return <p class="empty error">{refusal}</p>;
  return facts ? <Track panel={panel} flight={flight} /> : null;
}

function Track({ panel, flight }: ViewProps & { readonly flight: Flight }) {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<TrackDrawing>();
  const over = useMemo(() => signal<OverGround | undefined>(undefined), []);
  const [refusal, setRefusal] = useState<string>();
  const { poses, pose, body } = flight;
  const wanted = useMemo(() => elementsOf(poses, body === undefined ? [pose] : [pose, body]), [flight]);
  const past = usePast(panel.server, wanted, panel.settings.value.followsCursor);
  useEffect(() => {
    setRefusal(undefined);
    drawing.current = new TrackDrawing(host.current as HTMLDivElement, panel, flight, over, setRefusal);
    return () => drawing.current?.close();
  }, [panel, flight]);
  useEffect(() => {
    if (drawing.current) drawing.current.past.value = past;
  }, [past, flight]);
  const name = poses[pose]?.name ?? '';
  const ground = body === undefined ? undefined : poses[body]?.name;
  return (
    <div class={`strip-chart ${panel.server.isStale.value ? 'stale' : ''}`}>
      <div class="legend">
        <span class="legend-line">
          {name}
          {ground !== undefined && ` over ${ground}`}
        </span>
        <output class="number legend-line" aria-live="off">
          {textOf(over.value, ground !== undefined)}
        </output>
        {past && <span class="legend-time number">at {clockText(past.seconds, 3)}</span>}
        {refusal !== undefined && <span class="refusal">{refusal}</span>}
      </div>
      <div class="canvas-host" ref={host} role="img" aria-label={`Ground track of ${name}`} />
    </div>
  );
}

const DIGITS = 4;

function textOf(over: OverGround | undefined, hasGround: boolean): string {
  if (!over) return '–';
  const [latitude, longitude] = [over.latitude, over.longitude].map((angle) => (angle * 180) / Math.PI) as [
    number,
    number,
  ];
  const place = `${degreesText(latitude, ['N', 'S'], DIGITS)}, ${degreesText(longitude, ['E', 'W'], DIGITS)}`;
  if (!hasGround) return place;
  const isHigh = Math.abs(over.altitude) >= 10_000;
  return `${place}, ${isHigh ? `${numberText(over.altitude / 1000, 5)} km` : `${numberText(over.altitude, 5)} m`} up`;
}

const PARTS: Readonly<Record<Part, string>> = {
  auto: 'whole for what flies high',
  whole: 'whole',
  near: 'around the track',
};

function GroundTrackForm({ panel }: ViewProps) {
  const scene = useScene(panel.server);
  const poses = typeof scene === 'object' ? scene.poses : [];
  const { pose, body, alias, part, span, followsCursor } = panel.settings.value;
  const bodies = poses.filter((each) => each.body !== undefined);
  const choose = (name: 'pose' | 'body') => (chosen: string) =>
    panel.change({ [name]: chosen === '' ? undefined : chosen, alias: undefined });
  return (
    <div class="panel-form">
      <div class="number-field">
        <span>Track of</span>
        <PoseChooser
          label="Track of"
          look="field"
          poses={poses}
          chosen={alias === undefined ? (pose ?? '') : ''}
          others={{ '': alias ?? 'the first pose' }}
          onChoose={choose('pose')}
        />
      </div>
      <div class="number-field">
        <span>Over</span>
        <PoseChooser
          label="Over"
          look="field"
          poses={bodies}
          chosen={body ?? ''}
          others={{ '': 'the first body' }}
          onChoose={choose('body')}
        />
      </div>
      <label class="number-field">
        <span>Map</span>
        <select
          class="field"
          value={part}
          onChange={({ currentTarget }) => panel.change({ part: currentTarget.value as Part })}
        >
          {Object.entries(PARTS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <NumberField
        label="Seconds of the past"
        value={span}
        placeholder="all"
        least={SHORTEST_SPAN}
        most={LONGEST_SPAN}
        onEnter={(seconds) => panel.change({ span: seconds })}
      />
      <FollowsCursor isOn={followsCursor} onFlip={(isOn) => panel.change({ followsCursor: isOn })} />
    </div>
  );
}

export const groundTrack: PanelKind<GroundTrackSettings> = {
  type: 'ground-track',
  name: 'Ground track',
  about: 'Where something flies over a body: latitude and longitude on a map.',
  icon: 'M2 3h12v10H2zM8 3v10M2 8h12M3 10c3-6 6-6 9.500 1',
  size: { columns: 12, rows: 10 },
  leastSize: { columns: 5, rows: 4 },
  settings: groundTrackSettings,
  title: ({ pose, alias }) => ((alias ?? pose) ? `Ground track of ${alias ?? pose}` : 'Ground track'),
  add: (_, variable) => withPosition(variable),
  View: GroundTrackView,
  SettingsView: GroundTrackForm,
};
