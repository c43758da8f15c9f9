// The list of clients that are connected, and of what they read.
import type { PanelContext, PanelKind, PanelSettings } from '../panel.js';
import { usePolled } from '../polling/polled.js';
import { bytesText } from '../values/number-text.js';
import { type Client, readsText } from './client-row.js';

interface Clients {
  readonly clients: readonly Client[];
  readonly more: boolean;
}

const POLL_MILLIS = 1000;

function ClientsView({ panel }: { readonly panel: PanelContext }) {
  const { answer, fault } = usePolled<Clients>(panel, 'sim/clients', POLL_MILLIS);
  if (!answer) return <p class={`empty ${fault ? 'error' : ''}`}>{fault ?? 'Asking who is connected.'}</p>;
  return (
    <div class={`clients ${panel.server.isStale.value ? 'stale' : ''}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Protocol</th>
            <th scope="col">Reads</th>
            <th scope="col">Sent</th>
            <th scope="col">Dropped</th>
          </tr>
        </thead>
        <tbody>
          {answer.clients.map((client) => (
            <tr key={client.id}>
              <th scope="row">
                {client.tag || client.address} {client.is_me && <span class="badge">this page</span>}
                {client.tag && <div class="quiet">{client.address}</div>}
              </th>
              <td>
                {client.protocol} <span class="quiet">{client.transport}</span>
              </td>
              <td class="reads" title={client.reads.join('\n')}>
                {readsText(client)}
              </td>
              <td class="number">{bytesText(client.sent_bytes)}</td>
              <td class={`number ${client.dropped_messages > 0 ? 'warning-text' : ''}`}>{client.dropped_messages}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {answer.more && <p class="note">There are more clients than this list shows.</p>}
    </div>
  );
}

export const clients: PanelKind<PanelSettings> = {
  type: 'clients',
  name: 'Clients',
  about: 'Who is connected, and what they read.',
  icon: 'M5.5 7a2.5 2.5 0 1 0 0-.01M1.5 13.5c0-5 8-5 8 0M10.5 4.5a2.2 2.2 0 1 1 .5 4M11.5 9.8c2 .2 3 1.7 3 3.7',
  size: { columns: 10, rows: 6 },
  leastSize: { columns: 6, rows: 3 },
  settings: () => ({}),
  title: () => 'Clients',
  isOffered: (server) => server.has('sim/clients'),
  View: ClientsView,
};
