import { findComment, splitPythonLines, stripBlanks } from './python-text.ts';

/** A line of a requirements file, joined with its continuation lines. */
export interface RequirementLine {
  /** Without comments. */
  readonly text: string;
  /** Number of the first line, from 1. */
  readonly line: number;
  /** Packages that require this one, from `via` comments of pip-compile and uv in or below the line. */
  readonly via: readonly string[];
}

interface Open {
  text: string;
  readonly line: number;
  readonly via: string[];
}

/** Returns the names in `# via flask, -r requirements.in`, or in `#   flask` below a line `# via`. */
const readVia = (text: string): string[] =>
  text
    .trim()
    .replace(/^via\b/, '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const isViaComment = (said: string): boolean => /^\s*via\b/.test(said);

const stroke = '\\';

/** Returns a line without backslashes at both ends. A regular expression would take quadratic time. */
const dropStrokes = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === stroke) start += 1;
  while (end > start && text[end - 1] === stroke) end -= 1;
  return text.slice(start, end);
};

/** Returns a line without its comment. pip joins lines first, so that a comment may hide a continuation line. */
const close = ({ text, line, via }: Open): RequirementLine => {
  const at = findComment(text);
  const said = at < 0 ? '' : text.slice(at + 1);
  const below = isViaComment(said) ? [...readVia(said), ...via] : via;
  return { text: stripBlanks(at < 0 ? text : text.slice(0, at)), line, via: below };
};

/**
 * Returns the lines of a requirements file, split and joined as in pip. A final backslash joins a line with the next
 * one, unless the next one is a comment. Source: `join_lines` and `ignore_comments` of pip.
 */
export const splitRequirements = (text: string): RequirementLine[] => {
  const lines: Open[] = [];
  let [goesOn, inVia] = [false, false];
  for (const [at, raw] of splitPythonLines(text).entries()) {
    const last = lines.at(-1);
    const bare = stripBlanks(raw);
    if (bare.startsWith('#')) {
      const said = bare.slice(1);
      goesOn = false;
      inVia = isViaComment(said) || (inVia && /^\s{2,}\S/.test(said));
      if (inVia) last?.via.push(...readVia(said));
      continue;
    }
    const part = raw.endsWith(stroke) ? dropStrokes(raw) : raw;
    if (goesOn && last) last.text += part;
    else if (bare !== '') lines.push({ text: part, line: at + 1, via: [] });
    inVia = false;
    goesOn = raw.endsWith(stroke);
  }
  return lines.map(close).filter((one) => one.text !== '');
};
