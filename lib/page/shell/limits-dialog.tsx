// The limits of variables: which there are, whether they hold now, and new ones.
import { useState } from 'preact/hooks';
import { NumberField } from '../panels/form/number-field.js';
import { sharedState } from '../panels/form/shared-limits.js';
import { LIMIT_NAMES, type Limits, limitsFault, limitsText } from '../panels/values/limits.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';
import { Icon } from '../widgets/icon.js';

interface Props {
  readonly state: PageState;
  onClose(): void;
}

export function LimitsDialog({ state, onClose }: Props) {
  const limits = state.limits.value;
  const [alias, setAlias] = useState('');
  const [draft, setDraft] = useState<Limits>({});
  const [fault, setFault] = useState<string>();
  const add = async (): Promise<void> => {
    try {
      const found = limitsFault(draft);
      if (found !== undefined) throw new Error(found);
      if (Object.values(draft).every((value) => value === undefined)) throw new Error('enter a limit at least');
      const facts = await state.server.facts(alias.trim());
      if (facts.kind === 'struct' || facts.kind === 'text' || facts.dim.length > 0)
        throw new Error(`${facts.alias} is not one number`);
      state.setLimits(facts.alias, draft);
      setFault(undefined);
      setAlias('');
      setDraft({});
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <DialogView title="Limits of variables" onClose={onClose}>
      <form
        class="limits-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label class="labelled">
          Variable
          <input
            class="field"
            value={alias}
            list="limits-variables"
            spellcheck={false}
            onInput={({ currentTarget }) => setAlias(currentTarget.value)}
          />
          <datalist id="limits-variables">
            {state.shownVariables.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
        <div class="limits-fields">
          {LIMIT_NAMES.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              value={draft[name]}
              onEnter={(value) => setDraft((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </div>
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" class="button primary">
          Set the limits
        </button>
      </form>
      <ul class="files" aria-label="Limits">
        {Object.entries(limits).map(([name, each]) => (
          <LimitRow key={name} state={state} alias={name} limits={each} />
        ))}
      </ul>
      <p class="quiet">
        In the variable's own units. They colour its cells in tables, its single values and its lines, and are part of
        the layout.
      </p>
    </DialogView>
  );
}

function LimitRow({ state, alias, limits }: { state: PageState; alias: string; limits: Limits }) {
  const now = sharedState(state, alias);
  return (
    <li class="row limit-row">
      <span class={`limit-state ${now}`}>{now}</span>
      <span class="limit-variable">{alias}</span>
      <span class="number quiet">{limitsText(limits)}</span>
      <button
        type="button"
        class="button tiny quiet"
        aria-label={`Remove the limits of ${alias}`}
        title="Remove"
        onClick={() => state.setLimits(alias, undefined)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
