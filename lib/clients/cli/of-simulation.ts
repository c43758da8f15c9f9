// Options of `varwire run` that other sources have no use for.
const OF_SIMULATION = ['input', 'input-dir', 'client-rules', 'run-dir', 'disk-quota', 'stuck-after'] as const;

/** The first of them that was given. */
export const optionOfSimulation = (
  values: Readonly<Partial<Record<(typeof OF_SIMULATION)[number], unknown>>>,
): string | undefined => OF_SIMULATION.find((option) => values[option] !== undefined);
