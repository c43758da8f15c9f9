// The 3D panel: the poses that a simulation declares, as shapes in space.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { IconButton } from '../../widgets/icon-button.js';
import { Check, FollowsCursor } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import { usePast } from '../form/past-values.js';
import type { PanelKind } from '../panel.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { ZoomButtons } from '../plot/zoom-buttons.js';
import { PoseChooser } from '../poses/pose-chooser.js';
import { elementsOf } from '../poses/pose-values.js';
import type { Scene } from '../poses/poses.js';
import { useScene } from '../poses/use-scene.js';
import { clockText, numberText } from '../values/number-text.js';
import { SceneDrawing } from './scene-drawing.js';
import { moveTo, pressedOn, type ScenePanel, sceneStateOf, zoomBy } from './scene-state.js';
import { NO_TRAIL, type SceneSettings, sceneSettings } from './settings.js';
import { followedOf, SCENE_KEYS } from './view.js';

interface ViewProps {
  readonly panel: ScenePanel;
}

function SceneView({ panel }: ViewProps) {
  const scene = useScene(panel.server);
  if (scene === undefined) return null;
  if (typeof scene === 'string') return <p class="empty error">{scene}</p>;
  if (scene.poses.length === 0)
    return <p class="empty">{scene.faults[0] ?? 'This simulation declares no poses to show in space.'}</p>;
  return <Space panel={panel} scene={scene} />;
}

function Space({ panel, scene }: ViewProps & { readonly scene: Scene }) {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<SceneDrawing>();
  const state = sceneStateOf(panel);
  const { poses } = scene;
  const { follow, followsCursor } = panel.settings.value;
  const followed = followedOf(poses, follow);
  const wanted = useMemo(() => elementsOf(poses, [followed, ...poses.keys()]), [poses, followed]);
  const past = usePast(panel.server, wanted, followsCursor);
  useEffect(() => {
    drawing.current = new SceneDrawing(host.current as HTMLDivElement, panel, scene);
    return () => drawing.current?.close();
  }, [panel, scene]);
  useEffect(() => {
    if (drawing.current) drawing.current.past.value = past;
  }, [past, scene]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || !pressedOn(panel, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = poses[followed]?.name ?? '';
  const step = state.gridStep.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no picture.
    <div
      class={`strip-chart ${panel.server.isStale.value ? 'stale' : ''}`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the camera is moved by keys.
      tabIndex={0}
      aria-label={`3D view around ${name}: ${SCENE_KEYS}`}
      onKeyDown={onKeyDown}
    >
      <div class="legend">
        <PoseChooser
          label="Pose in the middle"
          look="unit-chooser"
          poses={poses}
          chosen={name}
          onChoose={(chosen) => panel.change({ follow: chosen })}
        />
        {past && <span class="legend-time number">at {clockText(past.seconds, 3)}</span>}
        {step !== undefined && <span class="legend-time number">grid {lengthText(step)}</span>}
        {state.notes.value.map((note) => (
          <span class="refusal" key={note}>
            {note}
          </span>
        ))}
      </div>
      <div class="canvas-host space" ref={host} />
    </div>
  );
}

function SceneTools({ panel }: ViewProps) {
  const isUsual = sceneStateOf(panel).view.value === undefined;
  return (
    <>
      <IconButton
        icon="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"
        label="Show it as at the start"
        title="Show it as at the start (End)"
        class={`button tiny ${isUsual ? 'quiet' : 'primary'}`}
        onClick={() => moveTo(panel, undefined)}
      />
      <ZoomButtons zoomBy={(factor) => zoomBy(panel, factor)} />
    </>
  );
}

function SceneForm({ panel }: ViewProps) {
  const scene = useScene(panel.server);
  const poses = typeof scene === 'object' ? scene.poses : [];
  const { trail, span, hasAxes, hasGrid, hasNames, followsCursor } = panel.settings.value;
  return (
    <div class="panel-form">
      <div class="number-field">
        <span>Trail of</span>
        <PoseChooser
          label="Trail of"
          look="field"
          poses={poses}
          chosen={trail ?? ''}
          others={{ '': 'the pose in the middle', [NO_TRAIL]: 'none' }}
          onChoose={(chosen) => panel.change({ trail: chosen === '' ? undefined : chosen })}
        />
      </div>
      <NumberField
        label="Seconds of the trail"
        value={span}
        placeholder="all"
        least={SHORTEST_SPAN}
        most={LONGEST_SPAN}
        onEnter={(seconds) => panel.change({ span: seconds })}
      />
      <Check label="Axes" isOn={hasAxes} onFlip={(isOn) => panel.change({ hasAxes: isOn })} />
      <Check label="Grid" isOn={hasGrid} onFlip={(isOn) => panel.change({ hasGrid: isOn })} />
      <Check label="Names" isOn={hasNames} onFlip={(isOn) => panel.change({ hasNames: isOn })} />
      <FollowsCursor isOn={followsCursor} onFlip={(isOn) => panel.change({ followsCursor: isOn })} />
    </div>
  );
}

/** A power of ten, in metres. */
const lengthText = (metres: number): string =>
  metres < 1000 ? `${numberText(metres)} m` : `${numberText(metres / 1000)} km`;

export const scene: PanelKind<SceneSettings> = {
  type: 'scene',
  name: '3D',
  about: 'The simulation in space: its poses as shapes, the ground, and the way of one of them.',
  icon: 'M6 10V2M6 10h8M6 10l-4 4M4.5 3.5L6 2l1.500 1.500M12.500 8.500L14 10l-1.500 1.500',
  size: { columns: 12, rows: 12 },
  leastSize: { columns: 5, rows: 4 },
  settings: sceneSettings,
  title: ({ follow }) => (follow === undefined ? '3D' : `3D around ${follow}`),
  isOffered: (server) => server.has('scene/get'),
  View: SceneView,
  SettingsView: SceneForm,
  ToolsView: SceneTools,
};
