// Attacks that once broke the server, begun on a running one: a bystander is answered meanwhile and afterwards, and nothing fails inside.

import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Attack } from './attacks/attack.js';
import { AttackedServer, MissingToolError } from './attacks/attacked-server.js';
import { ATTACKS } from './attacks/index.js';
import { endAfterFailure, type LaunchedServer } from './launch.js';
import type { WireClient } from './wire-client.js';

const QUESTIONS = 2;
/** Between two questions, so that the attack is well under way. */
const PAUSE_MILLIS = 30;
/** The number of an attack's connections is the soak's matter: here each way is tried. */
const MOST_AT_ONCE = 10;
/** What a process with a large state needs to start, and 600 MB that come another way once more, is left to the soak. */
const isLarge = ({ name, simArguments = [] }: Attack): boolean =>
  simArguments.includes('--members') || /^[MT]-bodies$/.test(name);
/** The lines A to D once broke the server, M, N and T come by other ways; the soak tries every attack. */
const isTried = ({ name }: Attack): boolean => /^[A-DMNT]\d*-/.test(name);

/** Attacks that one server can stand one after another. */
function byServer(): ReadonlyMap<string, readonly Attack[]> {
  const groups = new Map<string, Attack[]>();
  for (const attack of ATTACKS) {
    if (isLarge(attack) || !isTried(attack)) continue;
    const { way = '', simArguments = [], tokens = '' } = attack;
    const key = JSON.stringify([way, simArguments, tokens]);
    groups.set(key, [...(groups.get(key) ?? []), attack]);
  }
  return groups;
}

async function ask(client: WireClient): Promise<void> {
  client.send('trick.var_send_once("target.label")\n');
  expect(await client.line()).to.equal('5\tas it was');
}

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

describe('an attack', () => {
  for (const attacks of byServer().values()) {
    const options = [...new Set(attacks.flatMap(({ options = [] }) => options))];
    describe('on a server', () => {
      let directory: string;
      let target: AttackedServer | undefined;
      let server: LaunchedServer | undefined;

      beforeEach(async function () {
        if (server) return;
        directory = mkdtempSync(join(tmpdir(), 'varwire-all-attacks-'));
        target = await AttackedServer.start({ ...attacks[0], options }, directory).catch((error: unknown) => {
          if (!(error instanceof MissingToolError)) throw error;
          console.log(`      skipped: ${error.message}`);
          return undefined;
        });
        server = target?.server;
        if (!server) this.skip();
      });
      afterEach(async function () {
        if (await endAfterFailure(this, server)) server = undefined;
      });
      after(async () => {
        await server?.stop();
        rmSync(directory, { recursive: true });
      });

      for (const { name, sends, run } of attacks) {
        it(`keeps no bystander waiting: ${name}, ${sends}`, async function () {
          const place = { ...(target as AttackedServer).place, mostAtOnce: MOST_AT_ONCE };
          // Connected before: among connections that others open without end, a new one takes its time.
          const bystander = await (target as AttackedServer).client();
          bystander.send('trick.var_pause()\n');
          const end = new AbortController();
          setMaxListeners(0, end.signal);
          let refusal: Error | undefined;
          const attacking = run(place, end.signal).catch((error: Error) => {
            refusal = error;
          });
          try {
            for (let question = 0; question < QUESTIONS && !refusal; question++) {
              await pause(PAUSE_MILLIS);
              await ask(bystander);
            }
          } finally {
            end.abort();
            bystander.close();
          }
          await Promise.race([attacking, pause(1000)]);
          // Raw sockets need a right, and a compiler.
          if (/from port 0 here|cc/.test(refusal?.message ?? '')) this.skip();
          if (refusal) throw refusal;
          const late = await (target as AttackedServer).client();
          await ask(late);
          // An attack may have made the frames many, for which the next one would pay.
          late.send('trick.exec_set_software_frame(0.01)\n');
          late.close();
          expect(server?.isRunning).to.equal(true);
          expect(server?.output).to.not.include('internal error');
        });
      }
    });
  }
});
