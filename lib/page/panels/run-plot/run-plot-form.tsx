// The form behind the gear of a plot of runs: overlay or difference, what stands across, and how each run is drawn.
import { useState } from 'preact/hooks';
import { Check } from '../form/check.js';
import { useDraft } from '../form/draft.js';
import { NumberField } from '../form/number-field.js';
import type { RunName } from '../values/run-look.js';
import { baseOf, nameInRuns, type Run, runLabel } from './curves.js';
import { type RunPanel, runStateOf } from './run-state.js';

interface FormProps {
  readonly panel: RunPanel;
}

export function RunPlotForm({ panel }: FormProps) {
  const { runs, all: known } = runStateOf(panel);
  const all = runs.value;
  const { isDifference, base, x, lines } = panel.settings.value;
  const first = baseOf(runs.value, base);
  return (
    <div class="panel-form">
      {runs.value.length > 1 && (
        <>
          <Check label="Difference" isOn={isDifference} onFlip={(isOn) => panel.change({ isDifference: isOn })} />
          {isDifference && (
            <label class="labelled">
              Of this run and each other
              <select
                class="field"
                value={first?.run ?? ''}
                onChange={({ currentTarget }) => panel.change({ base: currentTarget.value })}
              >
                {runs.value.map((run) => (
                  <option key={run.run} value={run.run}>
                    {runLabel(run, all)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </>
      )}
      <TextField
        label="Across"
        placeholder="time"
        value={x ? (nameInRuns(x.alias, known.value) ?? x.alias) : ''}
        onEnter={(alias) => panel.change({ x: alias === '' ? undefined : { alias } })}
      />
      {runs.value.map((run) => (
        <RunForm
          key={run.run}
          panel={panel}
          run={run}
          all={all}
          suggested={nameInRuns(lines[0]?.alias ?? '', known.value) ?? ''}
        />
      ))}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** @param text without the blanks around it. */
  onEnter(text: string): void;
}

function TextField({ label, value, placeholder, onEnter }: TextFieldProps) {
  const draft = useDraft(value);
  return (
    <label class="labelled">
      {label}
      <input
        class="field"
        placeholder={placeholder}
        value={draft.text}
        onInput={({ currentTarget }) => draft.keep(currentTarget.value)}
        onChange={({ currentTarget }) => {
          draft.keep(undefined);
          onEnter(currentTarget.value.trim());
        }}
      />
    </label>
  );
}

interface RunProps extends FormProps {
  readonly run: Run;
  readonly all: readonly Run[];
  readonly suggested: string;
}

function RunForm({ panel, run, all, suggested }: RunProps) {
  const { shiftSeconds, names = [] } = panel.runs.value[run.run] ?? {};
  // Of what is known now: a form may be filled faster than it is drawn.
  const change = (of: (names: readonly RunName[]) => readonly RunName[]): void =>
    panel.changeRun(run.run, { names: of(panel.runs.peek()[run.run]?.names ?? []) });
  return (
    <fieldset>
      <legend>{runLabel(run, all)}</legend>
      <NumberField
        label="Seconds later"
        placeholder="0"
        value={shiftSeconds}
        onEnter={(seconds) => panel.changeRun(run.run, { shiftSeconds: seconds })}
      />
      {names.map((each) => (
        <Name
          key={each.name}
          name={each}
          onChange={(part) =>
            change((all) =>
              all.flatMap((other) => (other.name !== each.name ? other : part ? { ...other, ...part } : [])),
            )
          }
        />
      ))}
      <NewName
        suggested={suggested}
        onAdd={(name) => change((all) => [...all.filter((each) => each.name !== name.name), name])}
      />
    </fieldset>
  );
}

interface NameProps {
  readonly name: RunName;
  /** @param part what of it is changed; undefined to forget it. */
  onChange(part: Partial<RunName> | undefined): void;
}

/** A variable that is called otherwise in this run. */
function Name({ name, onChange }: NameProps) {
  return (
    <div class="run-name">
      <span>
        {name.name} is {name.there} here
      </span>
      <TextField
        label="in"
        placeholder="its units"
        value={name.units ?? ''}
        onEnter={(units) => onChange({ units: units || undefined })}
      />
      <NumberField label="times" placeholder="1" value={name.scale} onEnter={(scale) => onChange({ scale })} />
      <NumberField label="plus" placeholder="0" value={name.bias} onEnter={(bias) => onChange({ bias })} />
      <button
        type="button"
        class="button icon"
        aria-label={`Forget the name of ${name.name}`}
        onClick={() => onChange(undefined)}
      >
        ×
      </button>
    </div>
  );
}

function NewName({ suggested, onAdd }: { readonly suggested: string; onAdd(name: RunName): void }) {
  const [name, setName] = useState<string>();
  const [there, setThere] = useState('');
  const add = (): void => {
    const of = (name ?? suggested).trim();
    if (of === '' || there.trim() === '') return;
    onAdd({ name: of, there: there.trim() });
    setThere('');
  };
  return (
    <div class="run-name">
      <label class="labelled">
        Variable
        <input class="field" value={name ?? suggested} onInput={({ currentTarget: { value } }) => setName(value)} />
      </label>
      <label class="labelled">
        is called here
        <input class="field" value={there} onInput={({ currentTarget: { value } }) => setThere(value)} />
      </label>
      <button type="button" class="button" disabled={there.trim() === ''} onClick={add}>
        Add the name
      </button>
    </div>
  );
}
