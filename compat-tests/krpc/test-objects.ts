// The objects of kRPC's test service: those with equal values are the same object.
import { ServiceError } from '../../lib/krpc/index.js';

export interface TestObject {
  readonly key: string;
  value: string;
  integer: number;
  other: TestObject | null;
}

/** What the test service keeps. */
export class TestState {
  readonly objects = new Map<string, TestObject>();
  /** Calls of each client, by the name of the counter. */
  readonly counters = new Map<string, number>();
  text = '';
  hiddenText = '';
  shownText = 'foo';
  deprecatedText = '';
  object: TestObject | null = null;
  invalidOperations = 0;
  customFailures = 0;

  objectOf(value: string): TestObject {
    const known = this.objects.get(value);
    if (known) return known;
    const made: TestObject = { key: value, value, integer: 0, other: null };
    this.objects.set(value, made);
    return made;
  }
}

/** One of kRPC's own exceptions. */
export const failed = (name: string, sentence: string): ServiceError => new ServiceError('KRPC', name, sentence);

/** A float as .NET writes it: the fewest digits that give the same float. */
export function floatText(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return String(value);
}
