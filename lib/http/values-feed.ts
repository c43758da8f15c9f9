// The JSON text of values, shared by all clients: made at most once per frame for a variable, and for a list of
// variables.
import type { Frame } from '../frame/reader.js';
import { toJson } from '../json-rpc/json-value.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import type { Reference } from '../session/reference.js';
import type { FeedTable, Making, SharedFeed } from '../session/shared-feed.js';
import type { Source } from '../source/source.js';

/** A hold on shared bytes; release it once. */
export interface HeldFeed {
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

function releaseAll(feeds: FeedTable, values: readonly (readonly SharedFeed[])[]): void {
  for (const feed of values.flat()) feeds.release(feed);
}

/**
 * Holds the same text with only the values that have changed since the message before, all in the first one. It belongs
 * to one reader, and each message must be sent.
 */
export function holdChanges(feeds: FeedTable, source: Source, references: readonly Reference[]): HeldFeed {
  const values = references.map((reference) => holdValue(feeds, reference));
  const texts = values.map(([text]) => text);
  const sent: (Uint8Array | undefined)[] = references.map(() => undefined);
  const changed = (frame: Frame): readonly Uint8Array[] =>
    texts.flatMap((feed, index) => {
      const text = feed.message(frame);
      if (sent[index] && Buffer.compare(text, sent[index]) === 0) return [];
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
    return { encode: (frame) => eventOf(message(frame), frame.header.number, hasIds), ended: release };
  });
  return held(feeds, feed);
}

/** An event around the text of values. */
export function eventOf(values: Uint8Array, frameNumber: number, hasIds: boolean): Uint8Array {
  const id = hasIds ? `id: ${frameNumber}\n` : '';
  return Buffer.concat([Buffer.from(`${id}event: var\ndata: `), values, END_OF_EVENT]);
}

const END_OF_EVENT = Buffer.from('\n\n');

/** Holds the text `"alias":value`. All spellings of a path share the value's text; each has its own alias before it. */
function holdValue(feeds: FeedTable, reference: Reference): readonly [text: SharedFeed, ...others: SharedFeed[]] {
  const { alias, path, key, valueKey } = reference;
  const usual = feeds.hold(`json-value|${valueKey}`, () => {
    const name = `${JSON.stringify(path)}:`;
    return { encode: (frame) => Buffer.from(name + JSON.stringify(toJson(reference.read(frame)))) };
  });
  if (key === valueKey) return [usual];
  const renamed = feeds.hold(`json-value|${key}`, () => {
    const name = Buffer.from(`${JSON.stringify(alias)}:`);
    const usualBytes = Buffer.byteLength(JSON.stringify(path)) + 1;
    return { encode: (frame) => Buffer.concat([name, usual.message(frame).subarray(usualBytes)]) };
  });
  return [renamed, usual];
}

/** `"alias":value` texts as one object, with the time of the frame. */
function joined(source: Source, frame: Frame, texts: readonly Uint8Array[]): Uint8Array {
  const simTime = JSON.stringify(simTimeOf(source, frame));
  const parts: Uint8Array[] = [Buffer.from(`{"sim_time":${simTime},"values":{`)];
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) parts.push(COMMA);
    parts.push(texts[i] as Uint8Array);
  }
  parts.push(END_OF_VALUES);
  return Buffer.concat(parts);
}

const COMMA = Buffer.from(',');
const END_OF_VALUES = Buffer.from('}}');

const held = (feeds: FeedTable, feed: SharedFeed): HeldFeed => ({
  message: (frame) => feed.message(frame),
  release: () => feeds.release(feed),
});
