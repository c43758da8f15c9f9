// How one run of a comparison is drawn: by how much later, and what its variables are called there.
import { listOf, numberOf, recordOf, textOf } from './given.js';

/** A variable that has another name in one run. */
export interface RunName {
  /** What it is called in the others. */
  readonly name: string;
  readonly there: string;
  /** What its values are in there, where the file does not say. */
  readonly units?: string | undefined;
  readonly scale?: number | undefined;
  readonly bias?: number | undefined;
}

export interface RunLook {
  readonly isHidden?: boolean;
  readonly shiftSeconds?: number | undefined;
  readonly names?: readonly RunName[];
}

const MOST_NAMES = 200;

export function runLookOf(given: unknown): RunLook {
  const { isHidden, shiftSeconds, names } = recordOf(given);
  return {
    ...(isHidden === true && { isHidden }),
    ...(numberOf(shiftSeconds) !== undefined && { shiftSeconds: numberOf(shiftSeconds) }),
    ...(Array.isArray(names) && { names: listOf(names, MOST_NAMES, runNameOf) }),
  };
}

function runNameOf(given: unknown): RunName | undefined {
  const { name, there, units, scale, bias } = recordOf(given);
  const [here, other] = [textOf(name), textOf(there)];
  if (here === undefined || other === undefined) return undefined;
  return { name: here, there: other, units: textOf(units), scale: numberOf(scale), bias: numberOf(bias) };
}
