// The poses of the simulation, for a component: asked for at the start, after a cut, and when the catalog has changed.
import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Server } from '../../data/server.js';
import { type Scene, sceneOf } from './poses.js';

/** A sentence where the server has no answer; undefined before the first. */
export function useScene(server: Server): Scene | string | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly scene: Scene | string }>();
  const version = useComputed(() => server.status.value?.catalog_version).value;
  const isConnected = useComputed(() => server.state.value === 'connected').value;
  useEffect(() => {
    if (!isConnected) return undefined;
    let isOver = false;
    const take = (key: string, scene: () => Scene | string): void => {
      // The same poses again are no news: what is drawn of them stays.
      if (!isOver) setFound((before) => (before?.key === key ? before : { key, scene: scene() }));
    };
    server.call<unknown>('scene/get').then(
      (answer) => take(JSON.stringify(answer), () => sceneOf(answer)),
      (error: Error) => error.name !== 'ConnectionLost' && take(error.message, () => error.message),
    );
    return () => {
      isOver = true;
    };
  }, [server, version, isConnected]);
  return found?.scene;
}
