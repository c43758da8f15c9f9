// What all Trick sessions of a server share: what commands change, and what the front-end keeps for them.
import { OneOfEach } from '../../../serving/scheduling/one-of-each.js';
import type { EventTable } from '../events/event-table.js';
import { Study } from '../monte-carlo/study.js';
import type { ServerSurroundings, TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import { WebServer, WebSimObject } from '../session/web-server.js';

/** What the front-end keeps for all its sessions. */
type Shared = Pick<TrickServer, 'events' | 'firing' | 'elsewhere' | 'addRead'> & {
  readonly open: ReadonlySet<TrickSession>;
};

export class ServerState implements TrickServer {
  port = 0;
  chosenPort: number | undefined;
  userTag = '';
  isEnabled = true;
  isLogging = false;
  hasClientRules: boolean;
  readonly longBlocks = new OneOfEach();
  readonly tests = { isEnabled: false, hasFailed: false };
  readonly hostname: string;
  readonly ports: TrickServer['ports'];
  readonly allowed: TrickServer['allowed'];
  readonly log: TrickServer['log'];
  readonly events: EventTable;
  readonly firing: TrickServer['firing'];
  readonly elsewhere: TrickServer['elsewhere'];
  readonly addRead: TrickServer['addRead'];
  readonly study: Study;
  readonly web = new WebSimObject(new WebServer());

  constructor(
    surroundings: ServerSurroundings,
    private readonly shared: Shared,
  ) {
    this.hostname = surroundings.hostname;
    this.ports = surroundings.ports;
    this.allowed = surroundings.allowed;
    this.hasClientRules = surroundings.hasClientRules;
    this.log = (...said) => surroundings.log(...said);
    this.events = shared.events;
    this.firing = shared.firing;
    this.elsewhere = shared.elsewhere;
    this.addRead = shared.addRead;
    const told = new Set<string>();
    this.study = new Study(surroundings.studyPart ?? { kind: 'alone' }, (sentence) => {
      if (!told.has(sentence)) this.log(sentence, 'normal');
      told.add(sentence);
    });
  }

  sessions(): Iterable<TrickSession> {
    return this.shared.open;
  }
}
