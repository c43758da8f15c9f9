// Variable paths such as `ball.state.position[0]`: text to steps and back.
import type { PathResult, PathStep } from './path.js';
import { parseWithGrammar } from './path-parser.js';

export { formatPath, type PathError, type PathResult, type PathStep } from './path.js';

const firstName = /[A-Za-z_]\w*/y;
/** A member, by name or (in a tuple) by number, or an index with so few digits that a number holds it exactly. */
const nextStep = /\.(?:([A-Za-z_]\w*)|(\d{1,15}(?!\w)))|\[(\d{1,15})\]/y;

/**
 * Parses a path; blanks round names, dots, brackets and indices are fine. Never throws. The normal spelling is read
 * without the grammar; the grammar reads any other spelling and finds the errors.
 */
export function parsePath(text: string): PathResult {
  const steps = normalSteps(text);
  return steps === undefined ? parseWithGrammar(text) : { steps };
}

function normalSteps(text: string): PathStep[] | undefined {
  firstName.lastIndex = 0;
  const name = firstName.exec(text)?.[0];
  if (name === undefined) return undefined;
  const steps: PathStep[] = [{ kind: 'member', name }];
  for (let position = firstName.lastIndex; position < text.length; position = nextStep.lastIndex) {
    nextStep.lastIndex = position;
    const match = nextStep.exec(text);
    if (match === null) return undefined;
    steps.push(match[3] === undefined ? { kind: 'member', name: match[1] ?? match[2] ?? '' } : indexStep(match[3]));
  }
  return steps;
}

function indexStep(digits: string): PathStep {
  return { kind: 'index', index: Number(digits) };
}
