// The buttons of a plot that save what is shown as text: a picture, or numbers.
import { IconButton } from '../../widgets/icon-button.js';
import type { PanelContext } from '../panel.js';
import { fileNameOf, saveFile } from './saved-file.js';

interface Props {
  readonly panel: Pick<PanelContext, 'say'>;
  readonly title: () => string;
  /** Undefined when there is nothing yet. Each may throw one sentence. */
  readonly svg: () => string | undefined;
  readonly csv: () => string;
}

const QUIET = 'button tiny quiet';

export function SaveButtons({ panel, title, svg, csv }: Props) {
  const save = (ending: string, type: string, textOf: () => string | undefined): void => {
    try {
      const text = textOf();
      if (text === undefined) return;
      const name = fileNameOf(title(), ending);
      saveFile(name, new Blob([text], { type }));
      panel.say(`${name} is saved`, 'done');
    } catch (error) {
      panel.say((error as Error).message, 'error');
    }
  };
  return (
    <>
      <IconButton
        icon="M2.5 3.5h11v9h-11zM5 10c1.500-5 4.500-5 6 0"
        label="Save as SVG"
        class={QUIET}
        onClick={() => save('svg', 'image/svg+xml', svg)}
      />
      <IconButton
        icon="M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10"
        label="Save as CSV"
        class={QUIET}
        onClick={() => save('csv', 'text/csv', csv)}
      />
    </>
  );
}
