// Trick's front-end of a server: its language is loaded where somebody may need it.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { USUAL_PORT } from '../../protocols/brp/ports.js';
import { USUAL_PORTS } from '../../protocols/krpc/ports.js';
import { AddedPorts } from '../../protocols/trick/front-end/added-ports.js';
import { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import type { StudyPart } from '../../protocols/trick/monte-carlo/study.js';
import type { TrickServer } from '../../protocols/trick/session/server-settings.js';
import { SendDirectory } from '../../simulation/files/send-directory.js';
import type { ServerParts } from './front-ends.js';
import { DEFAULT_HOST, trickTrustOf } from './options.js';
import type { ServerLog } from './server-log.js';

export type TrickParts = Pick<ServerParts, 'registry' | 'options' | 'trust' | 'openEndpoint'> & {
  readonly serverLog?: ServerLog;
  readonly studyPart?: StudyPart;
};

/** Whose clients look for a server at a port. */
const USUAL: ReadonlyMap<number, string> = new Map([
  [USUAL_PORT, "Bevy's protocol"],
  [USUAL_PORTS.calls, 'kRPC'],
  [USUAL_PORTS.streams, 'kRPC'],
]);

/** @param serverLog hears what clients do; nobody does without it. */
export function createTrick({
  registry,
  options,
  trust,
  openEndpoint,
  serverLog,
  studyPart,
}: TrickParts): TrickFrontEnd {
  const { host = DEFAULT_HOST, tls, tcp = [], multicast = [] } = options;
  // Datagrams cannot use TLS, so with TLS the operator must ask for an unencrypted UDP port.
  const { udp = tls ? 'off' : 'main' } = options;
  const files = new SendDirectory(options.sendDirectory);
  const spoken = trickTrustOf(options);
  const log: TrickServer['log'] = (text, level = 'informational', ofClient) =>
    serverLog?.put(level, text, { ...ofClient }, ofClient !== undefined);
  const ports = new AddedPorts({
    host,
    hostname: hostname(),
    hasTls: tls !== undefined,
    isNumber: (address) => isIP(address) !== 0,
    isOff: spoken === 'off',
    usual: USUAL,
    open: openEndpoint,
    every: (seconds, call) => registry.timetable.every(seconds, call, seconds),
    log: (text) => log(text),
    trick: () => frontEnd,
  });
  registry.ledger.show('openedPorts', ports.counts);
  const hasClientRules = options.clientRules ?? false;
  const addressTrust = spoken === 'local' ? 'local' : 'address';
  const frontEnd = new TrickFrontEnd({
    registry,
    server: {
      hostname: hostname(),
      ports,
      allowed: trust.allowed,
      hasClientRules,
      log,
      ...(studyPart && { studyPart }),
    },
    readFile: (...asked) => files.read(...asked),
    places: spoken === 'off' ? 'off' : { host, udp, tcp, multicast, trust: addressTrust },
  });
  return frontEnd;
}
