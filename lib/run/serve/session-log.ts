// Logs sessions: who connected, and what a session was sent by the time it ended.

import type { Log } from '../../serving/session/log.js';
import type { SessionListener } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';

export function sessionLog(log: Log): SessionListener {
  return {
    opened: (session) => {
      const facts = factsOf(session);
      log(
        'informational',
        `session ${session.id} opened: ${facts.frontEnd} over ${facts.transport}, ${facts.peer}`,
        facts,
      );
    },
    closed: (session) => {
      const { sentMessages, sentBytes, droppedMessages } = session.outbound;
      const facts = Object.assign(factsOf(session), { sentMessages, sentBytes, droppedMessages });
      const name = session.tag === '' ? '' : ` (${session.tag})`;
      log(
        'informational',
        `session ${session.id}${name} closed; messages sent: ${sentMessages}, dropped: ${droppedMessages}`,
        facts,
      );
    },
    letGo: ({ id, facts: { peer } }, reason) => log('warning', `${peer} was let go: ${reason}`, { peer, session: id }),
    lagged: (millis) => {
      const facts = { lagMillis: Math.round(millis) };
      log('warning', `the server is at its limit: it came ${facts.lagMillis} ms too late to what was due`, facts);
    },
    skipped: log,
    heldBack: log,
    failed: log,
  };
}

/** One by one: who opened a session for another is a whole session, and a log that writes JSON would write all behind it. */
function factsOf({ id, tag, facts: { frontEnd, peer, transport, openedBy, owner } }: Session) {
  return {
    session: id,
    ...{ frontEnd, peer, transport },
    ...(openedBy && { openedBy: openedBy.id }),
    ...(owner !== undefined && { owner }),
    ...(tag !== '' && { tag }),
  };
}
