// The simulation's events: which there are, when they fire, and what a person lets them do.
import { useState } from 'preact/hooks';
import type { PanelContext, PanelKind, PanelSettings } from '../panel.js';
import { type Polled, usePolled } from '../polling/polled.js';
import { EventForm } from './event-form.js';
import { countText, type EventMode, nameOf, type SimEvent, stateText } from './event-row.js';

interface ViewProps {
  readonly panel: PanelContext;
}

interface EventList {
  readonly ticker: number;
  readonly events: readonly SimEvent[];
}

const POLL_MILLIS = 500;
const MODES: readonly EventMode[] = ['auto', 'on', 'off'];

function EventsView({ panel }: ViewProps) {
  const polled = usePolled<EventList>(panel, 'event/list', POLL_MILLIS);
  const events = polled.answer?.events ?? [];
  if (polled.fault !== undefined && !polled.answer) return <p class="empty error">{polled.fault}</p>;
  return (
    <div class={`events ${panel.server.isStale.value ? 'stale' : ''}`}>
      <NewEvent panel={panel} polled={polled} />
      {events.length === 0 ? (
        <p class="empty">This simulation has no events.</p>
      ) : (
        <EventTable {...{ panel, polled, events }} />
      )}
    </div>
  );
}

interface PolledProps extends ViewProps {
  readonly polled: Polled<EventList>;
}

/** For those who may change the simulation. */
function NewEvent({ panel, polled }: PolledProps) {
  const [isOpen, setOpen] = useState(false);
  if (!panel.server.mayChange.value || !panel.server.has('trick/run')) return null;
  return (
    <>
      <div class="events-bar">
        <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          New event
        </button>
      </div>
      {isOpen && <EventForm panel={panel} onMade={polled.again} />}
    </>
  );
}

function EventTable({ panel, polled, events }: PolledProps & { readonly events: readonly SimEvent[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">State</th>
          <th scope="col">Fired</th>
          <th scope="col" class="wide-only">
            Ran
          </th>
          <th scope="col">Mode</th>
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.name} panel={panel} event={event} polled={polled} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends ViewProps {
  readonly event: SimEvent;
  readonly polled: Polled<EventList>;
}

function EventRow({ panel, event, polled }: RowProps) {
  const { name } = event;
  const { server } = panel;
  const [isOpen, setOpen] = useState(false);
  const [fault, setFault] = useState<string>();
  const mayChange = server.mayChange.value;
  const ask = (method: string, params: object): void => {
    setFault(undefined);
    server.call(method, { name, ...params }).then(polled.again, (error: Error) => setFault(error.message));
  };
  const state = stateText(event);
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" class="event-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}
          </button>
        </th>
        <td>
          <span class={`event-state ${state.startsWith('active') ? 'on' : ''}`}>{state}</span>
        </td>
        <td class="number">{countText(event.fired_count, event.fired_sec)}</td>
        <td class="number wide-only">{countText(event.ran_count, event.ran_sec)}</td>
        <td>
          <select
            class="unit-chooser"
            aria-label={`Mode of ${name}`}
            disabled={!mayChange}
            value={event.mode}
            onChange={({ currentTarget }) => ask('event/mode', { mode: currentTarget.value })}
          >
            {MODES.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </td>
        <td class="event-buttons">
          {mayChange && (
            <>
              <button type="button" class="button" aria-label={`Fire ${name}`} onClick={() => ask('event/fire', {})}>
                Fire
              </button>
              <button
                type="button"
                class="button"
                aria-label={`${event.active ? 'Deactivate' : 'Activate'} ${name}`}
                onClick={() => ask('event/active', { active: !event.active })}
              >
                {event.active ? 'Deactivate' : 'Activate'}
              </button>
            </>
          )}
        </td>
      </tr>
      {fault !== undefined && (
        <tr>
          <td colSpan={6} class="fault" role="alert">
            {fault}
          </td>
        </tr>
      )}
      {isOpen && (
        <tr class="event-parts">
          <td colSpan={6}>
            <Parts event={event} mayChange={mayChange} onAsk={ask} />
          </td>
        </tr>
      )}
    </>
  );
}

interface PartsProps {
  readonly event: SimEvent;
  readonly mayChange: boolean;
  onAsk(method: string, params: object): void;
}

function Parts({ event: { conditions, actions, needs_all, cycle_sec }, mayChange, onAsk }: PartsProps) {
  return (
    <>
      <p class="note">
        Looked at every {cycle_sec} s; fires when {needs_all ? 'all conditions hold' : 'a condition holds'}.
      </p>
      <ul>
        {conditions.map((condition, index) => (
          <li key={index} class={condition.fired ? 'holds' : ''} title={condition.text}>
            <Toggle
              label={nameOf(condition)}
              isOn={condition.enabled}
              mayChange={mayChange}
              onFlip={(enabled) => onAsk('event/condition', { index, enabled })}
            />
            <Toggle
              label="hold"
              isOn={condition.hold}
              mayChange={mayChange}
              onFlip={(hold) => onAsk('event/condition', { index, hold })}
            />
            <span class="number">{countText(condition.fired_count, condition.fired_sec)}</span>
          </li>
        ))}
        {actions.map((action, index) => (
          <li key={`action ${index}`} title={action.text}>
            <Toggle
              label={`→ ${nameOf(action)}`}
              isOn={action.enabled}
              mayChange={mayChange}
              onFlip={(enabled) => onAsk('event/action', { index, enabled })}
            />
            <span class="number">{countText(action.ran_count, action.ran_sec)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly mayChange: boolean;
  onFlip(isOn: boolean): void;
}

const Toggle = ({ label, isOn, mayChange, onFlip }: ToggleProps) => (
  <label class="toggle">
    <input
      type="checkbox"
      checked={isOn}
      disabled={!mayChange}
      onChange={({ currentTarget }) => onFlip(currentTarget.checked)}
    />
    {label}
  </label>
);

export const events: PanelKind<PanelSettings> = {
  type: 'events',
  name: 'Events',
  about: 'Events: what they wait for, when they fired; fire or stop them.',
  icon: 'M9 2L4 9h4l-1 5 5-7H8z',
  size: { columns: 12, rows: 7 },
  leastSize: { columns: 6, rows: 3 },
  settings: () => ({}),
  title: () => 'Events',
  isOffered: (server) => server.has('event/list'),
  View: EventsView,
};
