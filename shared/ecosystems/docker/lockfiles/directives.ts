/** Parser directives in the comments at the top of a Dockerfile. */
export interface Directives {
  /** The escape character, which continues a line at its end. */
  readonly escape: string;
  /** The image of the BuildKit frontend, its line counted from 1, and its offset in the line. */
  readonly syntax:
    | { readonly image: string; readonly line: number; readonly column: number }
    | undefined;
}

interface Directive {
  readonly name: string;
  readonly value: string;
  readonly line: number;
  /** Offset of the value in the line. */
  readonly column: number;
}

/** Returns the `# name=value` directives from line `start` (counted from 0) to the first other line. */
const listDirectives = (lines: readonly string[], start: number, mark: '#' | '//'): Directive[] => {
  const found: Directive[] = [];
  for (const [at, line] of lines.slice(start).entries()) {
    const text = line.trim();
    if (!text.startsWith(mark)) break;
    const [, name = '', value = ''] =
      /^([a-z][a-z\d]*)\s*=(.+)$/is.exec(text.slice(mark.length).trim()) ?? [];
    if (name === '') break;
    const before = /^[^=]*=\s*/.exec(line)?.[0] ?? '';
    found.push({
      ...{ name: name.toLowerCase(), value: value.trim() },
      ...{ line: start + at + 1, column: before.length },
    });
  }
  return found;
};

/** Returns the frontend's image. Like BuildKit, also searches after a shebang and in comments that begin with `//`. */
const findSyntax = (lines: readonly string[]): Directives['syntax'] => {
  const start = lines[0]?.startsWith('#!') ? 1 : 0;
  const found = [...listDirectives(lines, start, '#'), ...listDirectives(lines, start, '//')];
  const syntax = found.find(({ name }) => name === 'syntax');
  const [image] = syntax?.value.split(/\s/, 1) ?? [];
  return syntax && image ? { image, line: syntax.line, column: syntax.column } : undefined;
};

/** Returns the parser directives of a Dockerfile. Source: `parser/directives.go` of BuildKit. */
export const readDirectives = (lines: readonly string[]): Directives => {
  const stroke = listDirectives(lines, 0, '#').find(({ name }) => name === 'escape');
  return { escape: stroke?.value === '`' ? '`' : '\\', syntax: findSyntax(lines) };
};
