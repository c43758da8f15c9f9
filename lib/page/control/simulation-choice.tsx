// Which of several simulations of the server the page shows: each has a page of its own.
import { useSignal } from '@preact/signals';
import type { Shipped, SimulationPlace } from '../data/first-calls.js';
import type { Server } from '../data/server.js';

interface Props {
  readonly server: Server;
  /** When the page was loaded. */
  readonly simulations: readonly SimulationPlace[];
}

export function SimulationChoice({ server, simulations }: Props) {
  const places = useSignal(simulations);
  if (simulations.length === 0) return null;
  // More may have come, which are asked for when somebody is about to choose.
  const look = async (): Promise<void> => {
    const answer = await fetch(server.linkTo('page.json')).catch(() => undefined);
    if (answer?.ok) places.value = ((await answer.json()) as Shipped).simulations ?? simulations;
  };
  return (
    <select
      class="field simulations"
      aria-label="Simulation"
      title="The simulation that this page shows, or all side by side"
      // A browser that comes back would show what was chosen, not what is shown.
      autocomplete="off"
      value={simulations.find(({ isShown }) => isShown)?.address}
      onPointerEnter={() => void look()}
      onFocus={() => void look()}
      onChange={({ currentTarget: { value } }) => location.assign(value)}
    >
      {places.value.map(({ name, address }) => (
        <option key={address} value={address}>
          {name}
        </option>
      ))}
    </select>
  );
}
