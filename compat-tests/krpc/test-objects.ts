// The objects of kRPC's test service: a new one with the value that another has now is that one.
import { ServiceError } from '../../lib/protocols/krpc/index.js';

export interface TestObject {
  readonly key: string;
  value: string;
  integer: number;
  other: TestObject | null;
}

/** What the test service keeps. */
export class TestState {
  /** By their keys. */
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
    for (const known of this.objects.values()) if (known.value === value) return known;
    const made: TestObject = { key: `${this.objects.size}`, value, integer: 0, other: null };
    this.objects.set(made.key, made);
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
