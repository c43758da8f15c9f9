// Sentences at the edge of the window, which screen readers speak.
import type { PageState } from '../state/page-state.js';
import { Icon } from '../widgets/icon.js';

export function ToldView({ state }: { readonly state: PageState }) {
  return (
    <div class="told" role="status" aria-live="polite">
      {state.told.value.map(({ id, sentence, kind }) => (
        <div key={id} class={`told-one ${kind}`}>
          <span>{sentence}</span>
          <button type="button" class="button tiny quiet" aria-label="Close" onClick={() => state.unsay(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

/** Shown as long as the connection is lost. */
export function LostView({ state }: { readonly state: PageState }) {
  const { server } = state;
  const isEnded = server.status.value?.mode === 'exit';
  if (server.state.value !== 'lost') return null;
  return (
    <div class="lost" role="alert">
      <span class="lost-dot" aria-hidden="true" />
      {isEnded
        ? 'The simulation has ended. Values are its last; this page goes on when it starts again.'
        : 'The connection to the server is lost. Values are old; trying again…'}
    </div>
  );
}
