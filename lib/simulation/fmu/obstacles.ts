// Why an FMU does not run here, or not fully.
import type { FmuInterface, RunKind } from './description.js';
import type { ReadFmu } from './parse-description.js';
import { platformOf, platformsIn } from './platform.js';

/** What keeps an FMU from running in one of its ways, as sentences without the file's name. */
export function obstaclesOf(fmu: ReadFmu, kind: RunKind): string[] {
  const { ways } = fmu.description;
  const own = ways.get(kind);
  if (!own) return [`it is made for ${[...ways.keys()].join(' and ') || 'nothing'}, not for ${kind}`];
  return [...platformObstacle(fmu, own), ...(own.needsExecutionTool ? [TOOL] : [])];
}

const TOOL = 'it needs the tool that made it (needsExecutionTool)';

function platformObstacle(fmu: ReadFmu, { modelIdentifier }: FmuInterface): string[] {
  if (platformOf(fmu, modelIdentifier)) return [];
  const there = platformsIn(fmu.archive.names);
  const has = there.length === 0 ? 'no binaries at all' : `only binaries for ${there.join(', ')}`;
  return [`it has ${has}, and ${modelIdentifier} is to run on ${process.platform} ${process.arch}`];
}
