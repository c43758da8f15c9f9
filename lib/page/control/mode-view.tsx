// The part of the header that is always in sight: the simulation's name, mode, time and pace.
import type { Server } from '../data/server.js';
import { MODE_WORDS, PACE } from '../state/control.js';
import { timeText } from './time-text.js';

interface Props {
  readonly server: Server;
}

export function ModeView({ server }: Props) {
  const status = server.status.value;
  const state = server.state.value;
  const mode = status?.mode;
  const isLost = state === 'lost' || state === 'closed';
  const isOld = isLost || (state === 'connected' && server.isStale.value);
  const oldWord = isLost ? 'Connection lost' : 'No answer';
  const word = mode === undefined ? 'Connecting' : isOld ? oldWord : MODE_WORDS[mode];
  return (
    <div class="status">
      <h1 class="sim-name">{status?.name ?? 'varwire'}</h1>
      {status?.what && <span class="sim-what">{status.what}</span>}
      <output class={`mode mode-${isOld ? 'lost' : (mode ?? 'none')}`} aria-label="mode" id="mode">
        <span class="mode-dot" aria-hidden="true" />
        {word}
        {!isOld && status?.age_sec !== undefined && ` · values are ${ageText(status.age_sec)} old`}
      </output>
      <TimeView server={server} />
    </div>
  );
}

const ageText = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

function TimeView({ server }: Props) {
  const status = server.status.value;
  const seconds = server.time.value;
  if (!status || seconds === undefined) return null;
  const label = status.sim_time.label === 'sim_elapsed' ? 'simulation time' : status.sim_time.label;
  return (
    <div class={`time ${server.isStale.value ? 'stale' : ''}`}>
      <span class="number" id="time" role="timer" aria-live="off" aria-label={label}>
        {timeText(seconds)}
      </span>
      <span class="time-unit">s</span>
    </div>
  );
}

/** How the simulation keeps pace, where it says so. */
export function PaceView({ server }: Props) {
  const ratio = server.reading(PACE.ratio).value?.value;
  const overruns = server.reading(PACE.overruns).value?.value;
  return (
    <dl class="pace">
      {typeof ratio === 'number' && (
        <div title="simulation seconds that passed in a second">
          <dt>pace</dt>
          <dd class="number">{ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2)}×</dd>
        </div>
      )}
      {typeof overruns === 'number' && (
        <div title="ticks that took longer than their time" class={overruns > 0 ? 'has-overruns' : ''}>
          <dt>overruns</dt>
          <dd class="number">{overruns}</dd>
        </div>
      )}
    </dl>
  );
}
