// Which of several simulations of the server the page shows: each has a page of its own.
import type { SimulationPlace } from '../data/first-calls.js';

export function SimulationChoice({ simulations }: { readonly simulations: readonly SimulationPlace[] }) {
  if (simulations.length === 0) return null;
  return (
    <select
      class="field simulations"
      aria-label="Simulation"
      title="The simulation that this page shows, or all side by side"
      // A browser that comes back would show what was chosen, not what is shown.
      autocomplete="off"
      value={simulations.find(({ isShown }) => isShown)?.address}
      onChange={({ currentTarget: { value } }) => location.assign(value)}
    >
      {simulations.map(({ name, address }) => (
        <option key={address} value={address}>
          {name}
        </option>
      ))}
    </select>
  );
}
