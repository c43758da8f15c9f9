// Events as the list shows them.
import { clockText } from '../values/number-text.js';

export interface EventCondition {
  readonly comment: string;
  readonly text: string;
  readonly enabled: boolean;
  readonly hold: boolean;
  readonly fired: boolean;
  readonly fired_count: number;
  readonly fired_sec: number | null;
}

export interface EventAction {
  readonly comment: string;
  readonly text: string;
  readonly enabled: boolean;
  readonly ran: boolean;
  readonly ran_count: number;
  readonly ran_sec: number | null;
}

export type EventMode = 'auto' | 'on' | 'off';

export interface SimEvent {
  readonly name: string;
  readonly active: boolean;
  readonly added: boolean;
  readonly mode: EventMode;
  readonly cycle_sec: number;
  readonly needs_all: boolean;
  readonly fired_count: number;
  readonly fired_sec: number | null;
  readonly ran_count: number;
  readonly ran_sec: number | null;
  readonly hold: boolean;
  readonly conditions: readonly EventCondition[];
  readonly actions: readonly EventAction[];
}

/** "3, last at 12.40 s"; a dash for what never happened. */
export function countText(count: number, lastSeconds: number | null): string {
  if (count === 0) return '–';
  return lastSeconds === null ? String(count) : `${count}, last at ${clockText(lastSeconds)}`;
}

/** What an event does next, in a word or two. */
export function stateText({ active, added, mode, hold }: SimEvent): string {
  if (!added) return 'not added';
  if (mode !== 'auto') return `manual ${mode}`;
  if (!active) return 'inactive';
  return hold ? 'active, held' : 'active';
}

/** The text shown for a condition or an action: its comment, or the beginning of its own text. */
export const nameOf = ({ comment, text }: { readonly comment: string; readonly text: string }): string =>
  comment.trim() || text.trim().split('\n')[0] || 'without text';
