// The dialog that lists the keys.
import { KEYS, needsOf, OTHER_KEYS } from '../control/keys.js';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';

interface Props {
  readonly state: PageState;
  readonly control: SimulationControl;
  onClose(): void;
}

export function HelpDialog({ state, control, onClose }: Props) {
  const meets = needsOf({ state, control });
  const own = KEYS.filter(({ needs, key }) => (!needs || meets(needs)) && !/^[2-9]$/.test(key));
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
