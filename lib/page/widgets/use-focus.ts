// The focus of what has just come onto the page: before anybody can type elsewhere.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** @returns for the element that has the focus once it is drawn. */
export function useFocus<Kind extends HTMLElement>(): RefObject<Kind> {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => element.current?.focus(), []);
  return element;
}
