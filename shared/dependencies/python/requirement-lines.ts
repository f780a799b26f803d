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

const comment = /(?:^|\s)#(.*)$/s;

/** `# via flask, -r requirements.in`, or `#   flask` below a line `# via`. */
const readVia = (text: string): string[] =>
  text
    .trim()
    .replace(/^via\b/, '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** Joins the lines as pip does: after a stroke at the end of a line the next one goes on, unless that is a comment. */
export const splitRequirements = (text: string): RequirementLine[] => {
  const lines: Open[] = [];
  let [goesOn, inVia] = [false, false];
  for (const [at, raw] of text.split('\n').entries()) {
    const content = raw.trimEnd();
    const last = lines.at(-1);
    const [, said] = comment.exec(content) ?? [];
    const tellsVia = said !== undefined && /^\s*via\b/.test(said);
    if (/^\s*#/.test(content)) {
      goesOn = false;
      inVia = tellsVia || (inVia && /^\s{2,}\S/.test(said ?? ''));
      if (inVia) last?.via.push(...readVia(said ?? ''));
      continue;
    }
    inVia = false;
    const written = content.replace(comment, '');
    const part = written.replace(/\\$/, ' ');
    if (goesOn && last) last.text += ` ${part.trim()}`;
    else lines.push({ text: part.trim(), line: at + 1, via: [] });
    goesOn = written.endsWith('\\');
    if (tellsVia) lines.at(-1)?.via.push(...readVia(said ?? ''));
  }
  return lines.filter((one) => one.text !== '');
};
