import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const modules = readdirSync('shared', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(modules)('shared/%s/README.md', (module) => {
  const page = readFileSync(`shared/${module}/README.md`, 'utf8');

  it('has at most ten lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  });

  it('says what the module may import, who imports it, and where to start', () => {
    for (const part of ['**May import**', '**Imported by**', '**Start at**']) {
      expect(page).toContain(part);
    }
  });

  it('starts at files and folders that exist', () => {
    const [, start = ''] = page.split('**Start at**');
    const named = [...start.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path);
    const files = readdirSync(`shared/${module}`, { recursive: true });

    expect(named.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(named));
  });
});
