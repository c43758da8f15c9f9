// Opens an address in a browser, where the machine has a screen.
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens an address, and what comes before it; undefined without a screen. */
export function openerOf(
  platform: string,
  { BROWSER, DISPLAY, WAYLAND_DISPLAY }: Environment,
): readonly string[] | undefined {
  if (BROWSER) return [BROWSER];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Whoever has no such program has the address, which is printed before. */
export function openBrowser(address: string): void {
  const [program, ...words] = openerOf(process.platform, process.env) ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
