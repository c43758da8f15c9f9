// What a variable is, for a component: undefined until the server has said it.
import { useEffect, useState } from 'preact/hooks';
import type { Server, VariableFacts } from '../../data/server.js';

export function useFacts(server: Server, alias: string): VariableFacts | undefined {
  const [facts, setFacts] = useState<VariableFacts>();
  useEffect(() => {
    let isOver = false;
    server.facts(alias).then(
      (found) => !isOver && setFacts(found),
      () => !isOver && setFacts(undefined),
    );
    return () => {
      isOver = true;
    };
  }, [server, alias]);
  return facts?.alias === alias ? facts : undefined;
}

/** How long a value stays marked after a change. */
const FRESH_MILLIS = 600;

/** Whether a text has changed just now; its first appearance is no change. */
export function useFreshness(text: string): boolean {
  const [{ seen, isFresh }, setState] = useState({ seen: text, isFresh: false });
  useEffect(() => {
    if (text !== seen) setState({ seen: text, isFresh: seen !== '–' });
    if (!isFresh) return undefined;
    const timer = setTimeout(() => setState((state) => ({ ...state, isFresh: false })), FRESH_MILLIS);
    return () => clearTimeout(timer);
  }, [text, seen, isFresh]);
  return isFresh;
}
