// The open sessions as JSON. Trick: operator<<(std::ostream&, VariableServer&), VariableServerSession
import { bracketed, parseAddress } from '../../transport/address.js';
import type { TrickSession } from './trick-session.js';

/** The list that var_server_list_connections prints and that Trick's web server serves. */
export function connectionsJson(sessions: Iterable<TrickSession>): string {
  const connections = [...sessions].map((trickSession) => {
    const { tag, facts } = trickSession.client;
    const { host, port } = parseAddress(facts.peer) ?? { host: facts.peer, port: '' };
    return {
      connection: {
        client_tag: tag,
        client_IP_address: bracketed(host),
        client_port: String(port),
        format: trickSession.isBinary ? 'BINARY' : 'ASCII',
        update_rate: trickSession.cadence.cycleSeconds,
        variables: [...trickSession.listedNames()],
      },
    };
  });
  return `${JSON.stringify({ variable_server_connections: connections }, null, 2)}\n`;
}
