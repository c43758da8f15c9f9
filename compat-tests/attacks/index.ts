// All attacks: those of the lines that once broke the server (A to D), by Bevy's protocol (E), on kRPC (K), through the server of another program (M), by the page's methods and by sessions that come and go (N), with large things (L), inside TLS (T), and others (O).
import type { Attack } from './attack.js';
import { BEVY } from './bevy.js';
import { CARRIED } from './carried.js';
import { DELIVERY } from './delivery.js';
import { JSON_AND_BYTES } from './json.js';
import { KRPC } from './krpc.js';
import { LARGE_THINGS } from './large.js';
import { MILLION } from './million.js';
import { PAGE } from './page.js';
import { lines, pause, sendAndStay } from './peer.js';
import { SESSIONS } from './sessions.js';
import { TRICK_TEXT } from './trick-text.js';
import { MOUNTED, SECURE } from './ways.js';

/** What the machine does to the figures without any attack. */
const REFERENCES: readonly Attack[] = [
  { name: 'nothing', sends: 'nothing', run: async () => undefined },
  { name: 'nothing-large', sends: 'nothing', simArguments: ['--members', '1000000'], run: async () => undefined },
  {
    name: 'nothing-kilohertz',
    sends: 'exec_set_software_frame(0.001), and nothing else',
    framesPerSecond: 1000,
    run: sendAndStay(lines('trick.exec_set_software_frame(0.001)')),
  },
  {
    name: 'beside',
    sends: 'nothing: a process beside the server that computes',
    run: async (_, until) => {
      while (!until.aborted) {
        const end = performance.now() + 20;
        while (performance.now() < end);
        await pause(0);
      }
    },
  },
];

export const ATTACKS: readonly Attack[] = [
  ...REFERENCES,
  ...DELIVERY,
  ...TRICK_TEXT,
  ...JSON_AND_BYTES,
  ...BEVY,
  ...KRPC,
  ...PAGE,
  ...SESSIONS,
  ...LARGE_THINGS,
  ...MILLION,
  ...CARRIED,
  ...SECURE,
  ...MOUNTED,
];
