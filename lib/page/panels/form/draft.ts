// What is typed into a field and not entered yet: a field that is drawn anew meanwhile keeps it.
import { useState } from 'preact/hooks';

/**
 * @param shown what the field shows when nothing is typed.
 * @returns `keep` takes the text of each input, and undefined when it has been entered.
 */
export function useDraft(shown: string): { readonly text: string; keep(text: string | undefined): void } {
  const [draft, setDraft] = useState<string>();
  return { text: draft ?? shown, keep: setDraft };
}
