// A field for a number, which may be left empty. A text that is not a number is refused below it and changes nothing.
import { useState } from 'preact/hooks';
import { type Entered, enteredValue, steppedText } from '../values/entered-value.js';
import { useDraft } from './draft.js';

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly least?: number;
  readonly most?: number;
  onEnter(value: number | undefined): void;
}

const DOUBLE = { kind: 'number', type_path: 'double' } as const;

export function NumberField(props: NumberFieldProps) {
  const { label, value, placeholder, onEnter } = props;
  const [fault, setFault] = useState<string>();
  const draft = useDraft(`${value ?? ''}`);
  const enter = (text: string): void => {
    const entered = text.trim() === '' ? undefined : enteredValue(text, DOUBLE);
    const found = entered && faultOf(entered, props);
    setFault(found);
    draft.keep(found === undefined ? undefined : text);
    if (found === undefined) onEnter(entered && 'value' in entered ? (entered.value as number) : undefined);
  };
  const step = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const stepped = steps === undefined ? undefined : steppedText(event.currentTarget.value, steps);
    if (stepped === undefined) return;
    event.preventDefault();
    event.currentTarget.value = stepped;
    enter(stepped);
  };
  return (
    <label class="number-field">
      <span>{label}</span>
      <input
        class="field number"
        inputMode="decimal"
        value={draft.text}
        placeholder={placeholder ?? ''}
        aria-invalid={fault !== undefined}
        onKeyDown={step}
        onInput={({ currentTarget }) => draft.keep(currentTarget.value)}
        onChange={({ currentTarget }) => enter(currentTarget.value)}
      />
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </label>
  );
}

function faultOf(entered: Entered, { least = -Infinity, most = Infinity }: NumberFieldProps): string | undefined {
  if ('fault' in entered) return entered.fault;
  if (entered.units !== undefined) return `expected a number, without ${entered.units}`;
  if (typeof entered.value !== 'number') return 'expected a finite number';
  return entered.value < least || entered.value > most ? `expected a number from ${least} to ${most}` : undefined;
}
