// Sets a value where it stands, with the editor of its type; a refusal is said there, in the server's words.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Json, Server, Value, VariableFacts } from '../../data/server.js';
import { useFocus } from '../../widgets/use-focus.js';
import { enteredValue, steppedText } from '../values/entered-value.js';

export interface ValueEditorProps {
  readonly server: Server;
  /** The variable, or an element of it. */
  readonly alias: string;
  readonly facts: VariableFacts;
  readonly units: string | undefined;
  readonly value: Value | undefined;
  /** Called when the value is set, or when the person gives up. */
  onDone(): void;
  /** Called when the person goes to another part of the page, which then takes the focus. */
  onLeft(): void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { server, alias, units, onDone } = props;
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isOver = useRef(false);
  useLayoutEffect(
    () => () => {
      isOver.current = true;
    },
    [],
  );
  const set = (value: Json, typedUnits?: string): void => {
    setBusy(true);
    setFault(undefined);
    // An editor that was left meanwhile must not close the next one.
    server.set(alias, value, typedUnits ?? units).then(
      () => isOver.current || onDone(),
      (error: Error) => {
        setBusy(false);
        setFault(error.message);
      },
    );
  };
  const faultId = `fault-${alias}`;
  const shared = { ...props, set, setFault, isBusy, faultId: fault === undefined ? undefined : faultId };
  return (
    <span class="value-editor">
      {props.facts.kind === 'enumeration' ? <LabelEditor {...shared} /> : <TextEditor {...shared} />}
      {fault !== undefined && (
        <span class="fault" role="alert" id={faultId}>
          {fault}
        </span>
      )}
    </span>
  );
}

interface EditorProps extends ValueEditorProps {
  set(value: Json, typedUnits?: string): void;
  setFault(fault: string | undefined): void;
  readonly isBusy: boolean;
  readonly faultId: string | undefined;
}

function LabelEditor({ alias, facts, value, set, onDone, onLeft, isBusy, faultId }: EditorProps) {
  const element = useFocus<HTMLSelectElement>();
  // The field loses the focus while it waits for the server, so it gets it back.
  useLayoutEffect(() => {
    if (faultId !== undefined) element.current?.focus();
  }, [element, faultId]);
  const labels = facts.labels ?? {};
  const current = Object.keys(labels).find((label) => labels[label] === Number(value));
  return (
    <select
      ref={element}
      class="field"
      aria-label={`New value of ${alias}`}
      aria-describedby={faultId}
      disabled={isBusy}
      value={current ?? ''}
      onKeyDown={(event) => event.key === 'Escape' && leave(event, onDone)}
      onBlur={(event) => faultId === undefined && !isBusy && !isWindowLeft(event) && onLeft()}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      {current === undefined && <option value="">{String(value ?? '–')}</option>}
      {Object.keys(labels).map((label) => (
        <option key={label} value={label}>
          {label}
        </option>
      ))}
    </select>
  );
}

function TextEditor({ alias, facts, units, value, set, setFault, onDone, onLeft, isBusy, faultId }: EditorProps) {
  const element = useFocus<HTMLInputElement>();
  useLayoutEffect(() => element.current?.select(), []);
  // Keeps the first value, because a changing value must not replace what is selected or typed.
  const first = useRef(value).current;
  const commit = (text: string): void => {
    if (isBusy) return;
    const entered = enteredValue(text, facts, units !== undefined);
    if ('fault' in entered) setFault(entered.fault);
    else set(entered.value, entered.units);
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    if (event.key === 'Enter') commit(event.currentTarget.value);
    if (event.key === 'Escape') leave(event, onDone);
    if (facts.kind !== 'text') step(event);
    event.stopPropagation();
  };
  return (
    <input
      ref={element}
      class={`field ${facts.kind === 'text' ? '' : 'number'}`}
      aria-label={`New value of ${alias}`}
      aria-describedby={faultId}
      aria-invalid={faultId !== undefined}
      defaultValue={first === null || first === undefined ? '' : String(first)}
      inputMode={facts.kind === 'text' ? 'text' : 'decimal'}
      readOnly={isBusy}
      spellcheck={false}
      onKeyDown={onKeyDown}
      onBlur={(event) => faultId === undefined && !isBusy && !isWindowLeft(event) && onLeft()}
    />
  );
}

/** Whether the person has gone to another window: the field has the focus again when they come back. */
const isWindowLeft = ({ currentTarget }: FocusEvent): boolean => document.activeElement === currentTarget;

function leave(event: KeyboardEvent, onDone: () => void): void {
  event.stopPropagation();
  onDone();
}

/** The arrows change the last digit, with shift ten times as much. */
function step(event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (direction === undefined) return;
  const stepped = steppedText(event.currentTarget.value, direction * (event.shiftKey ? 10 : 1));
  if (stepped === undefined) return;
  event.preventDefault();
  event.currentTarget.value = stepped;
}
