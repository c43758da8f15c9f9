// Asks for a token where the server needs one.
import { useState } from 'preact/hooks';
import { useFocus } from '../widgets/use-focus.js';

export function TokenForm({ sentence, onToken }: { readonly sentence: string; onToken(token: string): void }) {
  const [token, setToken] = useState('');
  const field = useFocus<HTMLInputElement>();
  return (
    <main class="token">
      <form
        class="token-box"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== '') onToken(token.trim());
        }}
      >
        <h1>varwire</h1>
        <p>{sentence}</p>
        <label class="labelled">
          Token
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={token}
            ref={field}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary">
          Open
        </button>
      </form>
    </main>
  );
}
