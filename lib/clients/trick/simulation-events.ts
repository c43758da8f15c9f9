// The events of a simulation, by the variables of Trick's event viewer. Trick: MTV.hh, IPPythonEvent.hh

/** Values of one moment; undefined for what has none. */
type Read = (names: readonly string[]) => Promise<readonly unknown[]>;
type Fields = Readonly<Record<string, unknown>>;

const VIEWER = 'trick_ip.mtv';
/** Trick has no other name for an event that was deleted. */
const DELETED = /^(no_name_specified|XXX_DELETED_EVENT)$/;
/** More are not listed. */
const MOST_EVENTS = 100;
const MOST_ITEMS = 100;

const NEVER = -1;

const EVENT = [
  ...['name', 'active', 'added', 'manual', 'manual_fired', 'cycle', 'cond_all', 'hold', 'before_after', 'target_name'],
  ...['condition_count', 'action_count', 'fired_count', 'fired_time', 'ran_count', 'ran_time'],
];
const CONDITION = ['str', 'comment', 'enabled', 'hold', 'fired', 'fired_count', 'fired_time'];
const ACTION = ['str', 'comment', 'enabled', 'ran', 'ran_count', 'ran_time'];

export async function simulationEvents(read: Read) {
  const [count, ticker, tics, ticsPerSecond] = (
    await read([
      ...['mtv_count', 'mtv_update_ticker'].map((name) => `${VIEWER}.${name}`),
      ...['time_tics', 'time_tic_value'].map((name) => `trick_sys.sched.${name}`),
    ])
  ).map((value) => Number(value ?? 0)) as [number, number, number, number];
  const secondsOf = timeIn(tics / ticsPerSecond, ticsPerSecond);
  const paths = Array.from({ length: Math.min(count, MOST_EVENTS) }, (_, index) => `${VIEWER}.mtv_list[${index}][0]`);
  const found = await fieldsOf(read, paths, EVENT);
  const there = found
    .map((fields, index) => ({ fields, path: paths[index] as string }))
    .filter(({ fields }) => fields.name !== undefined && !DELETED.test(String(fields.name)));
  const itemsOf = (list: string, names: readonly string[]) =>
    Promise.all(there.map(({ path, fields }) => fieldsOf(read, itemPaths(path, list, fields), names)));
  const conditions = await itemsOf('condition', CONDITION);
  const actions = await itemsOf('action', ACTION);
  const events = there.map(({ fields }, index) => ({
    ...eventOf(fields, secondsOf),
    conditions: (conditions[index] as Fields[]).map((own) => ({
      ...itemOf(own),
      holds: isSet(own.hold),
      hasFired: isSet(own.fired),
      firedCount: Number(own.fired_count),
      firedSeconds: secondsOf(own.fired_time),
    })),
    actions: (actions[index] as Fields[]).map((own) => ({
      ...itemOf(own),
      hasRun: isSet(own.ran),
      ranCount: Number(own.ran_count),
      ranSeconds: secondsOf(own.ran_time),
    })),
  }));
  return { ticker, events };
}

function eventOf(fields: Fields, secondsOf: (value: unknown) => number) {
  const place = Number(fields.before_after);
  return {
    name: String(fields.name),
    isActive: isSet(fields.active),
    isAdded: isSet(fields.added),
    isManual: isSet(fields.manual),
    isManuallyFired: isSet(fields.manual_fired),
    cycleSeconds: Number(fields.cycle),
    needsAll: isSet(fields.cond_all),
    hold: isSet(fields.hold),
    target: place > 0 ? { job: String(fields.target_name), place } : undefined,
    firedCount: Number(fields.fired_count),
    firedSeconds: secondsOf(fields.fired_time),
    ranCount: Number(fields.ran_count),
    ranSeconds: secondsOf(fields.ran_time),
  };
}

const itemOf = ({ str, comment, enabled }: Fields) => ({
  text: String(str ?? ''),
  comment: String(comment ?? ''),
  isEnabled: isSet(enabled),
});

const isSet = (value: unknown): boolean => Number(value) !== 0;

/** Trick calls these times seconds and counts tics in them, varwire has seconds: what is later than now is in tics. */
const timeIn =
  (nowSeconds: number, ticsPerSecond: number) =>
  (value: unknown): number => {
    const time = Number(value ?? NEVER);
    return time > nowSeconds ? time / ticsPerSecond : time;
  };

const itemPaths = (path: string, list: string, fields: Fields): string[] =>
  Array.from(
    { length: Math.min(Number(fields[`${list}_count`]), MOST_ITEMS) },
    (_, index) => `${path}.${list}_list[${index}][0]`,
  );

/** The members of several structures of one class. */
async function fieldsOf(read: Read, paths: readonly string[], names: readonly string[]): Promise<Fields[]> {
  if (paths.length === 0) return [];
  const values = await read(paths.flatMap((path) => names.map((name) => `${path}.${name}`)));
  return paths.map((_, at) =>
    Object.fromEntries(names.map((name, index) => [name, values[at * names.length + index]])),
  );
}
