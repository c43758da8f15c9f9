// Every attack for some seconds, from ten clients: the server lives, answers, and stays within its memory.
import { MissingToolError } from '../attacks/attacked-server.js';
import { ATTACKS } from '../attacks/index.js';
import { attacked } from '../bench/attacks.js';

const CLIENTS = 10;
/** Far above what a server keeps at its bounds. */
const MOST_MEGABYTES = 1500;

/** An attack begins all of a sudden; longer than this, besides what the machine makes everybody wait, is a fault. */
const MOST_WAITED_MILLIS = 1000;

/** One sentence for each attack that the server did not stand. */
export async function standAttacks(seconds: number, report: (line: string) => void): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const attack of ATTACKS) {
    const outcome = await attacked(attack, CLIENTS, seconds).catch((error: unknown) => {
      if (!(error instanceof MissingToolError)) throw error;
      report(`${attack.name}: skipped, ${error.message}`);
    });
    if (!outcome) continue;
    const { state, megabytes, witnessed, output } = outcome;
    const { value, echo } = witnessed;
    const { worstMillis } = value;
    const isPrompt = worstMillis < MOST_WAITED_MILLIS + echo.worstMillis;
    report(`${attack.name}: ${state}, ${megabytes.toFixed(0)} MB, the bystander waited ${worstMillis.toFixed(0)} ms`);
    const isInternal = output.includes('internal error');
    if (state === 'alive' && megabytes < MOST_MEGABYTES && isPrompt && !isInternal) continue;
    const waited = `a bystander waited ${worstMillis.toFixed(0)} ms`;
    const why = isInternal ? 'has logged an internal error' : `${state}, with ${megabytes.toFixed(0)} MB; ${waited}`;
    failures.push(`attack ${attack.name} (${attack.sends}): the server ${why}\n${output.slice(-500)}`);
  }
  return failures;
}
