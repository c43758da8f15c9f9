// The functions of the model: a form for each, with units and kinds, and what it answered.
import { useState } from 'preact/hooks';
import type { Json } from '../../data/server.js';
import type { PanelContext, PanelKind, PanelSettings } from '../panel.js';
import { usePolled } from '../polling/polled.js';
import { valueText } from '../values/value-text.js';
import { enteredArguments, isText, isYesOrNo, type Parameter } from './arguments.js';

interface Callable {
  readonly name: string;
  readonly about: string;
  readonly takes?: readonly Parameter[];
  readonly gives?: Omit<Parameter, 'name'>;
}

interface ViewProps {
  readonly panel: PanelContext;
}

/** They change only when the simulation declares others. */
const POLL_MILLIS = 5000;

function FunctionsView({ panel }: ViewProps) {
  const { answer, fault } = usePolled<readonly Callable[]>(panel, 'sim/functions', POLL_MILLIS);
  if (!answer) return <p class={`empty ${fault ? 'error' : ''}`}>{fault ?? 'Asking for the functions.'}</p>;
  if (answer.length === 0) return <p class="empty">This simulation has no functions.</p>;
  return (
    <div class="functions">
      {answer.map((callable) => (
        <FunctionForm key={callable.name} panel={panel} callable={callable} />
      ))}
    </div>
  );
}

interface Outcome {
  readonly text: string;
  readonly isFault: boolean;
}

function FunctionForm({ panel, callable }: ViewProps & { readonly callable: Callable }) {
  const { name, about, takes = [], gives } = callable;
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [outcome, setOutcome] = useState<Outcome>();
  const mayCall = panel.server.may('call');
  const call = async (): Promise<void> => {
    const entered = enteredArguments(takes, withSwitches(takes, texts));
    setFaults('faults' in entered ? entered.faults : {});
    setOutcome(undefined);
    if ('faults' in entered) return;
    try {
      const question = callable.takes ? { name, ...entered } : { name };
      const { value } = await panel.server.call<{ readonly value: Json }>('sim/call', question);
      setOutcome({ text: gives || value !== null ? resultText(value, gives) : 'done', isFault: false });
    } catch (error) {
      setOutcome({ text: (error as Error).message, isFault: true });
    }
  };
  return (
    <form
      class="function"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        void call();
      }}
    >
      <p class="function-head">
        <b>{name}</b> {about && <span class="quiet">{about}</span>}
      </p>
      <div class="function-fields">
        {takes.map((parameter) => (
          <Field
            key={parameter.name}
            parameter={parameter}
            text={texts[parameter.name] ?? ''}
            fault={faults[parameter.name]}
            onType={(text) => setTexts((before) => ({ ...before, [parameter.name]: text }))}
          />
        ))}
        <button type="submit" class="button" disabled={!mayCall} aria-label={`Call ${name}`}>
          Call
        </button>
        {outcome && (
          <output class={outcome.isFault ? 'fault' : 'number'} role={outcome.isFault ? 'alert' : 'status'}>
            {outcome.text}
          </output>
        )}
      </div>
    </form>
  );
}

const withSwitches = (takes: readonly Parameter[], texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(takes.map((each) => [each.name, texts[each.name] ?? (isYesOrNo(each) ? 'off' : '')]));

function resultText(value: Json, gives: Callable['gives']): string {
  const { type = 'double', unit = '1' } = gives ?? {};
  const text = valueText(value, {
    kind: typeof value === 'string' && isText({ ...NAMELESS, type }) ? 'text' : 'number',
    type_path: type,
  });
  return unit === '1' ? text : `${text} ${unit}`;
}

const NAMELESS: Parameter = { name: '', type: '', unit: '1', dim: [], about: '' };

interface FieldProps {
  readonly parameter: Parameter;
  readonly text: string;
  readonly fault: string | undefined;
  onType(text: string): void;
}

function Field({ parameter, text, fault, onType }: FieldProps) {
  const { name, type, unit, dim, about } = parameter;
  const kind = `${type}${dim.map((extent) => `[${extent || ''}]`).join('')}`;
  const title = about ? `${kind}: ${about}` : kind;
  if (isYesOrNo(parameter)) {
    return (
      <label class="check" title={title}>
        <input
          type="checkbox"
          checked={text === 'on'}
          onChange={({ currentTarget }) => onType(currentTarget.checked ? 'on' : 'off')}
        />
        {name}
      </label>
    );
  }
  return (
    <label class="number-field" title={title}>
      <span>
        {name} <span class="quiet">{unit === '1' ? kind : unit}</span>
      </span>
      <input
        class={`field ${isText(parameter) ? '' : 'number'}`}
        value={text}
        spellcheck={false}
        aria-invalid={fault !== undefined}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </label>
  );
}

export const functions: PanelKind<PanelSettings> = {
  type: 'functions',
  name: 'Functions',
  about: 'Functions of the model: fill in a form, and call.',
  icon: 'M10.5 3.5c-2-1-3 .5-3 2.500v5c0 2-1 3-3 2M5 7.500h5',
  size: { columns: 12, rows: 7 },
  leastSize: { columns: 6, rows: 3 },
  settings: () => ({}),
  title: () => 'Functions',
  isOffered: (server) => server.has('sim/functions'),
  View: FunctionsView,
};
