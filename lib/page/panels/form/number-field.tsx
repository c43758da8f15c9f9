// A field for a number, which may be left empty. A text that is not a number is refused below it and changes nothing.
import { useState } from 'preact/hooks';
import { enteredValue, steppedText } from '../values/entered-value.js';

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly placeholder?: string;
  onEnter(value: number | undefined): void;
}

const DOUBLE = { kind: 'number', type_path: 'double' } as const;

export function NumberField({ label, value, placeholder, onEnter }: NumberFieldProps) {
  const [fault, setFault] = useState<string>();
  const enter = (text: string): void => {
    const entered = text.trim() === '' ? { value: undefined } : enteredValue(text, DOUBLE);
    const isNumber = 'value' in entered && (entered.value === undefined || typeof entered.value === 'number');
    setFault(isNumber ? undefined : 'fault' in entered ? entered.fault : 'expected a finite number');
    if (isNumber) onEnter(entered.value as number | undefined);
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
        value={value ?? ''}
        placeholder={placeholder ?? ''}
        aria-invalid={fault !== undefined}
        onKeyDown={step}
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
