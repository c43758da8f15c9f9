// How a program makes a source of data that is not a simulation, or of a recording.
import { type Feed, type FeedObjects, FeedSource } from '../../source/feed.js';
import type { FeedOptions } from '../../source/feed-host.js';
import { type Played, type PlayedScene, played } from '../../source/recording/played.js';
import type { Recording } from '../../source/recording/recording.js';
import { OVERLAYS } from './overlays.js';

/**
 * Makes a source whose values its owner publishes; `serveSource` serves it. Clients read it like a simulation, and a
 * request that it cannot carry out is refused with one sentence. Throws a RangeError for a `frameSeconds` that is not a
 * positive time and for an option that does not exist, and whatever `build` throws.
 *
 *     const telemetry = feed({ name: 'telemetry', frameSeconds: 0.1 }, (objects) => {
 *       height = objects.object('rocket').component('height', double({ units: 'm' }));
 *     });
 *     await serveSource(telemetry, { port: 7000 });
 *     height.value = 12;
 *     telemetry.publish(0.1);
 */
export function feed(options: FeedOptions, build: (objects: FeedObjects) => void): Feed {
  return new FeedSource(options, build, OVERLAYS);
}

/**
 * Makes a source of a recording, whose rows are its frames; `serveSource` serves it, and clients run, freeze, step and seek
 * it. Throws an Error with one sentence for a recording without rows and one with times that cannot be played.
 *
 *     const { source, run } = playRecording(openRecording('log_flight.trk'));
 *     await serveSource(source, { port: 7000 });
 *     run();
 */
export function playRecording(recording: Recording, scene?: PlayedScene): Played {
  return played(recording, OVERLAYS, undefined, scene);
}
