// Questions before a checkpoint is written or loaded, and before the simulation ends.
import { useEffect, useState } from 'preact/hooks';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';
import { useFocus } from '../widgets/use-focus.js';

interface Props {
  readonly state: PageState;
  readonly control: SimulationControl;
  onClose(): void;
}

export function SaveCheckpointDialog({ control, onClose }: Props) {
  const [file, setFile] = useState('');
  return (
    <DialogView title="Write a checkpoint" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void control.dumpCheckpoint(file);
        }}
      >
        <label class="labelled">
          File in the run directory
          <input
            class="field"
            value={file}
            placeholder="chkpnt_ and the time"
            autocomplete="off"
            onInput={({ currentTarget }) => setFile(currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Write
          </button>
        </div>
      </form>
    </DialogView>
  );
}

interface Checkpoints {
  readonly directory: string;
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly modified: string }[];
}

export function LoadCheckpointDialog({ state, control, onClose }: Props) {
  const [found, setFound] = useState<Checkpoints | string>();
  useEffect(() => {
    state.server.call<Checkpoints>('sim/checkpoints').then(setFound, (error: Error) => setFound(error.message));
  }, [state]);
  const load = (file: string): void => {
    onClose();
    void control.loadCheckpoint(file);
  };
  return (
    <DialogView title="Load a checkpoint" onClose={onClose}>
      {found === undefined && <p class="quiet">Looking…</p>}
      {typeof found === 'string' && <p class="problem">{found}</p>}
      {typeof found === 'object' && (
        <>
          <p class="quiet">
            {found.files.length === 0 ? 'There are no checkpoints in' : 'Checkpoints in'} {found.directory}
          </p>
          <ul class="files">
            {found.files.map(({ file, bytes, modified }) => (
              <li key={file}>
                <button type="button" class="menu-item" onClick={() => load(file)}>
                  <span class="file-name">{file}</span>
                  <span class="quiet number">
                    {sizeText(bytes)}, {new Date(modified).toLocaleString()}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </DialogView>
  );
}

const sizeText = (bytes: number): string => (bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);

export function TerminateDialog({ state, control, onClose }: Props) {
  const name = state.server.status.value?.name ?? 'the simulation';
  const cancel = useFocus<HTMLButtonElement>();
  return (
    <DialogView title={`End ${name}?`} onClose={onClose}>
      <p>The simulation shuts down for everybody who is connected. This cannot be taken back.</p>
      <div class="actions">
        <button type="button" class="button" onClick={onClose} ref={cancel}>
          Cancel
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose();
            void control.terminate();
          }}
        >
          End the simulation
        </button>
      </div>
    </DialogView>
  );
}
