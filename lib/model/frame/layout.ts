// The parts of a frame in memory, one after another: its header, the map of the pages that it carries, its arena.
import { HEADER_BYTES } from './header.js';
import { PageMap, pagesOf } from './page-map.js';

/** Sizes and offsets in bytes, from the frame's start. */
export interface FrameLayout {
  /** 0 for a frame that carries the whole state. */
  readonly mapBytes: number;
  readonly arenaStart: number;
  readonly frameBytes: number;
}

/** The parts of a frame as views. */
export interface FrameParts {
  readonly header: DataView;
  /** The pages that the frame carries; undefined when it carries all. */
  readonly carried: PageMap | undefined;
  readonly arena: Uint8Array;
}

export function layoutFrame(arenaBytes: number, pageBytes: number): FrameLayout {
  const mapBytes = pagesOf(arenaBytes, pageBytes);
  const arenaStart = HEADER_BYTES + 8 * Math.ceil(mapBytes / 8);
  return { mapBytes, arenaStart, frameBytes: arenaStart + arenaBytes };
}

/** The parts of a frame that starts at `start`, for a state of that size. */
export function framePartsAt(
  buffer: ArrayBufferLike,
  start: number,
  arenaBytes: number,
  pageBytes: number,
): FrameParts {
  const { mapBytes, arenaStart } = layoutFrame(arenaBytes, pageBytes);
  return {
    header: new DataView(buffer, start, HEADER_BYTES),
    carried: mapBytes > 0 ? new PageMap(new Uint8Array(buffer, start + HEADER_BYTES, mapBytes), pageBytes) : undefined,
    arena: new Uint8Array(buffer, start + arenaStart, arenaBytes),
  };
}
