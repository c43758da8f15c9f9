// A new event: its name, what it waits for, what it does.
import { useState } from 'preact/hooks';
import { useFocus } from '../../widgets/use-focus.js';
import { NumberField } from '../form/number-field.js';
import type { PanelContext } from '../panel.js';
import { textOfNewEvent } from './new-event.js';

interface FormProps {
  readonly panel: PanelContext;
  onMade(): void;
}

interface Answer {
  readonly ok: boolean;
  readonly output: readonly { readonly stream: string; readonly text: string }[];
}

/** Rejects with what the language says against a text. */
async function run({ server }: PanelContext, text: string): Promise<void> {
  const { ok, output } = await server.call<Answer>('trick/run', { text });
  const said = output.filter(({ stream }) => stream === 'stderr').map(({ text: line }) => line);
  if (!ok || said.length > 0) throw new Error(said.join('').trim() || 'the event was refused');
}

const EMPTY = { name: '', condition: '', action: '', cycleSeconds: undefined as number | undefined };

export function EventForm({ panel, onMade }: FormProps) {
  const name = useFocus<HTMLInputElement>();
  const [draft, setDraft] = useState(EMPTY);
  const [fault, setFault] = useState<string>();
  const change = (part: Partial<typeof EMPTY>): void => setDraft((before) => ({ ...before, ...part }));
  const make = async (): Promise<void> => {
    try {
      const text = textOfNewEvent(draft);
      // An event is not refused for a condition that has no value; it would fail later, and in the log.
      await run(panel, draft.condition.trim());
      await run(panel, text);
      setFault(undefined);
      panel.say(`the event ${draft.name.trim()} waits`, 'done');
      setDraft(EMPTY);
      onMade();
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <form
      class="event-form"
      aria-label="New event"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <label class="labelled">
        Name
        <input
          class="field"
          ref={name}
          value={draft.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        Condition
        <input
          class="field"
          placeholder="ball.position[1] > 5"
          spellcheck={false}
          value={draft.condition}
          onInput={({ currentTarget }) => change({ condition: currentTarget.value })}
        />
      </label>
      <label class="labelled">
        Action
        <textarea
          class="field"
          rows={2}
          placeholder="trick.freeze()"
          spellcheck={false}
          value={draft.action}
          onInput={({ currentTarget }) => change({ action: currentTarget.value })}
        />
      </label>
      <NumberField
        label="Cycle (s)"
        placeholder="usual"
        least={0}
        value={draft.cycleSeconds}
        onEnter={(cycleSeconds) => change({ cycleSeconds })}
      />
      <button type="submit" class="button primary">
        Make the event
      </button>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
