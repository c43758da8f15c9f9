// What the 3D panel shows: the poses of the simulation as foxglove.FrameTransforms, and their shapes as foxglove.SceneUpdate.
import type { Frame } from '../../model/frame/reader.js';
import type { CompleteShape, PoseDescription } from '../../model/state/pose.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { type Place, PoseReference } from '../../serving/session/pose-reference.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SharedFeed } from '../../serving/session/shared-feed.js';
import type { Source } from '../../source/source.js';
import { dataMessage, nanosecondsOf, timeOf } from './binary.js';
import { SCENE_SCHEMA, TRANSFORMS_SCHEMA } from './scene-schemas.js';

/** The frame of poses without a parent. */
const WORLD = 'world';
/** Of bodies without a color of their own. */
const GROUND = '#5b7a99';

/** A channel beside those of the objects. */
export interface SceneChannel {
  readonly name: string;
  readonly schemaName: string;
  readonly schema: string;
}

/** The channels of a scene. Their names are those of no object: an object of that name keeps its topic. */
export const SCENE_CHANNELS: readonly SceneChannel[] = [
  { name: 'tf', schemaName: TRANSFORMS_SCHEMA.title, schema: JSON.stringify(TRANSFORMS_SCHEMA) },
  { name: 'scene', schemaName: SCENE_SCHEMA.title, schema: JSON.stringify(SCENE_SCHEMA) },
];

/** The messages of a channel of the scene, made once a frame for all clients. */
export class SceneMessages implements Delivery {
  readonly kind = 'binary';
  readonly references: readonly Reference[];
  private readonly made: SharedFeed;

  constructor(
    private readonly registry: SessionRegistry,
    /** The client's number for it. */
    private readonly subscriptionId: number,
    schemaName: string,
  ) {
    const { source, feeds } = registry;
    const posed = PoseReference.all(source, source.catalog.poses);
    this.references = posed.flatMap(({ reference }) => reference.references);
    const content = schemaName === SCENE_SCHEMA.title ? sceneOf(source) : transformsOf(posed);
    this.made = feeds.hold(`foxglove|${schemaName}`, () => ({
      encode: (frame) => Buffer.from(JSON.stringify(content(frame))),
    }));
  }

  get feed(): object {
    return this.made;
  }

  message(frame: Frame): Uint8Array {
    return dataMessage(this.subscriptionId, nanosecondsOf(frame.timeSeconds), this.made.message(frame));
  }

  withDropped(message: Uint8Array): Uint8Array {
    return message;
  }

  release(): void {
    this.registry.feeds.release(this.made);
  }
}

const timestampOf = ({ timeSeconds }: Frame) => timeOf(nanosecondsOf(timeSeconds));

const transformsOf = (posed: ReturnType<typeof PoseReference.all>) => (frame: Frame) => ({
  transforms: posed.flatMap(({ pose, reference }) => {
    const place = reference.read(frame);
    return place ? [transformOf(pose, place, frame)] : [];
  }),
});

function transformOf({ name, parent }: PoseDescription, { translation, rotation }: Place, frame: Frame): object {
  const [w, ...vector] = rotation;
  return {
    timestamp: timestampOf(frame),
    parent_frame_id: parent ?? WORLD,
    child_frame_id: name,
    translation: xyz(translation),
    rotation: { ...xyz(vector), w },
  };
}

/** All shapes: an entity takes the place of the one of its id, and is drawn in the frame of its pose. */
const sceneOf =
  ({ catalog: { poses } }: Pick<Source, 'catalog'>) =>
  (frame: Frame) => ({
    deletions: [],
    entities: poses
      .filter(({ shape, body }) => shape !== null || body !== null)
      .map(({ name, shape, body }) => ({
        timestamp: timestampOf(frame),
        frame_id: name,
        id: name,
        lifetime: { sec: 0, nsec: 0 },
        frame_locked: true,
        ...NOTHING,
        ...(body && { spheres: [sphereOf(body.radius, GROUND)] }),
        ...(shape && primitiveOf(shape)),
      })),
  });

const NOTHING = {
  metadata: [],
  arrows: [],
  cubes: [],
  spheres: [],
  cylinders: [],
  lines: [],
  triangles: [],
  texts: [],
  models: [],
};

const xyz = ([x = 0, y = 0, z = 0]: readonly number[]) => ({ x, y, z });
const pose = { position: xyz([]), orientation: { ...xyz([]), w: 1 } };

const sphereOf = (radius: number, color: string) => ({
  pose,
  size: xyz(Array(3).fill(2 * radius)),
  color: colorOf(color),
});

function primitiveOf(shape: CompleteShape): Partial<Record<keyof typeof NOTHING, readonly object[]>> {
  switch (shape.kind) {
    case 'box':
      return { cubes: [{ pose, size: xyz(shape.size), color: colorOf(shape.color) }] };
    case 'sphere':
      return { spheres: [sphereOf(shape.radius, shape.color)] };
    case 'cylinder': {
      const size = xyz([2 * shape.radius, 2 * shape.radius, shape.length]);
      return { cylinders: [{ pose, size, bottom_scale: 1, top_scale: 1, color: colorOf(shape.color) }] };
    }
    case 'arrow':
      return { arrows: [{ pose, ...arrowOf(shape), color: colorOf(shape.color) }] };
    case 'model': {
      const scale = xyz(Array(3).fill(shape.scale));
      const url = `${ASSETS}${shape.file}`;
      return {
        models: [{ pose, scale, color: colorOf(GROUND), override_color: false, url, media_type: '', data: '' }],
      };
    }
  }
}

/** What the app asks the server for by `fetchAsset`. */
export const ASSETS = 'package://varwire/';

/** A fifth of its length is the head, which is twice as thick as the shaft. */
const arrowOf = ({ length, radius }: Extract<CompleteShape, { kind: 'arrow' }>) => ({
  shaft_length: 0.8 * length,
  shaft_diameter: 2 * radius,
  head_length: 0.2 * length,
  head_diameter: 4 * radius,
});

function colorOf(color: string) {
  const [r = 0, g = 0, b = 0, a = 255] = Buffer.from(color.slice(1), 'hex');
  return { r: r / 255, g: g / 255, b: b / 255, a: a / 255 };
}
