// The two buttons that zoom a plot, and how much one press zooms, of a button or a key.
import { IconButton } from '../../widgets/icon-button.js';

export const ZOOM_STEP = 1.5;

/** @param zoomBy zooms by a factor: above 1 shows a smaller part, larger. */
export function ZoomButtons({ zoomBy }: { readonly zoomBy: (factor: number) => void }) {
  return (
    <>
      <IconButton
        icon="M8 4v8M4 8h8"
        label="Zoom in"
        title="Zoom in (+)"
        class="button tiny quiet"
        onClick={() => zoomBy(ZOOM_STEP)}
      />
      <IconButton
        icon="M4 8h8"
        label="Zoom out"
        title="Zoom out (−)"
        class="button tiny quiet"
        onClick={() => zoomBy(1 / ZOOM_STEP)}
      />
    </>
  );
}
