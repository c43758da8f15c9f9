// A source for tests that answers requests only when the test says so.
import { Frame } from '../../model/frame/reader.js';
import { Catalog } from '../../model/state/catalog.js';
import { chars, describe as described, double, int, struct } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { ALL_ABILITIES } from '../../source/abilities.js';
import type { Answer, Request, Source } from '../../source/source.js';
import { headerOf } from './frames.js';

const Body = struct('Body', {
  position: double(3, { units: 'm' }),
  temperature: double({ units: 'degC' }),
  count: int(),
  steps: int({ units: 'm' }),
  name: chars(8, { units: 'm' }),
  serial: described(int(), { access: 'read-only' }),
});

interface Waiting {
  readonly request: Request;
  readonly answer: (answer: Answer) => void;
  readonly refuse: (error: Error) => void;
}

export class ManualSource implements Source {
  readonly info = { name: 'test', clockLabel: '', directory: '', file: '', runDirectory: '' };
  readonly abilities = ALL_ABILITIES;
  readonly catalog: Catalog;
  readonly frame = new Frame(0, headerOf());
  readonly lapped = 0;
  readonly skipped = 0;
  /** Unanswered requests, oldest first. */
  readonly waiting: Waiting[] = [];

  constructor() {
    const state = new State();
    state.addObject('ball').component('body', Body);
    this.catalog = new Catalog(state.describe());
  }

  submit(request: Request): Promise<Answer> {
    return new Promise((answer, refuse) => this.waiting.push({ request, answer, refuse }));
  }

  onFrame = () => () => {};
  onMessage = () => () => {};
  onEnd = () => () => {};
  past(): undefined {}
  async close(): Promise<void> {}
}
