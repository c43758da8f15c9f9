// What a server answers, one signal for all who look at it: asked again and again while somebody reads it.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Server } from './server.js';

/**
 * @param asking what asks one server: given what is known, it answers with the news, or with what is known when there are
 * none. A question that fails is asked again.
 */
export function polledSignal<T>(
  everyMillis: number,
  first: T,
  asking: (server: Server) => (known: T) => Promise<T>,
): (server: Server) => ReadonlySignal<T> {
  const all = new WeakMap<Server, ReadonlySignal<T>>();
  return (server) => {
    const known = all.get(server);
    if (known) return known;
    const ask = asking(server);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      try {
        latest.value = await ask(latest.peek());
      } catch {
        // It is asked again.
      }
      if (timer !== undefined) timer = setTimeout(poll, everyMillis);
    };
    const latest: Signal<T> = signal(first, {
      watched: () => {
        timer ??= setTimeout(poll, 0);
      },
      unwatched: () => {
        clearTimeout(timer);
        timer = undefined;
      },
    });
    all.set(server, latest);
    return latest;
  };
}
