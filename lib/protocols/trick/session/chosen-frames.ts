// Which frames a list is copied from, and how often from each. Trick: VariableServerSession_copy_*.cpp
import { type FrameHeader, Reason } from '../../../model/frame/header.js';

/** Trick: VS_COPY_ASYNC, VS_COPY_SCHEDULED, VS_COPY_TOP_OF_FRAME */
export const CopyMode = { async: 0, scheduled: 1, topOfFrame: 2 } as const;

/** Copy mode 2 takes the frames whose counter divided by the multiple leaves the offset. */
export interface FramePick {
  readonly multiple: number;
  readonly offset: number;
  readonly freezeMultiple: number;
  readonly freezeOffset: number;
}

/** How many copies to make of a frame; more than one only in a freeze, whose frames are seconds apart. */
export function copiesDue(header: FrameHeader, copyMode: number, frames: FramePick, periodTics: number): number {
  if (header.reason === Reason.freeze) return freezeCopiesDue(header, copyMode, frames, periodTics);
  if (copyMode === CopyMode.scheduled)
    return header.reason === Reason.scheduled && header.timeTics % periodTics === 0 ? 1 : 0;
  return header.reason === Reason.tick && header.frameCount % frames.multiple === frames.offset ? 1 : 0;
}

/** Trick steps freeze time in whole freeze frames, so the copies of one frame come in a burst. */
function freezeCopiesDue(header: FrameHeader, copyMode: number, frames: FramePick, periodTics: number): number {
  const { freezeFrameCount, freezeTimeTics } = header;
  if (copyMode === CopyMode.topOfFrame) return freezeFrameCount % frames.freezeMultiple === frames.freezeOffset ? 1 : 0;
  const count = Math.max(1, freezeFrameCount);
  const before = freezeTimeTics - freezeTimeTics / count;
  return Math.min(1000, Math.floor(freezeTimeTics / periodTics) - Math.floor(before / periodTics));
}
