// A value that is shown and can be set in place, with a click or Enter, by people who may change it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Server, Value, VariableFacts } from '../../data/server.js';
import { isSwitch, valueText } from '../values/value-text.js';
import { useFreshness } from './use-facts.js';
import { ValueEditor } from './value-editor.js';

export interface LiveValueProps {
  readonly server: Server;
  readonly alias: string;
  readonly facts: VariableFacts;
  readonly units: string | undefined;
  readonly digits: number;
  readonly value: Value | undefined;
}

export function LiveValue(props: LiveValueProps) {
  const { server, alias, facts, digits, value } = props;
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hasClosed = useRef(false);
  useLayoutEffect(() => {
    // Keeps the focus where the person has moved it meanwhile, for instance to the next editor.
    if (hasClosed.current && document.activeElement === document.body) button.current?.focus();
    hasClosed.current = false;
  }, [isEditing]);
  const text = valueText(value, facts, digits);
  const freshness = useFreshness(text) ? 'fresh' : '';
  const maySet = server.may('write') && facts.access !== 'read-only' && facts.kind !== 'struct';
  const kind = facts.kind === 'text' ? '' : 'number';
  if (!maySet) return <output class={`live-value ${kind} ${freshness}`}>{text}</output>;
  if (isSwitch(facts)) return <Switch {...props} freshness={freshness} />;
  if (isEditing) {
    const done = (): void => {
      hasClosed.current = true;
      setEditing(false);
    };
    return <ValueEditor {...props} onDone={done} onLeft={() => setEditing(false)} />;
  }
  return (
    <button
      ref={button}
      type="button"
      class={`live-value settable ${kind} ${freshness}`}
      aria-label={`${alias}: ${text}; set it`}
      onClick={() => setEditing(true)}
    >
      {text}
    </button>
  );
}

function Switch({ server, alias, value, freshness }: LiveValueProps & { readonly freshness: string }) {
  const [fault, setFault] = useState<string>();
  const isOn = Number(value) !== 0;
  const flip = (): void => {
    setFault(undefined);
    server.set(alias, !isOn).catch((error: Error) => setFault(error.message));
  };
  return (
    <span class={`live-value ${freshness}`}>
      <button type="button" role="switch" class="switch" aria-checked={isOn} aria-label={alias} onClick={flip} />
      <span class="switch-word">{isOn ? 'on' : 'off'}</span>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </span>
  );
}
