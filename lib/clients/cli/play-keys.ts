// Keys in a terminal that play a recording: `varwire play --keys`.
import { emitKeypressEvents } from 'node:readline';
import type { Source } from '../../index.js';
import { modeName } from '../trick/index.js';

/** What a terminal gives; a part of `process.stdin`. */
export interface KeyInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  unref?(): unknown;
}

type Control = Extract<Parameters<Source['submit']>[0], { readonly kind: 'control' }>['control'];

interface Keypress {
  readonly name?: string;
  readonly ctrl?: boolean;
}

export const KEYS_HELP =
  'space plays and pauses, right and left step, up and down change the rate, r turns back, Home and End go to the ends, q ends';

const [MOST_RATE, LEAST_RATE] = [1000, 0.001];

/** @param end called by q and Ctrl-C. The returned function gives the keys back. */
export function playByKeys(input: KeyInput, out: { write(text: string): unknown }, source: Source, end: () => void) {
  const act = async (name: string | undefined): Promise<void> => {
    const control = controlOf(name, source);
    if (!control) return;
    await source.submit({ kind: 'control', control });
    out.write(`\r${lineOf(source)}\x1b[K`);
  };
  let before = Promise.resolve();
  const onKey = (_: unknown, key: Keypress = {}): void => {
    if (key.name === 'q' || (key.ctrl && key.name === 'c')) end();
    // In the order in which they were pressed.
    else before = before.then(() => act(key.name)).catch((error: Error) => void out.write(`\r${error.message}\x1b[K`));
  };
  emitKeypressEvents(input);
  input.setRawMode?.(true);
  input.on('keypress', onKey);
  input.resume();
  return () => {
    input.off('keypress', onKey);
    input.setRawMode?.(false);
    input.pause();
    out.write('\n');
  };
}

function controlOf(name: string | undefined, source: Source): Control | undefined {
  const { mode, clockRatio } = source.frame.header;
  const { firstSeconds = 0, lastSeconds = 0 } = source.playback ?? {};
  switch (name) {
    case 'space':
      return { action: modeName(mode) === 'freeze' ? 'run' : 'freeze' };
    case 'right':
    case 'left':
      return { action: 'step', frames: name === 'right' ? 1 : -1 };
    case 'up':
    case 'down':
    case 'r':
      return { action: 'clock-ratio', ratio: rateAfter(name, clockRatio) };
    case 'home':
    case 'end':
      return { action: 'seek', toSeconds: name === 'home' ? firstSeconds : lastSeconds };
    default:
      return undefined;
  }
}

function lineOf({ frame, playback }: Source): string {
  const { mode, clockRatio } = frame.header;
  return `${modeName(mode)} at ${+frame.timeSeconds.toFixed(6)} of ${playback?.lastSeconds} s, ${+clockRatio.toPrecision(6)} times as fast`;
}

const rateAfter = (name: 'up' | 'down' | 'r', rate: number): number => {
  if (name === 'r') return -rate;
  const size = Math.abs(rate) * (name === 'up' ? 2 : 0.5);
  return Math.sign(rate) * Math.min(MOST_RATE, Math.max(LEAST_RATE, size));
};
