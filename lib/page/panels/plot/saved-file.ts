// A file that a person saves: made in the page, and given to the browser as a download.

/** A name that every file system takes. */
export const fileNameOf = (title: string, ending: string): string =>
  `${title.replace(/[^\w.[\]-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'varwire'}.${ending}`;

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A canvas on its ground, with a line of names above it, as a PNG. */
export function savePicture(
  name: string,
  canvas: HTMLCanvasElement,
  look: { readonly surface: string; readonly ink: string; readonly font: string },
  legend: readonly { readonly text: string; readonly colour: string }[],
): void {
  const scale = devicePixelRatio;
  const head = 24 * scale;
  const picture = document.createElement('canvas');
  picture.width = canvas.width;
  picture.height = canvas.height + head;
  const context = picture.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = look.surface;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, head);
  context.scale(scale, scale);
  context.font = look.font;
  let left = 8;
  for (const { text, colour } of legend) {
    context.fillStyle = colour;
    context.fillRect(left, 10, 12, 3);
    context.fillStyle = look.ink;
    context.fillText(text, left + 16, 15);
    left += 32 + context.measureText(text).width;
  }
  picture.toBlob((blob) => {
    if (blob) saveFile(name, blob);
  }, 'image/png');
}
