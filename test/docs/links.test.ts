import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dropCode, toAnchor } from './markdown.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'shared/*/README.md']).sort();

const listAnchors = (page: string): readonly string[] =>
  [...dropCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    toAnchor(heading),
  );

describe.each(pages)('%s', (page) => {
  const markdown = dropCode(readFileSync(page, 'utf8'));

  it('links to files and sections that exist', () => {
    const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path ? join(dirname(page), decodeURI(path)) : page;
        if (!existsSync(file)) return true;
        return anchor !== undefined && file.endsWith('.md') && !listAnchors(file).includes(anchor);
      });

    expect(broken).toEqual([]);
  });

  it('has no marks of an unfinished merge', () => {
    expect(markdown).not.toMatch(/^(?:<{7} |={7}$|>{7} )/m);
  });

  it('names files of the project that exist', () => {
    const paths = [
      ...markdown.matchAll(
        /`((?:shared|functions|infra|cli|console|web|local-aws|test)\/[\w./-]+)`/g,
      ),
    ].map(([, path = '']) => path);
    const examples = /submitter|next-expiry|team/;

    expect(paths.filter((path) => !existsSync(path) && !examples.test(path))).toEqual([]);
  });
});
