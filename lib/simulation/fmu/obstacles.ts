// Why an FMU does not run here, or not fully.
import type { FmuInterface } from './description.js';
import type { ReadFmu } from './parse-description.js';
import { platformOf } from './platform.js';

export type RunKind = 'co-simulation' | 'model exchange';

/** What keeps an FMU from running in one of its ways, as sentences without the file's name. */
export function obstaclesOf(fmu: ReadFmu, kind: RunKind): string[] {
  const { coSimulation, modelExchange, scheduledExecution } = fmu.description;
  const own = kind === 'co-simulation' ? coSimulation : modelExchange;
  if (!own) {
    const ways = [
      coSimulation && 'co-simulation',
      modelExchange && 'model exchange',
      scheduledExecution && 'scheduled execution, which varwire does not run',
    ].filter(Boolean);
    return [`it is made for ${ways.join(' and ') || 'nothing'}, not for ${kind}`];
  }
  return [...platformObstacle(fmu, own), ...(own.needsExecutionTool ? [TOOL] : [])];
}

const TOOL = 'it needs the tool that made it (needsExecutionTool)';

function platformObstacle(fmu: ReadFmu, { modelIdentifier }: FmuInterface): string[] {
  try {
    platformOf(fmu, modelIdentifier);
    return [];
  } catch (error) {
    return [(error as Error).message.slice(fmu.archive.file.length + 1)];
  }
}
