// JSON Schemas of foxglove.FrameTransforms and foxglove.SceneUpdate, as far as they are sent here.
const number = { type: 'number' };
const text = { type: 'string' };
const object = <Title extends string>(title: Title, properties: Readonly<Record<string, object>>) => ({
  title,
  type: 'object',
  properties,
});
const list = (items: object) => ({ type: 'array', items });

const seconds = { sec: { type: 'integer', minimum: 0 }, nsec: { type: 'integer', minimum: 0, maximum: 999_999_999 } };
const time = object('time', seconds);
const duration = object('duration', seconds);
const vector = object('foxglove.Vector3', { x: number, y: number, z: number });
const quaternion = object('foxglove.Quaternion', { x: number, y: number, z: number, w: number });
const color = object('foxglove.Color', { r: number, g: number, b: number, a: number });
const pose = object('foxglove.Pose', { position: vector, orientation: quaternion });
const primitive = (name: string, more: Readonly<Record<string, object>>) =>
  list(object(`foxglove.${name}Primitive`, { pose, ...more, color }));

export const TRANSFORMS_SCHEMA = object('foxglove.FrameTransforms', {
  transforms: list(
    object('foxglove.FrameTransform', {
      timestamp: time,
      parent_frame_id: text,
      child_frame_id: text,
      translation: vector,
      rotation: quaternion,
    }),
  ),
});

export const SCENE_SCHEMA = object('foxglove.SceneUpdate', {
  deletions: list(object('foxglove.SceneEntityDeletion', { timestamp: time, type: { type: 'integer' }, id: text })),
  entities: list(
    object('foxglove.SceneEntity', {
      timestamp: time,
      frame_id: text,
      id: text,
      lifetime: duration,
      frame_locked: { type: 'boolean' },
      metadata: list(object('foxglove.KeyValuePair', { key: text, value: text })),
      arrows: primitive('Arrow', {
        shaft_length: number,
        shaft_diameter: number,
        head_length: number,
        head_diameter: number,
      }),
      cubes: primitive('Cube', { size: vector }),
      spheres: primitive('Sphere', { size: vector }),
      cylinders: primitive('Cylinder', { size: vector, bottom_scale: number, top_scale: number }),
      lines: primitive('Line', {}),
      triangles: primitive('TriangleList', {}),
      texts: primitive('Text', { text }),
      models: primitive('Model', {
        scale: vector,
        override_color: { type: 'boolean' },
        url: text,
        media_type: text,
        data: { type: 'string', contentEncoding: 'base64' },
      }),
    }),
  ),
});
