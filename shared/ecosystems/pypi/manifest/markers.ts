/** Matches a comparison of PEP 508, such as `python_version >= "3"`. The first group matches one with an extra. */
const comparison = (() => {
  const operand = `"[^"]*"|'[^']*'|[\\w.]+`;
  const operator = '[=<>!~]{1,3}|not\\s+in\\b|in\\b';
  const text = `"[^"]+"|'[^']+'`;
  const ofExtra = `extra\\s*={2}\\s*(?:${text})|(?:${text})\\s*={2}\\s*extra\\b`;
  return new RegExp(`(${ofExtra})|(?:${operand})\\s*(?:${operator})\\s*(?:${operand})`, 'g');
})();

/** Maximum length of a marker in characters, and of its nesting. Real ones are far shorter. */
const longestMarker = 500;
const mostSteps = 20;

/** Evaluates the innermost parts of an expression of `0`, `1`, `&`, `|` and brackets. */
const simplify = (expression: string): string =>
  expression
    .replace(/\(([01])\)/g, '$1')
    .replace(/([01])&([01])/g, (_, one, other) => (one === '1' && other === '1' ? '1' : '0'))
    .replace(/(?<!&)([01])\|([01])(?!&)/g, (_, one, other) =>
      one === '1' || other === '1' ? '1' : '0',
    );

/**
 * True if a marker of PEP 508 holds for no environment without an extra, such as `extra == "socks"`. An unreadable marker may
 * hold.
 */
export const needsExtra = (marker: string): boolean => {
  if (marker.length > longestMarker) return false;
  let expression = marker
    .replace(comparison, (_, ofExtra) => (ofExtra === undefined ? '1' : '0'))
    .replace(/\band\b/g, '&')
    .replace(/\bor\b/g, '|')
    .replace(/\s+/g, '');
  for (let step = 0; step < mostSteps && expression.length > 1; step += 1) {
    expression = simplify(expression);
  }
  return expression === '0';
};
