// A recording that clients can play: run and freeze, its rate, and a slider over all of its time.
import { PLAYBACK_RATES, type SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import type { Playback } from '../state/playback.js';
import { IconButton } from '../widgets/icon-button.js';
import { timeText } from './time-text.js';

interface Props {
  readonly state: PageState;
  readonly control: SimulationControl;
  readonly playback: Playback;
}

/** An arrow key moves the slider by one of these parts of the recording. */
const PARTS = 200;

/** Draws nothing for a simulation. */
export function PlaybackBar({ state, control, playback }: Props) {
  const reach = playback.reach.value;
  if (!reach) return null;
  const { server } = state;
  const isRunning = server.status.value?.mode === 'run';
  const isDisabled = server.state.value !== 'connected' || !server.may('playback');
  const { first_sec: first, last_sec: last } = reach;
  const rate = control.rate.value;
  const position = playback.position.value;
  const isAtEnd = position >= last;
  const run = isAtEnd ? 'Play again' : 'Play';
  return (
    <section class="playback" aria-label="Playback">
      <IconButton
        icon={isRunning ? 'freeze' : 'run'}
        label={isRunning ? 'Pause' : run}
        title={`${isRunning ? 'Pause' : run} (space)`}
        class={`button icon ${isRunning ? '' : 'primary'}`}
        isDisabled={isDisabled}
        onClick={() => void control.runOrFreeze()}
      />
      <IconButton
        icon="toStart"
        label="Back to the start"
        isDisabled={isDisabled}
        onClick={() => playback.seek(first)}
      />
      <span class="number playback-time">{timeText(position)} s</span>
      <input
        class="playback-slider"
        type="range"
        aria-label="Time of the recording"
        aria-valuetext={`${timeText(position)} of ${timeText(last)} s`}
        min={first}
        max={last}
        step="any"
        value={position}
        disabled={isDisabled}
        onKeyDown={(event) => {
          const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
          if (direction === undefined) return;
          event.preventDefault();
          playback.seek(position + (direction * (last - first)) / PARTS);
        }}
        onInput={({ currentTarget }) => playback.seek(currentTarget.valueAsNumber)}
      />
      <span class="number playback-time">{timeText(last)} s</span>
      <select
        class="field rate"
        aria-label="Rate"
        title="Seconds of the recording in a second, below 0 backwards ([ and ])"
        disabled={isDisabled}
        value={String(rate)}
        onChange={({ currentTarget }) => void control.setRate(Number(currentTarget.value))}
      >
        {[...new Set([...PLAYBACK_RATES, rate])]
          .sort((one, other) => one - other)
          .map((offered) => (
            <option key={offered} value={String(offered)}>
              {offered}×
            </option>
          ))}
      </select>
    </section>
  );
}
