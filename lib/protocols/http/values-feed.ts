// The JSON text of values, shared by all clients: made at most once per frame for a variable, and for a list of
// variables.
import type { Frame } from '../../model/frame/reader.js';
import type { Reference } from '../../serving/session/reference.js';
import type { FeedTable, Making, SharedFeed } from '../../serving/session/shared-feed.js';
import type { Source } from '../../source/source.js';
import { toJson } from '../json-rpc/json-value.js';
import { simTimeOf } from '../json-rpc/sim-time.js';

/** The text `"alias":value` of a frame. A text, not bytes: joining thousands of small buffers takes twice as long. */
type ValueText = SharedFeed<string>;

/** A hold on shared bytes; release it once. */
export interface HeldFeed {
  /** What others hold too, if anything. */
  readonly feed?: object;
  message(frame: Frame): Uint8Array;
  release(): void;
}

/** Holds the text `{"sim_time":{...},"values":{...}}`; who asks for the same values holds the same feed. */
export function holdValues(feeds: FeedTable, source: Source, references: readonly Reference[]): HeldFeed {
  return held(
    feeds,
    feeds.hold(`json|${keysOf(references)}`, () => valuesOf(feeds, source, references)),
  );
}

const keysOf = (references: readonly Reference[]): string => references.map(({ key }) => key).join();

function valuesOf(feeds: FeedTable, source: Source, references: readonly Reference[]): Making {
  const values = references.map((reference) => holdValue(feeds, reference));
  const texts = values.map(([text]) => text);
  const encode = (frame: Frame): Uint8Array =>
    joined(
      source,
      frame,
      texts.map((text) => text.message(frame)),
    );
  return { encode, ended: () => releaseAll(feeds, values) };
}

function releaseAll(feeds: FeedTable, values: readonly (readonly ValueText[])[]): void {
  for (const feed of values.flat()) feeds.release(feed);
}

/**
 * Holds the same text with only the values that have changed since the message before, all in the first one. It belongs
 * to one reader, and each message must be sent.
 */
export function holdChanges(feeds: FeedTable, source: Source, references: readonly Reference[]): HeldFeed {
  const values = references.map((reference) => holdValue(feeds, reference));
  const texts = values.map(([text]) => text);
  const sent: (string | undefined)[] = references.map(() => undefined);
  const changed = (frame: Frame): readonly string[] =>
    texts.flatMap((feed, index) => {
      const text = feed.message(frame);
      if (sent[index] === text) return [];
      sent[index] = text;
      return [text];
    });
  return { message: (frame) => joined(source, frame, changed(frame)), release: () => releaseAll(feeds, values) };
}

/** Holds a whole server-sent event around the same text, with or without its id. */
export function holdEvents(
  feeds: FeedTable,
  source: Source,
  references: readonly Reference[],
  hasIds: boolean,
): HeldFeed {
  const feed = feeds.hold(`sse|${hasIds}|${keysOf(references)}`, () => {
    const { message, release } = holdValues(feeds, source, references);
    const encode = (frame: Frame): Uint8Array =>
      eventOf(message(frame), hasIds ? idOf(source, frame.header.number) : undefined);
    return { encode, ended: release };
  });
  return held(feeds, feed);
}

/** What clients call a frame that they have seen. */
export const idOf = ({ frameIds }: Source, number: number): string => frameIds?.of(number) ?? String(number);

/** An event around the text of values. */
export function eventOf(values: Uint8Array, id: string | undefined): Uint8Array {
  const line = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.concat([Buffer.from(`${line}event: var\ndata: `), values, END_OF_EVENT]);
}

const END_OF_EVENT = Buffer.from('\n\n');

const textOf = (reference: Reference, frame: Frame): string => JSON.stringify(toJson(reference.read(frame)));

/** All spellings of a path share the value's text; each has its own alias before it. */
function holdValue(feeds: FeedTable, reference: Reference): readonly [text: ValueText, ...others: ValueText[]] {
  const { alias, path, key, valueKey } = reference;
  const usual = feeds.hold(`json-value|${valueKey}`, () => {
    const name = `${JSON.stringify(path)}:`;
    return { encode: (frame) => name + textOf(reference, frame) };
  });
  if (key === valueKey) return [usual];
  const renamed = feeds.hold(`json-value|${key}`, () => {
    const name = `${JSON.stringify(alias)}:`;
    const { length } = JSON.stringify(path);
    return { encode: (frame) => name + usual.message(frame).slice(length + 1) };
  });
  return [renamed, usual];
}

/** `"alias":value` texts as one object, with the time of the frame. */
function joined(source: Source, frame: Frame, texts: readonly string[]): Uint8Array {
  const simTime = JSON.stringify(simTimeOf(source, frame));
  return Buffer.from(`{"sim_time":${simTime},"values":{${texts.join(',')}}}`);
}

const held = (feeds: FeedTable, feed: SharedFeed): HeldFeed => ({
  feed,
  message: (frame) => feed.message(frame),
  release: () => feeds.release(feed),
});
