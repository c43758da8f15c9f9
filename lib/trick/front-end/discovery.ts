// Tells the network that a simulation is here, every two seconds. Trick: VariableServerListenThread::thread_body
import { TRICK_VERSION } from '../commands/version.js';
import type { TrickServer } from '../session/server-settings.js';

/** Both groups carry the same message: Java clients join the first, Python ones the second. */
export const DISCOVERY_GROUPS = ['239.3.14.15', '224.3.14.15'] as const;
export const DISCOVERY_PORT = 9265;
export const DISCOVERY_SECONDS = 2;

export interface DiscoveryFacts {
  readonly server: Pick<TrickServer, 'hostname' | 'port' | 'userTag' | 'isEnabled'>;
  readonly user: string;
  readonly processId: number;
  readonly directory: string;
  readonly program: string;
  readonly inputFile: string;
  readonly mode: number;
}

/** One datagram of twelve tab-separated fields. */
export function discoveryMessage({
  server,
  user,
  processId,
  directory,
  program,
  inputFile,
  mode,
}: DiscoveryFacts): string {
  const fields = [
    server.hostname,
    server.port,
    user,
    processId,
    directory,
    program,
    inputFile,
    TRICK_VERSION,
    server.userTag,
    server.port,
    server.isEnabled ? 1 : 0,
    mode,
  ];
  return `${fields.join('\t')}\n`;
}
