// Where the parts of a frame lie, one after the other: its header, the map of the pages it carries, its arena.
import { HEADER_BYTES } from './header.js';
import { PageMap, pagesOf } from './page-map.js';

/** In bytes from the frame's start. */
export interface FrameLayout {
  /** 0 for a frame that carries the whole state. */
  readonly mapBytes: number;
  readonly arenaStart: number;
  readonly frameBytes: number;
}

/** A frame's parts as views. */
export interface FrameParts {
  readonly header: DataView;
  /** The pages that the frame carries; without one, it carries all. */
  readonly carried: PageMap | undefined;
  readonly arena: Uint8Array;
}

export function layoutFrame(arenaBytes: number): FrameLayout {
  const mapBytes = pagesOf(arenaBytes);
  const arenaStart = HEADER_BYTES + 8 * Math.ceil(mapBytes / 8);
  return { mapBytes, arenaStart, frameBytes: arenaStart + arenaBytes };
}

/** The parts of a frame of such a state that starts there. */
export function framePartsAt(buffer: ArrayBufferLike, start: number, arenaBytes: number): FrameParts {
  const { mapBytes, arenaStart } = layoutFrame(arenaBytes);
  return {
    header: new DataView(buffer, start, HEADER_BYTES),
    carried: mapBytes > 0 ? new PageMap(new Uint8Array(buffer, start + HEADER_BYTES, mapBytes)) : undefined,
    arena: new Uint8Array(buffer, start + arenaStart, arenaBytes),
  };
}
