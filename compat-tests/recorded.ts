// The data recorded from NASA Trick: golden sessions and the fixture's own description.
import { readdirSync, readFileSync } from 'node:fs';

/** Data stays in the source tree; this file runs from build/compat-tests. */
const ROOT = new URL('../../compat-tests/', import.meta.url);

/** What a client sent at once, and every byte that it got until nothing more came. Texts are latin1. */
export interface GoldenStep {
  readonly send: string;
  readonly recv: string;
  /** The answer of a correct server where Trick's own answer is a defect; `deviation` is the reason. */
  readonly expect?: string;
  readonly deviation?: string;
  /** A regular expression for answers that contain a host, a version or an address. */
  readonly match?: string;
  /** Whether the server closed the connection. */
  readonly closed?: boolean;
}

export interface GoldenSession {
  readonly name: string;
  readonly about: string;
  readonly transport?: 'tcp' | 'udp';
  /** Whether it is sent without the usual pause of cyclic messages at the start. */
  readonly raw?: boolean;
  /** Text of the input file `RUN_test/input.py` with which the simulation was started. */
  readonly input?: string;
  /** The relative difference that is allowed for a number. */
  readonly tolerance?: number;
  /** Sent before the first step, for names that Trick's sessions share with the input file. */
  readonly preamble?: string;
  readonly steps: readonly GoldenStep[];
}

export function goldenSessions(): GoldenSession[] {
  const directory = new URL('golden/', ROOT);
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')));
}

/** A file of reference/ as text. */
export const reference = (name: string): string => readFileSync(new URL(`reference/${name}`, ROOT), 'utf8');
