// Starts a recording of the variables that people dropped on the panel.
import { useState } from 'preact/hooks';
import { NumberField } from '../form/number-field.js';
import type { PanelContext } from '../panel.js';
import { hasHistory } from '../plot/history-rows.js';
import { fileNameOf, saveFile } from '../plot/saved-file.js';
import { clockText } from '../values/number-text.js';
import { pastFile } from './past-file.js';
import type { RecordingsSettings } from './settings.js';

interface FormProps {
  readonly panel: PanelContext<RecordingsSettings>;
  onStart(params: object): void;
}

async function savePast({ server, settings, say }: FormProps['panel'], name: string): Promise<void> {
  try {
    const { text, since } = await pastFile(server, settings.peek().aliases);
    const file = fileNameOf(`${name}_past`, 'csv');
    saveFile(file, new Blob([text], { type: 'text/csv' }));
    say(`${file} has what was kept since ${clockText(since, 1)}`, 'done');
  } catch (error) {
    say((error as Error).message, 'error');
  }
}

export function RecordingForm({ panel, onStart }: FormProps) {
  const { aliases, cycleSeconds } = panel.settings.value;
  const [name, setName] = useState('page');
  const [format, setFormat] = useState('csv');
  const [isFromPast, setFromPast] = useState(false);
  const keptSeconds = hasHistory(panel.server) ? panel.server.session.peek()?.history_sec : undefined;
  const start = (event: Event): void => {
    event.preventDefault();
    const past = isFromPast && keptSeconds !== undefined ? { past_sec: keptSeconds } : {};
    onStart({ name, aliases, cycle_sec: cycleSeconds, format, ...past });
  };
  return (
    <form class="recording-form" onSubmit={start}>
      <div class="recording-variables">
        {aliases.length === 0 && <span class="note">Drop the variables to record here.</span>}
        {aliases.map((alias) => (
          <span class="chip" key={alias}>
            {alias}
            <button
              type="button"
              aria-label={`Do not record ${alias}`}
              onClick={() => panel.change({ aliases: aliases.filter((each) => each !== alias) })}
            >
              ×
            </button>
          </span>
        ))}
      </div>
      <div class="recording-fields">
        <label class="number-field">
          <span>Name</span>
          <input class="field" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <NumberField
          label="Every (s)"
          value={cycleSeconds}
          onEnter={(seconds) => seconds !== undefined && seconds > 0 && panel.change({ cycleSeconds: seconds })}
        />
        <label class="number-field">
          <span>Format</span>
          <select class="field" value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value)}>
            <option value="csv">CSV</option>
            <option value="trk">Trick’s .trk</option>
          </select>
        </label>
        {keptSeconds !== undefined && (
          <label class="toggle" title="The file begins with what the server remembers of these variables">
            <input
              type="checkbox"
              checked={isFromPast}
              onChange={({ currentTarget }) => setFromPast(currentTarget.checked)}
            />
            Begin with the past
          </label>
        )}
        {keptSeconds !== undefined && (
          <button
            type="button"
            class="button"
            title="What the server remembers of these variables, as CSV"
            disabled={aliases.length === 0}
            onClick={() => void savePast(panel, name)}
          >
            Save the past
          </button>
        )}
        <button type="submit" class="button primary" disabled={aliases.length === 0 || name.trim() === ''}>
          Record
        </button>
      </div>
    </form>
  );
}
