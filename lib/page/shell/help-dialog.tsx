// What the keys do.
import { KEYS, OTHER_KEYS } from '../control/keys.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';

export function HelpDialog({ state, onClose }: { readonly state: PageState; onClose(): void }) {
  const mayChange = state.server.mayChange.value;
  const own = KEYS.filter(({ isChange, key }) => (mayChange || !isChange) && !/^[2-9]$/.test(key));
  const { version, simulation } = state.server.session.value ?? {};
  return (
    <DialogView title="Keys" onClose={onClose} isWide>
      <dl class="keys">
        {own.map(({ key, shown = key, about }) => (
          <div key={key}>
            <dt>
              <kbd>{key === '1' ? '1 … 9' : shown}</kbd>
            </dt>
            <dd>{key === '1' ? 'show a tab' : about}</dd>
          </div>
        ))}
        {OTHER_KEYS.map(([keys, about]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {simulation}, served by varwire {version}.
      </p>
    </DialogView>
  );
}
