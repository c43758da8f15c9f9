// What a method answers, asked again and again while a panel is seen and the server is reached.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PanelContext } from '../panel.js';

export interface Polled<Result> {
  /** The latest answer; undefined before the first. */
  readonly answer: Result | undefined;
  /** Why the latest question was not answered. */
  readonly fault: string | undefined;
  /** Asks at once, as after a change. */
  again(): void;
}

type Asked = Pick<PanelContext, 'server' | 'isVisible'>;

/**
 * The next question waits for the answer to the last, so that a slow server is not asked faster than it answers. It has
 * the parameters of the latest rendering.
 */
export function usePolled<Result>(
  panel: Asked,
  method: string,
  everyMillis: number,
  params: object = {},
): Polled<Result> {
  const [state, setState] = useState<PolledAnswer<Result>>({ fault: undefined });
  const isAsked = panel.isVisible.value && panel.server.state.value === 'connected';
  const asked = useRef(params);
  asked.current = params;
  const soon = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (!isAsked) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let isAsking = false;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (isAsking) return;
      isAsking = true;
      const found = await answerOf<Result>(panel, method, asked.current);
      isAsking = false;
      if (isOver) return;
      setState((before) => ({ ...before, ...found }));
      timer = setTimeout(ask, everyMillis);
    };
    soon.current = () => void ask();
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [panel, method, everyMillis, isAsked]);
  const again = useCallback(() => soon.current(), []);
  return { answer: state.answer, fault: state.fault, again };
}

interface PolledAnswer<Result> {
  readonly answer?: Result;
  readonly fault: string | undefined;
}

async function answerOf<Result>({ server }: Asked, method: string, params: object): Promise<PolledAnswer<Result>> {
  try {
    return { answer: await server.call<Result>(method, params), fault: undefined };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
