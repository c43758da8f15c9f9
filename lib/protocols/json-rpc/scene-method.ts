// scene/get: what the simulation shows in space, for 3D views.
import { z } from 'zod';
import type { CallContext } from './call-context.js';
import { defineMethod } from './method.js';
import { alias } from './schemas.js';

const metres = z.number().describe('m');
const color = z.string().describe('#rrggbb or #rrggbbaa');
const file = z.string().describe('Served at /scene/ of this server');

const shape = z
  .union([
    z.object({ kind: z.literal('box'), size: z.array(metres).readonly().describe('Along x, y and z'), color }),
    z.object({ kind: z.literal('sphere'), radius: metres, color }),
    z
      .object({ kind: z.literal('cylinder'), radius: metres, length: metres, color })
      .describe('Along z, its middle at the position'),
    z
      .object({ kind: z.literal('arrow'), length: metres, radius: metres.describe('Of the shaft, in m'), color })
      .describe('From the position along x'),
    z.object({ kind: z.literal('model'), file, scale: z.number() }).describe('A glTF file, in metres times the scale'),
  ])
  .describe('In the axes of the pose');

const body = z
  .object({ radius: metres, texture: file.optional() })
  .describe('Axes that turn with the body: z to its north pole, x to longitude 0');

export const scene = defineMethod({
  name: 'scene/get',
  about: 'The poses that the simulation declares; parents come before children. Poses without variables are left out.',
  params: z.strictObject({}),
  result: z.object({
    poses: z.array(
      z.object({
        name: z.string(),
        parent: z.string().nullable().describe('The pose in whose axes this one is; null for the frame of all'),
        position: alias.describe('3 numbers'),
        positionUnits: z.string().describe('Units of length that the position is declared in'),
        attitude: alias
          .nullable()
          .describe('4 numbers: a quaternion, scalar first, from body to parent: q v q* is in the axes of the parent'),
        shape: shape.nullable(),
        body: body.nullable(),
      }),
    ),
  }),
  examples: [{ name: 'a simulation without poses', params: {}, result: { poses: [] } }],
  run: ({ source: { catalog } }: CallContext) => ({
    poses: catalog.poses.flatMap(({ metres, ...pose }) => {
      const position = catalog.find(pose.position);
      return position ? [{ ...pose, positionUnits: position.units }] : [];
    }),
  }),
});
