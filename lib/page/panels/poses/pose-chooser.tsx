// A choice of one pose by its name.
import type { Pose } from './poses.js';

interface PoseChooserProps {
  /** For screen readers. */
  readonly label: string;
  readonly look: 'field' | 'unit-chooser';
  readonly poses: readonly Pose[];
  readonly chosen: string;
  /** Words of what else can be chosen, by what it is called in the settings. */
  readonly others?: Readonly<Record<string, string>>;
  onChoose(name: string): void;
}

export const PoseChooser = ({ label, look, poses, chosen, others = {}, onChoose }: PoseChooserProps) => (
  <select
    class={look}
    aria-label={label}
    title={label}
    value={chosen}
    onChange={({ currentTarget }) => onChoose(currentTarget.value)}
  >
    {[...Object.entries(others), ...poses.map(({ name }) => [name, name] as const)].map(([name, words]) => (
      <option key={name} value={name}>
        {words}
      </option>
    ))}
  </select>
);
