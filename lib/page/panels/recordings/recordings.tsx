// The panel of recordings: files to download, and running recordings to stop.
import { useState } from 'preact/hooks';
import type { PanelContext, PanelKind } from '../panel.js';
import { usePolled } from '../polling/polled.js';
import { bytesText } from '../values/number-text.js';
import { RecordingForm } from './recording-form.js';
import { type RecordingsSettings, recordingsSettings, withRecorded } from './settings.js';

interface Recording {
  readonly name: string;
  readonly format: string;
  readonly file: string;
  readonly bytes: number;
  readonly is_open: boolean;
  readonly url: string;
}

interface ViewProps {
  readonly panel: PanelContext<RecordingsSettings>;
}

const POLL_MILLIS = 1000;

function RecordingsView({ panel }: ViewProps) {
  const { server } = panel;
  const [fault, setFault] = useState<string>();
  const polled = usePolled<{ readonly recordings: readonly Recording[] }>(panel, 'recording/list', POLL_MILLIS);
  const ask = async (method: string, params: object): Promise<void> => {
    try {
      setFault(undefined);
      const { past } = await server.call<{ readonly past?: { readonly about: string } }>(method, params);
      if (past) panel.say(`The recording begins with the past: ${past.about}`, 'done');
      polled.again();
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const recordings = polled.answer?.recordings ?? [];
  const told = fault ?? polled.fault;
  return (
    <div class="recordings">
      {server.may('record') && server.has('recording/start') && (
        <RecordingForm panel={panel} onStart={(params) => ask('recording/start', params)} />
      )}
      {told !== undefined && (
        <p class="note fault" role="alert">
          {told}
        </p>
      )}
      {recordings.length === 0 ? (
        <p class="note">No recordings yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Recording</th>
              <th scope="col" class="wide-only">
                Format
              </th>
              <th scope="col">Size</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {recordings.map((recording) => (
              <tr key={recording.file}>
                <th scope="row">
                  {recording.is_open && <span class="recording-dot" role="img" aria-label="being recorded" />}
                  {recording.name}
                </th>
                <td class="wide-only">{recording.format}</td>
                <td class="number">{bytesText(recording.bytes)}</td>
                <td class="event-buttons">
                  {recording.is_open && server.mayChange.value && (
                    <button
                      type="button"
                      class="button"
                      aria-label={`Stop ${recording.name}`}
                      onClick={() => ask('recording/stop', { name: recording.name })}
                    >
                      Stop
                    </button>
                  )}
                  <a
                    class="button"
                    href={server.linkTo(recording.url)}
                    download={recording.file}
                    aria-label={`Download ${recording.file}`}
                  >
                    Download
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

export const recordings: PanelKind<RecordingsSettings> = {
  type: 'recordings',
  name: 'Recordings',
  about: 'Record variables to a file, and download it.',
  icon: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 6a2 2 0 1 0 .01 0',
  size: { columns: 9, rows: 7 },
  leastSize: { columns: 5, rows: 3 },
  settings: recordingsSettings,
  title: () => 'Recordings',
  add: withRecorded,
  isOffered: (server) => server.has('recording/list'),
  View: RecordingsView,
};
