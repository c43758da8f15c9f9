// What a source was asked for.
import type { Request } from '../../simulation/executive/request.js';
import type { Source } from '../../source/source.js';

/** Records what is submitted to a source from now on. */
export function recordedRequests(source: Source): readonly Request[] {
  const asked: Request[] = [];
  const submit = source.submit.bind(source);
  source.submit = (request) => {
    asked.push(request);
    return submit(request);
  };
  return asked;
}
