import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dropCode, toAnchor } from './markdown.ts';

const pages = globSync('docs/**/*.md')
  .filter((page) => !page.startsWith('docs/decisions/'))
  .sort()
  .map((page) => {
    const markdown = readFileSync(page, 'utf8');
    return { page, markdown, lines: markdown.trimEnd().split('\n').length };
  });

/** Returns the links in the list after the first paragraph of a page. */
const readContents = (markdown: string): readonly string[] => {
  const [, , list = ''] = markdown.split('\n\n');
  if (!list.startsWith('- [')) return [];
  return [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
};

/** Returns a link to each section of a page. */
const linkSections = (markdown: string): readonly string[] =>
  [...dropCode(markdown).matchAll(/^## (.*)$/gm)].map(
    ([, heading = '']) => `#${toAnchor(heading)}`,
  );

describe('the pages', () => {
  it.each(pages)('have at most 120 lines: $page', ({ lines }) => {
    expect(lines).toBeLessThanOrEqual(120);
  });

  it.each(pages)('name their audience first: $page', ({ markdown }) => {
    expect(markdown).toMatch(/^# .+\n\nFor [a-z]/);
  });

  it.each(pages.filter(({ lines }) => lines > 80))(
    'list all sections after the first paragraph if they have more than 80 lines: $page',
    ({ markdown }) => {
      const sections = linkSections(markdown);

      expect(sections.length).toBeGreaterThan(1);
      expect(readContents(markdown)).toEqual(sections);
    },
  );
});

describe('a table of contents', () => {
  it('is the list after the first paragraph', () => {
    expect(readContents('# A\n\nFor b.\n\n- [B](#b), [c](#c-d)\n- [E](#e)\n\n## B\n')).toEqual([
      '#b',
      '#c-d',
      '#e',
    ]);
    expect(readContents('# A\n\nFor b.\n\n## B\n\n- [B](#b)\n')).toEqual([]);
  });

  it('has no heading of a block of code', () => {
    expect(linkSections('# A\n\n## C: d\n\n```sh\n## e\n```\n')).toEqual(['#c-d']);
  });
});
