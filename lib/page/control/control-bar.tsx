// The header: the simulation's state, and the buttons that steer it, each with its key.
import type { SimulationPlace } from '../data/first-calls.js';
import { RATES, type SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import { Icon } from '../widgets/icon.js';
import { IconButton } from '../widgets/icon-button.js';
import { Popover } from '../widgets/popover.js';
import { ModeView, PaceView } from './mode-view.js';
import { SimulationChoice } from './simulation-choice.js';

interface Props {
  readonly state: PageState;
  readonly control: SimulationControl;
}

interface BarProps extends Props {
  readonly simulations: readonly SimulationPlace[];
}

export function ControlBar({ state, control, simulations }: BarProps) {
  const { server } = state;
  return (
    <header class="bar">
      <IconButton
        icon="tree"
        label="Variables"
        title="Variables (v)"
        isPressed={state.isTreeShown.value}
        onClick={() => state.showTree(!state.isTreeShown.peek())}
      />
      <SimulationChoice server={server} simulations={simulations} />
      <ModeView server={server} />
      {server.may('control') && <Steering state={state} control={control} />}
      {server.session.value && !server.mayChange.value && (
        <span class="badge" title="this token may look at everything and change nothing">
          read-only
        </span>
      )}
      <PaceView server={server} />
      <span class="spring" />
      <PageButtons state={state} />
    </header>
  );
}

function Steering({ state, control }: Props) {
  const { server } = state;
  const mode = server.status.value?.mode;
  const isDisabled = server.state.value !== 'connected' || !mode || mode === 'exit' || mode === 'disconnected';
  const isRunning = mode === 'run';
  return (
    <fieldset class="steering" aria-label="Control of the simulation">
      <IconButton
        icon={isRunning ? 'freeze' : 'run'}
        label={isRunning ? 'Freeze' : 'Run'}
        title={isRunning ? 'Freeze (space)' : 'Run (space)'}
        word={isRunning ? 'Freeze' : 'Run'}
        class={`button run ${isRunning ? '' : 'primary'}`}
        isDisabled={isDisabled}
        onClick={() => void control.runOrFreeze()}
      />
      <span class="joined">
        <IconButton
          icon="step"
          label="Step"
          title="Run this many ticks, then freeze (s)"
          word="Step"
          class="button"
          isDisabled={isDisabled}
          onClick={() => void control.step()}
        />
        <input
          class="field number step-ticks"
          type="number"
          required
          min="1"
          max={Number.MAX_SAFE_INTEGER}
          step="1"
          aria-label="Ticks of a step"
          title="Ticks of a step"
          defaultValue={String(control.stepTicks.peek())}
          disabled={isDisabled}
          onChange={({ currentTarget }) => {
            // The browser says at the field what does not fit.
            if (currentTarget.reportValidity()) control.stepTicks.value = currentTarget.valueAsNumber;
          }}
        />
      </span>
      <RateView state={state} control={control} isDisabled={isDisabled} />
      <Popover label="Checkpoints and the end" isDisabled={isDisabled} face={<Icon name="more" />}>
        {(close) => <MoreSteering state={state} close={close} />}
      </Popover>
    </fieldset>
  );
}

function RateView({ state, control, isDisabled }: Props & { readonly isDisabled: boolean }) {
  const isFast = state.server.status.value?.clock_ratio === null;
  const rate = control.rate.value;
  return (
    <select
      class="field rate"
      aria-label="Rate"
      title="Simulation seconds in a second ([ and ]), or as fast as possible (r)"
      disabled={isDisabled}
      value={isFast ? 'fast' : String(rate)}
      onChange={({ currentTarget: { value } }) => {
        if (value === 'fast') void control.setRealTime(false);
        else void (isFast ? control.setRealTime(true) : Promise.resolve()).then(() => control.setRate(Number(value)));
      }}
    >
      {[...new Set([...RATES, rate])]
        .sort((one, other) => one - other)
        .map((offered) => (
          <option key={offered} value={String(offered)}>
            {offered}×
          </option>
        ))}
      <option value="fast">fastest</option>
    </select>
  );
}

function MoreSteering({ state, close }: { readonly state: PageState; readonly close: () => void }) {
  const open = (dialog: 'save-checkpoint' | 'load-checkpoint' | 'terminate') => () => {
    close();
    state.open(dialog);
  };
  const { server } = state;
  return (
    <div class="menu">
      {server.may('checkpoint') && server.has('sim/checkpoint') && (
        <button type="button" class="menu-item" onClick={open('save-checkpoint')}>
          <Icon name="save" /> Write a checkpoint… <kbd>c</kbd>
        </button>
      )}
      {server.may('checkpoint') && server.has('sim/load-checkpoint') && (
        <button type="button" class="menu-item" onClick={open('load-checkpoint')}>
          <Icon name="load" /> Load a checkpoint… <kbd>l</kbd>
        </button>
      )}
      <button type="button" class="menu-item danger" onClick={open('terminate')}>
        <Icon name="end" /> End the simulation… <kbd>x</kbd>
      </button>
    </div>
  );
}

function PageButtons({ state }: { readonly state: PageState }) {
  const isDark = state.isDark.value;
  return (
    <div class="page-buttons">
      <IconButton
        icon="plus"
        label="Add a panel"
        title="Add a panel (a)"
        word="Panel"
        class="button"
        onClick={() => state.open('panels')}
      />
      <IconButton icon="layouts" label="Layouts" title="Layouts (o)" onClick={() => state.open('layouts')} />
      <IconButton
        icon="limits"
        label="Limits of variables"
        title="Limits of variables (b)"
        class="button icon desk-only"
        onClick={() => state.open('limits')}
      />
      <IconButton
        icon="plug"
        label="Connect other programs"
        title="Lines to paste, for other programs (p)"
        class="button icon desk-only"
        onClick={() => state.open('connect')}
      />
      <IconButton
        icon="theme"
        label={isDark ? 'Light theme' : 'Dark theme'}
        title={`${isDark ? 'Light' : 'Dark'} theme (t)`}
        class="button icon desk-only"
        onClick={() => state.setTheme(isDark ? 'light' : 'dark')}
      />
      <IconButton icon="help" label="Keys and help" title="Keys and help (?)" onClick={() => state.open('help')} />
    </div>
  );
}
