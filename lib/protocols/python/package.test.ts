// The example of README.md runs, and the package knows no host.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** The package's source, seen from build/lib/protocols/python. */
const SOURCE = fileURLToPath(new URL('../../../../lib/protocols/python/', import.meta.url));

/** The text of a fenced block of README.md. */
function block(language: string): string {
  const page = readFileSync(`${SOURCE}README.md`, 'utf8');
  return new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
}

describe('the package of the Python subset', () => {
  it('runs the example of its README', async () => {
    const program = block('js').replace('./index.js', new URL('./index.js', import.meta.url).href);
    const { printed } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    expect(printed.join('')).to.equal(block('text').trimEnd());
  });

  it('knows no host by name', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$/.test(name),
    );
    expect(files).to.have.length.above(50);
    const knowing = files.filter((name) => /\btrick|swig/i.test(readFileSync(`${SOURCE}${name}`, 'utf8')));
    expect(knowing).to.deep.equal([]);
  });
});
