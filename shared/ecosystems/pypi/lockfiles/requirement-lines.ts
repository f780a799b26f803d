import { findComment, splitPythonLines, stripBlanks } from './python-text.ts';

/** A line of a file of requirements, with those that continue it. */
export interface RequirementLine {
  /** Without comments. */
  readonly text: string;
  /** From 1: where it begins. */
  readonly line: number;
  /** What pip-compile and uv write below it, or after it: who asks for it. */
  readonly via: readonly string[];
}

interface Open {
  text: string;
  readonly line: number;
  readonly via: string[];
}

/** `# via flask, -r requirements.in`, or `#   flask` below a line `# via`. */
const readVia = (text: string): string[] =>
  text
    .trim()
    .replace(/^via\b/, '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const isViaComment = (said: string): boolean => /^\s*via\b/.test(said);

const stroke = '\\';

/** Drops the strokes at both ends of a line. A pattern would search anew from each of many. */
const dropStrokes = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === stroke) start += 1;
  while (end > start && text[end - 1] === stroke) end -= 1;
  return text.slice(start, end);
};

/** Drops the comment, which pip does after it joined lines: so one may hide the line that goes on. */
const close = ({ text, line, via }: Open): RequirementLine => {
  const at = findComment(text);
  const said = at < 0 ? '' : text.slice(at + 1);
  const below = isViaComment(said) ? [...readVia(said), ...via] : via;
  return { text: stripBlanks(at < 0 ? text : text.slice(0, at)), line, via: below };
};

/**
 * Returns the lines of a file of requirements, split and joined as pip does it. After a stroke at its very end a line
 * goes on with the next one, unless that is a comment. Source: `join_lines` and `ignore_comments` of pip.
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
