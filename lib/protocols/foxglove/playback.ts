// Playback of a source that can be played: its state, and what the app's bar asks for.
import { Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Source } from '../../source/source.js';
import { nanosecondsOf, PlaybackStatus, playbackMessage, secondsOf } from './binary.js';
import type { Call } from './services.js';

export interface PlaybackRequest {
  /** 0 plays, 1 pauses. */
  readonly command: number;
  readonly speed: number;
  readonly seekTo: bigint | undefined;
}

/** The calls that carry a request out, in their order. */
export function playbackCalls({ command, speed, seekTo }: PlaybackRequest, { frame }: Pick<Source, 'frame'>): Call[] {
  const calls: Call[] = [];
  const control = (params: object): number => calls.push({ method: 'sim/control', params });
  if (seekTo !== undefined) calls.push({ method: 'sim/seek', params: { to_sec: secondsOf(seekTo) } });
  if (Number.isFinite(speed) && speed > 0 && speed !== frame.header.clockRatio)
    control({ action: 'clock_ratio', ratio: speed });
  control({ action: command === 0 ? 'run' : 'freeze' });
  return calls;
}

/** The state of a frame as a message. */
export function playbackState(source: Source, frame: Frame, requestId = '', didSeek = false): Uint8Array {
  return playbackMessage({
    status: statusOf(source, frame),
    nanoseconds: nanosecondsOf(frame.timeSeconds),
    speed: frame.header.clockRatio,
    didSeek,
    requestId,
  });
}

export function statusOf({ playback }: Pick<Source, 'playback'>, { header, timeSeconds }: Frame): number {
  if (header.mode === Mode.run) return PlaybackStatus.playing;
  return timeSeconds >= (playback?.lastSeconds ?? Number.POSITIVE_INFINITY)
    ? PlaybackStatus.ended
    : PlaybackStatus.paused;
}
