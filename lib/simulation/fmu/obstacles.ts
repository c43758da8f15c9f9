// Why an FMU does not run here, or not fully.
import type { FmuInterface, RunKind } from './description.js';
import type { ReadFmu } from './parse-description.js';
import { platformOf } from './platform.js';

/** What keeps an FMU from running in one of its ways, as sentences without the file's name. */
export function obstaclesOf(fmu: ReadFmu, kind: RunKind): string[] {
  const { ways } = fmu.description;
  const own = ways.get(kind);
  if (!own) return [`it is made for ${[...ways.keys()].join(' and ') || 'nothing'}, not for ${kind}`];
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
