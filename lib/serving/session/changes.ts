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

/** Calls when the simulation freezes, and when it goes on. */
export function onFreeze(
  source: Pick<Source, 'frame' | 'onFrame'>,
  changed: (frame: Frame, isFrozen: boolean) => void,
): () => void {
  return onChange(
    source,
    ({ mode }) => mode,
    (frame, before) => {
      const { mode } = frame.header;
      if (mode === Mode.freeze) changed(frame, true);
      else if (mode === Mode.run && before === Mode.freeze) changed(frame, false);
    },
  );
}
