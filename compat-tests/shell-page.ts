// What a person does on the page at GET /, in words of the tests.
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { barriers } from './panels-page.js';

/** Pictures of the page for people to look at. */
const picture = (name: string): string => fileURLToPath(new URL(`../page-${name}.png`, import.meta.url));

export class ShellPage {
  constructor(readonly page: Page) {}

  /** Opens the page with nothing kept of earlier tests, and waits until it shows the simulation. */
  async open(address: string): Promise<void> {
    await this.page.goto(new URL('/healthz', address).href);
    await this.page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await this.page.goto(address);
    await this.mode('Running').waitFor();
  }

  mode(word: string): Locator {
    return this.page.locator('#mode', { hasText: word });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  panels(type: string): Locator {
    return this.page.locator(`[data-type="${type}"]`);
  }

  line(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** What the page has told at its edge. */
  told(sentence: string | RegExp): Locator {
    return this.page.locator('.told-one', { hasText: sentence });
  }

  async find(text: string): Promise<void> {
    await this.page.getByRole('searchbox').fill(text);
    await this.page.locator('.tree-foot output', { hasText: /found|best/ }).waitFor();
  }

  /** Simulation time by the header, in seconds. */
  async seconds(): Promise<number> {
    const text = await this.page.locator('#time').textContent();
    return Number(text?.replaceAll(/[^\d.]/g, ''));
  }

  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: picture(name) });
  }

  /** All that axe-core finds. */
  barriers(): Promise<string[]> {
    return barriers(this.page);
  }
}
