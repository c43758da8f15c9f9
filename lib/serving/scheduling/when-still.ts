// Calls when no promise goes on: Node runs all microtasks before it looks for ticks again.

export const whenStill = (call: () => void): void => queueMicrotask(() => process.nextTick(call));
