// Who is told of changes between frames: of the mode, of time that was set.
import { type FrameHeader, Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Source } from '../../source/source.js';

/**
 * Calls at each frame that shows something else than the frame before it, until the returned function is called.
 * @param of what is compared.
 */
export function onChange<Value>(
  source: Pick<Source, 'frame' | 'onFrame'>,
  of: (header: FrameHeader) => Value,
  changed: (frame: Frame, before: Value) => void,
): () => void {
  let last = of(source.frame.header);
  return source.onFrame((frame) => {
    const before = last;
    last = of(frame.header);
    if (last !== before) changed(frame, before);
  });
}

/** Calls when the simulation freezes, and when it runs again, whether or not it has stepped meanwhile. */
export function onFreeze(
  source: Pick<Source, 'frame' | 'onFrame'>,
  changed: (frame: Frame, isFrozen: boolean) => void,
): () => void {
  let wasFrozen = source.frame.header.mode === Mode.freeze;
  return onChange(
    source,
    ({ mode }) => mode,
    (frame) => {
      const { mode } = frame.header;
      const isFrozen = mode === Mode.freeze;
      if (isFrozen || (mode === Mode.run && wasFrozen)) changed(frame, isFrozen);
      if (mode === Mode.freeze || mode === Mode.run) wasFrozen = isFrozen;
    },
  );
}
