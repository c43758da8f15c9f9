// The shapes that methods share, as the OpenRPC document shows them.
import { z } from 'zod';

export const alias = z.string().min(1).describe('Path of a variable, structure or element: ball.position[1]');
export const aliases = z.array(alias).min(1).describe('Paths of variables; each is answered once');
export const jsonValue = z
  .unknown()
  .describe(
    'Number, truth value, text, list or structure; "NaN", "Infinity" and "-Infinity" as text, 64-bit integers beyond 2^53 too',
  );
export const values = z
  .record(z.string(), jsonValue)
  .describe('A value for each alias; null while it cannot be reached');
export const simTime = z
  .object({
    sec_si: z.number().describe("What the simulation's clock shows, in SI seconds"),
    label: z.string().describe('Which clock that is: sim_elapsed, TAI, UTC ...'),
  })
  .describe('When the values were true');
const unitsText = z.string().min(1).describe('UDUNITS text: km/h');
export const units = z
  .union([unitsText, z.record(z.string(), unitsText)], {
    error: 'expected units as text, or an object of alias to units',
  })
  .optional()
  .describe('Units to convert from or to: for all aliases, or by alias');
export const cycleMillis = z
  .number()
  .min(0)
  .describe('Milliseconds of simulation time between messages, rounded up to whole ticks; 0 is every tick');
export const subscriptionId = z.string().describe('What var/subscribe answered');
export const nothing = z.null();
