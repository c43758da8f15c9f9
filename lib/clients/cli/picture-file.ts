// Writes a picture: SVG as it is, or drawn in pixels by an optional package.
import { writeFileSync } from 'node:fs';

/** Pixels of the file for each of the picture, so that letters are sharp. */
const ZOOM = 2;
/** It knows no font as the usual one without serifs. */
const FONTS = 'Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif';

/** By the ending of the file. Rejects with an Error with one sentence. Returns what is wrong with the picture, if anything is. */
export async function writePicture(file: string, svg: string): Promise<string | undefined> {
  if (file.endsWith('.svg')) {
    writeFileSync(file, svg);
    return undefined;
  }
  const { Resvg } = await import('@resvg/resvg-js').catch(() => {
    throw new Error('there is no package @resvg/resvg-js, which draws .png: npm install @resvg/resvg-js');
  });
  const named = svg.replaceAll('font-family="sans-serif"', `font-family="${FONTS}"`);
  writeFileSync(file, new Resvg(named, { fitTo: { mode: 'zoom', value: ZOOM } }).render().asPng());
  const letter = '<svg xmlns="http://www.w3.org/2000/svg"><text font-family="sans-serif">x</text></svg>';
  return new Resvg(letter).getBBox() ? undefined : 'this machine has no fonts, so the picture has no letters';
}
