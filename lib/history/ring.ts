// A ring of records of a few numbers each; it grows up to its capacity, then the oldest give way.

const FIRST_RECORDS = 64;

export class Ring {
  private numbers: Float64Array;
  private room: number;
  private first = 0;
  private count = 0;

  /**
   * @param width numbers of a record.
   * @param capacity the most records, a power of two from 64 up.
   */
  constructor(
    private readonly width: number,
    private readonly capacity: number,
  ) {
    this.room = Math.min(FIRST_RECORDS, capacity);
    this.numbers = new Float64Array(this.room * width);
  }

  get length(): number {
    return this.count;
  }

  /** A number of a record; the oldest record is 0. */
  at(index: number, field: number): number {
    return this.numbers[this.placeOf(index) + field] as number;
  }

  /** Copies a record's numbers. */
  push(record: Float64Array): void {
    if (this.count === this.room && this.room < this.capacity) this.grow();
    if (this.count === this.room) this.first = (this.first + 1) % this.room;
    else this.count++;
    const place = this.placeOf(this.count - 1);
    for (let field = 0; field < this.width; field++) this.numbers[place + field] = record[field] as number;
  }

  /** Forgets the newest record. */
  pop(): void {
    this.count--;
  }

  private placeOf(index: number): number {
    return ((this.first + index) % this.room) * this.width;
  }

  private grow(): void {
    const grown = new Float64Array(2 * this.numbers.length);
    const head = this.numbers.subarray(this.first * this.width);
    grown.set(head);
    grown.set(this.numbers.subarray(0, this.first * this.width), head.length);
    this.numbers = grown;
    this.room *= 2;
    this.first = 0;
  }
}
