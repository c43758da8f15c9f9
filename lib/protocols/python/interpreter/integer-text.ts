// Integers as text; the digits of long ones take long to find, so the block pays for them first.
import type { Meter } from './meter.js';

const LONG = 2n ** 256n;
/** Finding a thousand decimal digits takes as long as so many steps. */
const STEPS = 1000;

export function integerText(value: bigint, radix: number, meter: Meter): string {
  if (value > LONG || value < -LONG) meter.spend(STEPS);
  return value.toString(radix);
}
